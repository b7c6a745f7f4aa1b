//! The decisions of a review, one file each: a state, a command and facts give a whole new state with what happened, or a
//! refusal that changes nothing.

mod abandon;
mod attach;
mod confirm;
mod conflict;
mod create;
mod dispatch;
mod fail;
mod seat;
mod submit;

pub use abandon::abandon;
pub use attach::{FIELD_CHARS, SECONDARY, attach, cards_of};
pub use confirm::{PANEL, confirm, confirmed_so, proposed};
pub use conflict::{allowed, conflict};
pub use create::{check_mode, create};
pub use dispatch::dispatch;
pub use fail::{REASON_CHARS, fail};
pub use seat::{hold_token, open_seat, seat_of};
pub use submit::{Submission, submit, submit_again};
