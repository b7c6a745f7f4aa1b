//! The store at work, for `bench/store.py`. Prints one JSON document.
//!
//!     store_bench commits DIR N     nanoseconds of each of N commits on one aggregate
//!     store_bench journal FILE N    writes a journal of N lines
//!     store_bench verify FILE       nanoseconds of verifying it, read from memory

#![expect(clippy::print_stdout, reason = "this is what it is for")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use lyceum_core::base::{Sha256, Timestamp};
use lyceum_core::store::{Area, Commit, Event, Stamp, Store as _, journal};
use lyceum_io::store::FileStore;
use serde_json::json;

fn stamp() -> Stamp {
    Stamp {
        at: Timestamp::from_unix(1_796_040_000),
        actor: json!({"kind": "agent", "client": "bench"}),
        cause: "academic_review_submit".to_owned(),
    }
}

/// A state of some 4 KiB, as a review's is.
fn state(n: u64) -> Vec<u8> {
    let text = "A finding as long as findings are. ".repeat(110);
    let value = json!({"schema_version": "1", "n": n, "text": text});
    format!("{value:#}\n").into_bytes()
}

fn event(n: u64) -> Event {
    let data = json!({"seat": "eic", "n": n, "report_sha256": Sha256::of(&n.to_be_bytes())});
    Event::new("seat_submitted", data)
}

fn commits(dir: &Path, count: u64) -> Result<serde_json::Value, Box<dyn Error>> {
    let store = FileStore::new(dir);
    let key = Area::REVIEWS.key("rev-1")?;
    let mut times = Vec::new();
    for n in 0..count {
        let bytes = state(n);
        let start = Instant::now();
        store.transact(&key, &stamp(), &mut |_| {
            Ok(Commit {
                state: bytes.clone(),
                events: vec![event(n)],
                ..Commit::default()
            })
        })?;
        times.push(u64::try_from(start.elapsed().as_nanos())?);
    }
    Ok(json!(times))
}

fn write_journal(file: &Path, count: u64) -> Result<serde_json::Value, Box<dyn Error>> {
    let (mut text, mut head, mut before) = (String::new(), None, None);
    for n in 0..count {
        let after = Sha256::of(&n.to_be_bytes());
        let line = journal::next_line(
            head.as_ref(),
            &stamp(),
            &[event(n)],
            before.as_ref(),
            &after,
        );
        text.push_str(&line.text);
        (head, before) = (Some(line.head), Some(after));
    }
    fs::write(file, &text)?;
    Ok(json!(text.len()))
}

fn verify(file: &Path) -> Result<serde_json::Value, Box<dyn Error>> {
    let bytes = fs::read(file)?;
    let start = Instant::now();
    let found = journal::verify(&bytes);
    let time = u64::try_from(start.elapsed().as_nanos())?;
    if found.trouble.is_some() || found.torn.is_some() {
        return Err("the journal does not verify".into());
    }
    Ok(json!({"lines": found.lines, "ns": time}))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let told = match words.as_slice() {
        ["commits", dir, count] => commits(Path::new(dir), count.parse()?)?,
        ["journal", file, count] => write_journal(Path::new(file), count.parse()?)?,
        ["verify", file] => verify(Path::new(file))?,
        _ => return Err("store_bench commits DIR N | journal FILE N | verify FILE".into()),
    };
    println!("{told}");
    Ok(())
}
