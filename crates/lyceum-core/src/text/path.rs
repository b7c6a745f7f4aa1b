//! Paths as texts write them, resolved by their words alone: nothing here looks at a disk.

/// Resolves a name below the root from the folder it was written in, `.` and `..` worked out. `None` when it leads out of
/// the root: by `..`, as an absolute path, a home folder or a drive.
#[must_use]
pub fn below_root(folder: &str, name: &str) -> Option<String> {
    let drive = name
        .get(1..3)
        .is_some_and(|rest| matches!(rest, ":/" | ":\\"));
    if name.starts_with(['/', '~']) || drive {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::below_root;

    #[test]
    fn names_stay_below_the_root_or_are_refused() {
        let at = |name| below_root("a/b/", name);
        assert_eq!(at("./c//d.tex").as_deref(), Some("a/b/c/d.tex"));
        assert_eq!(at("../../x.tex").as_deref(), Some("x.tex"));
        for out in ["../../../x", "/etc/passwd", "~/x", "C:/x", "C:\\x"] {
            assert_eq!(at(out), None, "{out}");
        }
    }
}
