//! The closed words of a review, and what a decision gets and gives.

use serde::{Deserialize, Serialize};

use super::disk::State;
use crate::base::Timestamp;
use crate::store::{Event, NewFile};

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The spelling in state, arguments and messages.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Reads the spelling.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text)
            }
        }
    };
}

words! {
    /// What kind of review it is.
    Mode {
        /// Five seats.
        Full = "full",
        /// Journal fit and methodology.
        MethodologyFocus = "methodology-focus",
        /// Journal fit only: a signal, no decision.
        Quick = "quick",
        /// A second look at a revision; not yet.
        ReReview = "re-review",
        /// Issues revealed in dialogue; not yet.
        Guided = "guided",
        /// Measuring the panel on known papers; not yet.
        Calibration = "calibration",
    }
}

impl Mode {
    /// The seats of the mode, in order of dispatch; empty for those that do not exist yet.
    #[must_use]
    pub const fn seats(self) -> &'static [SeatId] {
        match self {
            Self::Full => &[
                SeatId::Eic,
                SeatId::Methodology,
                SeatId::Domain,
                SeatId::Perspective,
                SeatId::Da,
            ],
            Self::MethodologyFocus => &[SeatId::Eic, SeatId::Methodology],
            Self::Quick => &[SeatId::Eic],
            Self::ReReview | Self::Guided | Self::Calibration => &[],
        }
    }
}

words! {
    /// A role on the panel. Ordered as letters and roadmaps order them.
    SeatId {
        /// Journal-Fit Reviewer, marker `EIC`.
        Eic = "eic",
        /// Peer Reviewer 1, marker `R1`.
        Methodology = "methodology",
        /// Peer Reviewer 2, marker `R2`.
        Domain = "domain",
        /// Peer Reviewer 3, marker `R3`.
        Perspective = "perspective",
        /// Devil's Advocate, marker `DA`.
        Da = "da",
    }
}

impl SeatId {
    /// The marker in transport: `EIC`, `R1`, `R2`, `R3`, `DA`.
    #[must_use]
    pub const fn marker(self) -> &'static str {
        match self {
            Self::Eic => "EIC",
            Self::Methodology => "R1",
            Self::Domain => "R2",
            Self::Perspective => "R3",
            Self::Da => "DA",
        }
    }

    /// The words for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Eic => "Journal-Fit Reviewer",
            Self::Methodology => "Peer Reviewer 1 (methodology)",
            Self::Domain => "Peer Reviewer 2 (domain)",
            Self::Perspective => "Peer Reviewer 3 (perspective)",
            Self::Da => "Devil's Advocate",
        }
    }

    /// The number of its configuration card; none for the Devil's Advocate.
    #[must_use]
    pub const fn card(self) -> Option<u8> {
        match self {
            Self::Eic => Some(1),
            Self::Methodology => Some(2),
            Self::Domain => Some(3),
            Self::Perspective => Some(4),
            Self::Da => None,
        }
    }
}

words! {
    /// Where a review stands.
    Status {
        /// Opened; no analysis yet.
        Created = "created",
        /// Waits for a person to confirm the cards. `panel_configured` of older files reads as this.
        AwaitingPanelConfirmation = "awaiting_panel_confirmation",
        /// Seats may submit.
        InReview = "in_review",
        /// Every seat of the mode has submitted.
        AllSubmitted = "all_submitted",
        /// A draft waits for a person.
        AwaitingSynthesisApproval = "awaiting_synthesis_approval",
        /// Approved and written.
        ReportReady = "report_ready",
        /// Given up.
        Abandoned = "abandoned",
    }
}

words! {
    /// Where a seat stands.
    SeatStatus {
        /// Nobody has its brief.
        Pending = "pending",
        /// Its brief was given out.
        Dispatched = "dispatched",
        /// Its report is in.
        Submitted = "submitted",
        /// It could not report; it may be dispatched again.
        Failed = "failed",
    }
}

words! {
    /// How grave a finding is, gravest first.
    Severity {
        /// The work cannot stand as it is.
        Critical = "critical",
        /// Must be mended.
        Major = "major",
        /// Should be mended.
        Minor = "minor",
        /// A remark.
        Comment = "comment",
    }
}

words! {
    /// A recommendation or decision, mildest first.
    Verdict {
        /// Accept.
        Accept = "accept",
        /// Minor revision.
        MinorRevision = "minor_revision",
        /// Major revision.
        MajorRevision = "major_revision",
        /// Reject.
        Reject = "reject",
    }
}

words! {
    /// A score on a dimension of the contract, best first.
    Score {
        /// Nothing to object.
        Pass = "pass",
        /// Something to mend.
        Warn = "warn",
        /// Blocks acceptance.
        Block = "block",
        /// Not judged.
        NotAssessed = "not_assessed",
    }
}

words! {
    /// Whether a block on a mandatory dimension can be mended.
    BlockClass {
        /// It cannot.
        Fatal = "fatal",
        /// It can.
        Repairable = "repairable",
    }
}

words! {
    /// What a person says of a critical finding of the Devil's Advocate.
    Outcome {
        /// It holds.
        Validated = "validated",
        /// It does not hold, for the reason given.
        Rejected = "rejected",
        /// It cannot be settled.
        Unresolved = "unresolved",
    }
}

/// What the shell looked up before a decision.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The clock's instant; decisions use the later of it and the state's `updated_at`.
    pub now: Timestamp,
    /// Random bytes of this call, for ids and tokens.
    pub random: [u8; 32],
}

impl Facts {
    /// The instant to write: never earlier than what the state says already.
    #[must_use]
    pub fn at(&self, state: &State) -> Timestamp {
        self.now.max(state.updated_at)
    }
}

/// What a decision makes of a state. The shell turns it into a commit.
#[derive(Clone, Debug)]
pub struct Change {
    /// The whole new state.
    pub state: State,
    /// What happened, with the data to decide it anew.
    pub events: Vec<Event>,
    /// Files that come with it, relative to the folder of the review.
    pub files: Vec<NewFile>,
}
