//! The review panel.
