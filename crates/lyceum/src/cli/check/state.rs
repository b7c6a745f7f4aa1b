//! The stored state of the project: what `lyceum check` says of journals, and anchors.

use std::path::Path;

use lyceum_core::base::Refusal;
use lyceum_core::store::Area;
use lyceum_core::store::anchor::{self, Anchor};
use lyceum_core::store::audit::{Audit, audit};
use lyceum_io::store::FileStore;
use lyceum_io::{git, read_optional};
use lyceum_tools::ToolError;

use super::Args;
use crate::context::Context;

/// Largest file that is read for anchors.
const ANCHOR_BYTES: u64 = 4 << 20;

/// Verifies the stored state. `None` when there is none, and when only a part of the text was asked for.
pub(super) fn look(context: &Context, args: &Args) -> Result<Option<Audit>, ToolError> {
    let asked = args.anchor.is_some() || args.heads;
    let piped = args.paths.iter().any(|path| path.as_os_str() == "-");
    let only_text = args.referee || args.changed.is_some() || !args.rule.is_empty() || piped;
    if only_text && !asked {
        return Ok(None);
    }
    let root = context.root();
    let anchors = match &args.anchor {
        Some(name) => anchors(context, &root, name)?,
        None => Vec::new(),
    };
    let found = audit(&FileStore::new(&root), &Area::ALL, &anchors)?;
    let nothing = found.journals == 0 && found.problems.is_empty();
    Ok((asked || !nothing).then_some(found))
}

/// The anchors in a file, else in what git has under that name.
fn anchors(context: &Context, root: &Path, name: &str) -> Result<Vec<Anchor>, ToolError> {
    let text = match read_optional(&context.cwd.join(name), ANCHOR_BYTES)? {
        Some(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        None => git::message(root, name)?,
    };
    let Some(text) = text else {
        return Err(unreadable(
            name,
            "is no file, and nothing that git knows",
            "既不是文件，也不是 git 中的提交或标签",
        ));
    };
    match anchor::parse(&text) {
        Ok(anchors) if !anchors.is_empty() => Ok(anchors),
        Ok(_) => Err(unreadable(name, "holds no anchor", "中没有锚点")),
        Err(line) => Err(unreadable(
            name,
            &format!("holds an anchor that cannot be read: {line}"),
            &format!("中有无法读取的锚点：{line}"),
        )),
    }
}

fn unreadable(name: &str, en: &str, zh: &str) -> ToolError {
    let shown: String = name.chars().take(200).collect();
    Refusal::new(
        "anchor_unreadable",
        format!("{shown:?} {en}"),
        "Name a file, a commit or a tag with the lines that `lyceum check --heads` prints.",
    )
    .in_chinese(
        format!("{shown:?} {zh}"),
        "请指定含有 `lyceum check --heads` 所输出内容的文件、提交或标签。",
    )
    .into()
}

/// The anchors to write down, one a line.
pub(super) fn heads(found: &Audit) -> String {
    found
        .heads
        .iter()
        .map(|anchor| format!("{}\n", anchor.text()))
        .collect()
}
