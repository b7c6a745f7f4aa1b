//! The programs that started this one.

use std::process::Command;

/// Most steps up.
const DEPTH: usize = 32;
/// Programs whose name says nothing: what they run is in their arguments.
const INTERPRETERS: [&str; 8] = [
    "node", "bun", "deno", "python", "python3", "nodejs", "npx", "uv",
];
/// Most arguments that are looked at after an interpreter.
const ARGUMENTS: usize = 4;

/// A process above this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// Its number.
    pub pid: u32,
    /// The name the system gives it.
    pub name: String,
    /// When it was started, in the system's own count; a number that was given anew differs here. 0 when not told.
    pub started: u64,
    /// Every name it may be known by: the system's, its file's, and what an interpreter runs.
    pub aliases: Vec<String>,
}

impl Ancestor {
    /// The spelling in attestations: name, number, start.
    #[must_use]
    pub fn written(&self) -> String {
        format!("{} {}@{}", self.name, self.pid, self.started)
    }
}

/// The processes above this one, the nearest first; empty where the system does not tell.
#[must_use]
pub fn ancestors() -> Vec<Ancestor> {
    let above = from_proc();
    if above.is_empty() { from_ps() } else { above }
}

fn from_proc() -> Vec<Ancestor> {
    let mut above = Vec::new();
    let mut pid = stat(std::process::id()).map(|(parent, _)| parent);
    while let Some(at) = pid.filter(|&at| at > 0 && above.len() < DEPTH) {
        let (Some(name), Some((parent, started))) = (comm(at), stat(at)) else {
            break;
        };
        above.push(Ancestor {
            pid: at,
            aliases: aliases(at, &name),
            name,
            started,
        });
        pid = Some(parent);
    }
    above
}

/// Where there is no `/proc`: names and parents as `ps` tells them.
fn from_ps() -> Vec<Ancestor> {
    let out = Command::new("ps")
        .args(["-A", "-o", "pid=,ppid=,comm="])
        .output();
    let text = out
        .map(|out| String::from_utf8_lossy(&out.stdout).into_owned())
        .unwrap_or_default();
    climb(&text, std::process::id())
}

fn climb(table: &str, from: u32) -> Vec<Ancestor> {
    let rows: std::collections::BTreeMap<u32, (u32, &str)> = table
        .lines()
        .filter_map(|line| {
            let (pid, rest) = line.trim_start().split_once(char::is_whitespace)?;
            let (parent, name) = rest.trim_start().split_once(char::is_whitespace)?;
            Some((pid.parse().ok()?, (parent.parse().ok()?, name.trim())))
        })
        .collect();
    let mut above = Vec::new();
    let mut at = rows.get(&from).map(|(parent, _)| *parent);
    while let Some(pid) = at.filter(|&pid| pid > 0 && above.len() < DEPTH) {
        let Some((parent, path)) = rows.get(&pid) else {
            break;
        };
        let name = base(path).to_owned();
        above.push(Ancestor {
            pid,
            aliases: vec![name.clone()],
            name,
            started: 0,
        });
        at = Some(*parent);
    }
    above
}

fn comm(pid: u32) -> Option<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/comm")).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// The parent and the start.
fn stat(pid: u32) -> Option<(u32, u64)> {
    let bytes = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(&String::from_utf8_lossy(&bytes))
}

/// Fields 4 and 22 of `stat`; the second is a name in brackets that may itself hold brackets and spaces.
fn parse(stat: &str) -> Option<(u32, u64)> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let started = fields
        .nth(17)
        .and_then(|field| field.parse().ok())
        .unwrap_or(0);
    Some((parent, started))
}

fn aliases(pid: u32, name: &str) -> Vec<String> {
    let file = std::fs::read_link(format!("/proc/{pid}/exe")).ok();
    let file = file.map(|path| path.to_string_lossy().into_owned());
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let line: Vec<String> = line
        .split(|byte| *byte == 0)
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    known_as(name, file.as_deref(), &line)
}

/// The names behind a process: of its file, its first argument, and the parts of the path that an interpreter runs.
fn known_as(name: &str, file: Option<&str>, line: &[String]) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    names.extend(file.map(|path| base(path.trim_end_matches(" (deleted)")).to_owned()));
    names.extend(line.first().map(|first| base(first).to_owned()));
    let interprets = names
        .iter()
        .any(|name| INTERPRETERS.contains(&name.as_str()) || name.starts_with("python3."));
    if interprets {
        let script = line
            .iter()
            .skip(1)
            .take(ARGUMENTS)
            .find(|word| !word.starts_with('-') && !word.is_empty());
        for part in script.into_iter().flat_map(|path| path.split(['/', '\\'])) {
            let stem = part.split_once('.').map_or(part, |(stem, _)| stem);
            names.extend([part.to_owned(), stem.to_owned()]);
        }
    }
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names.dedup();
    names
}

fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_do_not_mislead() {
        let tail = " S 7 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 99 1";
        assert_eq!(parse(&format!("12 (a) R (b c)){tail}")), Some((7, 99)));
        assert_eq!(parse("12 (a) S 7"), Some((7, 0)));
        assert_eq!(parse("12 a S 7"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn every_step_up_has_a_name_and_a_start() {
        let above = ancestors();
        assert!(!above.is_empty());
        for one in &above {
            assert!(!one.name.is_empty() && one.aliases.contains(&one.name));
        }
        assert!(above.iter().rev().skip(1).all(|one| one.started > 0));
    }

    #[test]
    fn what_an_interpreter_runs_counts() {
        let line = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let names = known_as(
            "MainThread",
            Some("/usr/bin/node"),
            &line(&[
                "node",
                "--no-warnings",
                "/lib/node_modules/@openai/codex/bin/codex.js",
            ]),
        );
        assert!(names.contains(&"codex".to_owned()), "{names:?}");
        let names = known_as("vim", Some("/usr/bin/vim"), &line(&["vim", "codex.md"]));
        assert!(!names.contains(&"codex".to_owned()), "{names:?}");
    }

    #[test]
    fn a_table_of_processes_is_climbed_without_turning_in_circles() {
        let table = "  1   0 /sbin/launchd\n 20   1 /Applications/A B/claude\n 30  20 -zsh\n 40  41 x\n 41  40 y\n";
        let names: Vec<String> = climb(table, 30).into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["claude", "launchd"]);
        assert_eq!(climb(table, 40).len(), DEPTH);
        assert!(climb("", 1).is_empty());
    }
}
