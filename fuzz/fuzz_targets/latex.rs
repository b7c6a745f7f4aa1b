#![no_main]
//! Any bytes as a latex manuscript: no panic, every place inside its file.

#[path = "../src_common.rs"]
mod common;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    common::run("paper.tex", lyceum_core::text::Format::Latex, data, b"@article{a, title={A}, year={2020}}");
});
