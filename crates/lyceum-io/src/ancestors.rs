//! The programs that started this one, by name.

/// Most steps up.
const DEPTH: usize = 32;

/// Names of the processes above this one, the nearest first; empty where the system does not tell.
#[must_use]
pub fn ancestors() -> Vec<String> {
    let mut names = Vec::new();
    let mut pid = parent(std::process::id());
    while let Some(at) = pid.filter(|&at| at > 1 && names.len() < DEPTH) {
        match name(at) {
            Some(name) => names.push(name),
            None => break,
        }
        pid = parent(at);
    }
    names
}

fn name(pid: u32) -> Option<String> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(text.trim_end().to_owned())
}

fn parent(pid: u32) -> Option<u32> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    parse(&text)
}

/// The fourth field of `stat`; the second is a name in brackets that may itself hold brackets and spaces.
fn parse(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_do_not_mislead() {
        assert_eq!(parse("12 (a) R (b c)) S 7 1 1"), Some(7));
        assert_eq!(parse("12 a S 7"), None);
        assert_eq!(parse(""), None);
    }
}
