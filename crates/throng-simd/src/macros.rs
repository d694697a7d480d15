//! What the instruction sets have in common, written once. `$each!(f; a, b)` is a macro of the module that uses these:
//! it applies `f` to every register, or every plain lane, of its operands.

/// A token that proves that the processor has an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! instruction_set {
    ($(#[$doc:meta])* $set:ident: $($feature:tt),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $set(());

        impl $set {
            /// The proof, on processors that have it.
            pub fn detect() -> Option<Self> {
                let has_all = $(std::is_x86_feature_detected!($feature))&&+;
                has_all.then_some(Self(()))
            }

            pub fn run<K: Kernel>(self, kernel: K) {
                $(#[target_feature(enable = $feature)])+
                fn enter<K: Kernel>(set: $set, kernel: K) {
                    kernel.run(set);
                }
                unsafe { enter(self, kernel) }
            }
        }
    };
}

/// Operators of two vectors.
macro_rules! operators {
    ($type:ident, $each:ident: $($trait:ident::$method:ident = $f:expr),+) => {$(
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $each!($f; self, other)
            }
        }
    )+};
}

/// Methods that make a vector of vectors.
macro_rules! functions {
    ($each:ident: $($method:ident($($operand:ident),+) = $f:expr),+) => {$(
        #[inline(always)]
        fn $method($($operand: Self),+) -> Self {
            $each!($f; $($operand),+)
        }
    )+};
}

/// Methods that make a mask of two vectors.
macro_rules! comparisons {
    ($compare:ident: $($method:ident = $predicate:expr),+) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Mask16 {
            $compare!($predicate; self, other)
        }
    )+};
}

/// The operators of a mask that is one bit per lane.
macro_rules! bit_operators {
    ($mask:ident) => {
        operators!($mask, bits_of: BitAnd::bitand = u16::bitand, BitOr::bitor = u16::bitor);

        impl Not for $mask {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }
        }
    };
}

macro_rules! bits_of {
    ($f:expr; $a:expr, $b:expr) => {
        Self($f($a.0, $b.0))
    };
}

/// Transposes four by four numbers in each 128 bits of the first and of the last four of eight registers.
#[cfg(target_arch = "x86_64")]
macro_rules! transpose_quarters {
    ($records:expr, $low:ident, $high:ident, $shuffle:ident) => {{
        let [a, b, c, d, e, f, g, h] = $records;
        let (ab, cd, ef, gh) = ($low(a, b), $low(c, d), $low(e, f), $low(g, h));
        let first = [$shuffle::<0x44>(ab, cd), $shuffle::<0xEE>(ab, cd)];
        let last = [$shuffle::<0x44>(ef, gh), $shuffle::<0xEE>(ef, gh)];
        let (ab, cd, ef, gh) = ($high(a, b), $high(c, d), $high(e, f), $high(g, h));
        [
            [first[0], first[1], $shuffle::<0x44>(ab, cd), $shuffle::<0xEE>(ab, cd)],
            [last[0], last[1], $shuffle::<0x44>(ef, gh), $shuffle::<0xEE>(ef, gh)],
        ]
    }};
}
