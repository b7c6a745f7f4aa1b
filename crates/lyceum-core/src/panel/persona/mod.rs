//! Who reads: seven roles and the protocol they share, as texts of our own, versioned and hashed.
//!
//! A state file names a persona by pack, role and hash (`lyceum-review/1#eic@<sha256>`), so that a letter can be traced
//! to the very words a seat was given. Knows no review.

use crate::base::Sha256;
use crate::panel::SeatId;

/// The rule pack these texts are.
pub const PACK: &str = "lyceum-review/1";

/// Every pack there ever was and the hash of its texts. A changed text is a new pack: add a line, never change one that
/// was published.
pub const PACKS: &[(&str, &str)] = &[(
    PACK,
    "642a91226162014fea4a50507dbb8c8ff2e05e4b9df66f282a35fdb178c399a2",
)];

/// The text of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persona {
    /// The role: `field-analyst`, a seat's id, `editorial-synthesizer`, `protocol`.
    pub id: &'static str,
    /// Its words, Markdown.
    pub text: &'static str,
    /// Their hash.
    pub sha256: Sha256,
}

impl Persona {
    fn new(id: &'static str, text: &'static str) -> Self {
        Self {
            id,
            text,
            sha256: Sha256::of(text.as_bytes()),
        }
    }

    /// How a state file names it: `lyceum-review/1#eic@<sha256>`.
    #[must_use]
    pub fn reference(&self) -> String {
        format!("{PACK}#{}@{}", self.id, self.sha256)
    }
}

/// The persona of a seat.
#[must_use]
pub fn of(seat: SeatId) -> Persona {
    let text = match seat {
        SeatId::Eic => include_str!("eic.md"),
        SeatId::Methodology => include_str!("methodology.md"),
        SeatId::Domain => include_str!("domain.md"),
        SeatId::Perspective => include_str!("perspective.md"),
        SeatId::Da => include_str!("da.md"),
    };
    Persona::new(seat.as_str(), text)
}

/// Who describes the paper before the review and makes the cards.
#[must_use]
pub fn field_analyst() -> Persona {
    Persona::new("field-analyst", include_str!("field-analyst.md"))
}

/// Who puts committed reports into one letter.
#[must_use]
pub fn editorial_synthesizer() -> Persona {
    Persona::new(
        "editorial-synthesizer",
        include_str!("editorial-synthesizer.md"),
    )
}

/// What holds for every seat.
#[must_use]
pub fn protocol() -> Persona {
    Persona::new("protocol", include_str!("protocol.md"))
}

/// All texts of the pack, in a fixed order.
#[must_use]
pub fn all() -> Vec<Persona> {
    let mut all = vec![field_analyst()];
    all.extend(SeatId::ALL.iter().map(|seat| of(*seat)));
    all.extend([editorial_synthesizer(), protocol()]);
    all
}

/// The hash of the whole pack: of one line `<id> <sha256>` for each text.
#[must_use]
pub fn pack_sha256() -> Sha256 {
    let lines: String = all()
        .iter()
        .map(|persona| format!("{} {}\n", persona.id, persona.sha256))
        .collect();
    Sha256::of(lines.as_bytes())
}

#[cfg(test)]
mod tests;
