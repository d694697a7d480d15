//! Which engine this is.

use std::fs::File;
use std::io::Read;

/// Version and build of the engine, as `0.1.0+5f0c2a6b91d3e874`.
///
/// Results are kept from one call to the next, but never from one build to the next: whoever works on
/// a steering model would otherwise be shown how it was yesterday. The build is a digest of this
/// program; where that cannot be read, only the version tells engines apart.
pub fn engine() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match digest() {
        Some(digest) => format!("{version}+{digest:016x}"),
        None => version.into(),
    }
}

fn digest() -> Option<u64> {
    let mut file = File::open(std::env::current_exe().ok()?).ok()?;
    let mut buffer = vec![0; 1 << 20];
    let mut digest = 0xcbf2_9ce4_8422_2325u64;
    loop {
        let count = file.read(&mut buffer).ok()?;
        if count == 0 {
            return Some(digest);
        }
        // Words instead of bytes: programs are large, and this is done every time.
        for word in buffer[..count].chunks(8) {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            digest = (digest ^ u64::from_le_bytes(bytes)).wrapping_mul(0x0000_0100_0000_01b3);
            digest ^= digest >> 29;
        }
    }
}
