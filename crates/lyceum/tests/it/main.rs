//! The one integration test binary: everything that needs the built program or the whole tree.

mod tidy;
