//! Enums whose variants have names in files, arguments and messages.

/// Declares an enum with a name for each variant: `ALL` lists the variants in their order, `name` returns the name of
/// one, and `from_name` finds one by its name.
///
/// ```
/// throng_base::named_enum! {
///     /// An axis of a model.
///     pub enum Axis {
///         /// To the right.
///         X = "x",
///         /// Upwards.
///         Y = "y",
///     }
/// }
///
/// assert_eq!(Axis::ALL.map(Axis::name), ["x", "y"]);
/// assert_eq!((Axis::from_name("y"), Axis::from_name("z")), (Some(Axis::Y), None));
/// ```
#[macro_export]
macro_rules! named_enum {
    ($(#[$meta:meta])* $visible:vis enum $enum:ident {
        $($(#[$doc:meta])* $variant:ident = $name:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visible enum $enum {
            $($(#[$doc])* $variant,)+
        }

        impl $enum {
            /// Every variant, in their order.
            $visible const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name of the variant.
            $visible fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The variant with this name.
            #[allow(dead_code, reason = "not every enum is read from text")]
            $visible fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|variant| variant.name() == name)
            }
        }
    };
}
