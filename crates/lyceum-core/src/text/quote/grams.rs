//! Where each four bytes of a text stand, so that thousands of quotations need not read the whole text each.

/// Bytes of a gram.
const GRAM: usize = 4;
/// Offsets of a needle that are tried for its rarest gram.
const TRIED: usize = 64;

/// The index: grams with their places, sorted.
#[derive(Debug)]
pub(super) struct Grams(Vec<(u32, u32)>);

impl Grams {
    pub(super) fn new(text: &str) -> Self {
        let mut places: Vec<(u32, u32)> = text
            .as_bytes()
            .windows(GRAM)
            .zip(0..)
            .filter_map(|(bytes, at)| Some((gram(bytes)?, at)))
            .collect();
        places.sort_unstable();
        Self(places)
    }

    /// Where a needle may start, in order; `None` when reading the text from its start costs less.
    pub(super) fn candidates(&self, needle: &str) -> Option<Vec<usize>> {
        let windows = needle.as_bytes().windows(GRAM).take(TRIED).enumerate();
        let (offset, places) = windows
            .filter_map(|(offset, bytes)| Some((offset, self.places(gram(bytes)?))))
            .min_by_key(|(_, places)| places.len())?;
        // A hostile text repeats itself and every place nearly fits.
        if places.len().saturating_mul(needle.len()) > self.0.len() {
            return None;
        }
        let starts = places
            .iter()
            .filter_map(|(_, at)| (*at as usize).checked_sub(offset));
        Some(starts.collect())
    }

    fn places(&self, gram: u32) -> &[(u32, u32)] {
        let from = self.0.partition_point(|(one, _)| *one < gram);
        let to = self.0.partition_point(|(one, _)| *one <= gram);
        self.0.get(from..to).unwrap_or(&[])
    }
}

fn gram(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}
