//! The checksum of replay files.

/// 64-bit FNV-1a. Each step is injective, so a single changed byte always changes the sum, and
/// its last byte too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReplayChecksum(pub(super) u64);

impl Default for ReplayChecksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl ReplayChecksum {
    pub(super) fn add(&mut self, text: &str) {
        self.0 = text.bytes().fold(self.0, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    }

    /// Adds a line, given without its line ending.
    pub(super) fn add_line(&mut self, line: &str) {
        self.add(line);
        self.add("\n");
    }

    /// The mark at the end of a line of moves.
    pub(super) fn mark(self) -> String {
        format!("~{:02x}", self.0 as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published test vectors.
    #[test]
    fn it_is_the_known_hash() {
        for (text, expected) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            let mut sum = ReplayChecksum::default();
            sum.add(text);
            assert_eq!(sum.0, expected, "{text}");
        }
    }
}
