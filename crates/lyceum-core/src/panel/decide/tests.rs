//! Decisions on a review, each with what it refuses.
