//! LaTeX. (Reader to come: text is taken as one paragraph.)

use super::builder::Builder;
use super::load::Budget;
use super::source::FileId;
use crate::port::Files;

pub(super) fn read(builder: &mut Builder, parts: &[FileId], _files: &dyn Files, _budget: Budget) {
    super::plain::read(builder, parts);
}
