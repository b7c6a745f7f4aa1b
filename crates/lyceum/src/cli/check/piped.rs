//! `-`: the text from standard input, as if it were a file in the current folder.

use std::io::Read;

use lyceum_core::base::{Fault, Refusal};
use lyceum_core::port::{Files, Folder, Listing, Opened, ReadError, Target};
use lyceum_tools::ToolError;

use super::Args;

/// Most bytes read.
const BYTES: u64 = 20 << 20;

/// A folder with one more file.
struct With {
    folder: Box<dyn Folder>,
    name: String,
    bytes: Vec<u8>,
}

/// Reads standard input and puts it into the folder.
pub(super) fn open(beside: Opened, args: &Args) -> Result<Opened, ToolError> {
    let Some(format) = args.stdin_format else {
        return Err(refused(
            "- reads standard input, whose format is not known",
            "Add --stdin-format md, tex or txt.",
            "- 表示读取标准输入，但不知道其格式",
            "请加上 --stdin-format md、tex 或 txt。",
        ));
    };
    if args.paths.len() > 1 {
        return Err(refused(
            "- goes with no other path",
            "Check standard input alone.",
            "- 不能与其他路径一起使用",
            "请单独检查标准输入。",
        ));
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Fault {
            code: "file_unreadable",
            place: "standard input".to_owned(),
            source_text: error.to_string(),
            retryable: false,
        })?;
    let name = format!("<stdin>.{}", format.word());
    Ok(Opened {
        targets: vec![Target::File(name.clone())],
        folder: Box::new(With {
            folder: beside.folder,
            name,
            bytes,
        }),
        above: None,
    })
}

fn refused(en: &str, hint: &str, zh: &str, hint_zh: &str) -> ToolError {
    Refusal::new("stdin_format_missing", en, hint)
        .in_chinese(zh, hint_zh)
        .into()
}

impl Files for With {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        if path != self.name {
            return self.folder.read(path, limit);
        }
        if self.bytes.len() as u64 > limit {
            return Err(ReadError::TooLarge { limit });
        }
        Ok(self.bytes.clone())
    }

    fn exists(&self, path: &str) -> bool {
        path == self.name || self.folder.exists(path)
    }

    fn modified(&self, path: &str) -> Option<i64> {
        self.folder.modified(path)
    }
}

impl Folder for With {
    fn list(&self, under: &str, limit: usize) -> Listing {
        let mut listing = self.folder.list(under, limit);
        if under.is_empty() {
            listing.files.push(self.name.clone());
        }
        listing
    }

    fn location(&self) -> Option<String> {
        self.folder.location()
    }
}
