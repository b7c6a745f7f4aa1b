//! The `lyceum` binary.

fn main() {}
