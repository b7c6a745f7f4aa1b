#![no_main]
//! Any bytes as a markdown manuscript: no panic, every place inside its file.

#[path = "../src_common.rs"]
mod common;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    common::run("paper.md", lyceum_core::text::Format::Markdown, data, b"@article{a, title={A}, year={2020}}");
});
