//! Signatures with the user's SSH key, made and verified by `ssh-keygen`.
//!
//! The program is taken from where systems keep it before `PATH` is asked, and gets an environment without an agent:
//! a passphrase is asked on the terminal each time.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lyceum_core::attest::{NAMESPACE, Signature, Strength, envelope};
use lyceum_core::base::{Failure, Fault, Refusal};

/// Where systems keep `ssh-keygen`.
const PLACES: [&str; 4] = [
    "/usr/bin/ssh-keygen",
    "/bin/ssh-keygen",
    "/usr/local/bin/ssh-keygen",
    "/opt/homebrew/bin/ssh-keygen",
];

/// A person's key.
#[derive(Clone, Debug)]
pub struct SshKey {
    path: PathBuf,
    public: String,
    hardware: bool,
}

fn program() -> PathBuf {
    PLACES
        .iter()
        .map(PathBuf::from)
        .find(|path| path.is_file())
        .unwrap_or_else(|| PathBuf::from("ssh-keygen"))
}

fn command() -> Command {
    let mut command = Command::new(program());
    command.env_clear().env("SSH_ASKPASS_REQUIRE", "never");
    for name in ["PATH", "HOME", "TERM"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

fn fault(source_text: impl Into<String>) -> Failure {
    Fault {
        code: "ssh_keygen_failed",
        place: "ssh-keygen".to_owned(),
        source_text: source_text.into(),
        retryable: false,
    }
    .into()
}

impl SshKey {
    /// A private key that asks something of a person: a passphrase, or a touch.
    ///
    /// # Errors
    /// `key_missing`, `key_unprotected`, faults of `ssh-keygen`.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let public = path.with_file_name(format!(
            "{}.pub",
            path.file_name().unwrap_or_default().to_string_lossy()
        ));
        let public = fs::read_to_string(&public).unwrap_or_default();
        let mut words = public.split_whitespace();
        let (Some(kind), Some(key), true) = (words.next(), words.next(), path.is_file()) else {
            return Err(Refusal::new(
                "key_missing",
                format!("{shown} is no private key with its public half beside it"),
                "Set checkpoints.key in the user configuration to your private SSH key.",
            )
            .in_chinese(
                format!("{shown} 不是旁边带有公钥的私钥"),
                "请在用户配置中将 checkpoints.key 设为你的 SSH 私钥。",
            )
            .into());
        };
        let key = Self {
            path: path.to_path_buf(),
            public: format!("{kind} {key}"),
            hardware: kind.starts_with("sk-"),
        };
        if !key.hardware && key.opens_without_passphrase()? {
            return Err(Refusal::new(
                "key_unprotected",
                format!("{shown} has no passphrase, so that whatever runs under your account can sign with it"),
                "Give the key a passphrase with ssh-keygen -p, or use a hardware-backed one.",
            )
            .in_chinese(
                format!("{shown} 没有口令，以你的账户运行的任何程序都能用它签名"),
                "请用 ssh-keygen -p 为密钥设置口令，或使用硬件密钥。",
            )
            .into());
        }
        Ok(key)
    }

    /// What a signature of this key can show.
    #[must_use]
    pub fn strength(&self) -> Strength {
        if self.hardware {
            Strength::Presence
        } else {
            Strength::Signed
        }
    }

    fn opens_without_passphrase(&self) -> Result<bool, Failure> {
        let status = command()
            .args(["-y", "-P", "", "-f"])
            .arg(&self.path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|error| fault(error.to_string()))?;
        Ok(status.success())
    }

    /// Signs bytes; `ssh-keygen` asks for passphrase or touch on the terminal.
    ///
    /// # Errors
    /// `signature_refused` when no signature came of it, faults of `ssh-keygen`.
    pub fn sign(&self, payload: &[u8]) -> Result<Signature, Failure> {
        let mut sign = command();
        sign.args(["-Y", "sign", "-n", NAMESPACE, "-f"])
            .arg(&self.path);
        let (made, said) = fed(sign, payload)?;
        let Some(armoured) = made.filter(|text| envelope(text).is_some()) else {
            let said = said.lines().last().unwrap_or_default().to_owned();
            return Err(Refusal::new(
                "signature_refused",
                format!("no signature was made: {said}"),
                "Approve again with the right passphrase, or touch the key when it blinks.",
            )
            .in_chinese(
                format!("未能签名：{said}"),
                "请用正确的口令重新批准，或在密钥闪烁时触碰它。",
            )
            .into());
        };
        let shown = envelope(&armoured).map(|envelope| envelope.strength());
        if shown.is_none_or(|shown| shown < self.strength()) {
            return Err(Refusal::new(
                "signature_refused",
                "the key signed without being touched",
                "Use a key that was made without no-touch-required.",
            )
            .in_chinese(
                "密钥未经触碰即签名",
                "请使用未设置 no-touch-required 的密钥。",
            )
            .into());
        }
        Ok(Signature {
            namespace: NAMESPACE.to_owned(),
            public_key: self.public.clone(),
            armoured,
        })
    }
}

/// Runs it with these bytes as its input: its output when it succeeded, and what it said.
fn fed(mut command: Command, input: &[u8]) -> Result<(Option<String>, String), Failure> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| fault(error.to_string()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // One that ended early says why on its own.
        let _ = stdin.write_all(input);
    }
    let out = child
        .wait_with_output()
        .map_err(|error| fault(error.to_string()))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((
        out.status.success().then(|| text(out.stdout)),
        text(out.stderr),
    ))
}

/// How a signature stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verified {
    /// Good, and the list names its key as this person's.
    By(String),
    /// Not good, or by nobody on the list.
    No(String),
}

/// Who may sign: an allowed-signers file that the verifier names, outside of the project.
#[derive(Clone, Debug)]
pub struct Signers(PathBuf);

impl Signers {
    /// Takes the file.
    ///
    /// # Errors
    /// `signers_inside` for a file that the project could have brought, `signers_missing`.
    pub fn open(path: &Path, root: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let Ok(real) = path.canonicalize() else {
            return Err(Refusal::new(
                "signers_missing",
                format!("there is no file {shown}"),
                "Name your own list of allowed signers.",
            )
            .in_chinese(
                format!("没有文件 {shown}"),
                "请指定你自己的可信签名者名单。",
            )
            .into());
        };
        if root.canonicalize().is_ok_and(|root| real.starts_with(root)) {
            return Err(Refusal::new(
                "signers_inside",
                format!("{shown} lies in the project, which could name whom it likes"),
                "Name a list of allowed signers outside of the project.",
            )
            .in_chinese(
                format!("{shown} 位于项目内，项目可随意指定签名者"),
                "请指定项目之外的可信签名者名单。",
            )
            .into());
        }
        Ok(Self(real))
    }

    /// Verifies a signature over bytes.
    ///
    /// # Errors
    /// Faults of `ssh-keygen` and of a temporary file.
    pub fn verify(&self, payload: &[u8], signature: &Signature) -> Result<Verified, Failure> {
        let no = |why: &str| Ok(Verified::No(why.to_owned()));
        match envelope(&signature.armoured) {
            Some(envelope) if envelope.namespace == NAMESPACE => {}
            _ => return no("it is no signature for this purpose"),
        }
        let mut file = tempfile::NamedTempFile::new().map_err(|error| fault(error.to_string()))?;
        file.write_all(signature.armoured.as_bytes())
            .map_err(|error| fault(error.to_string()))?;
        let mut find = command();
        find.args(["-Y", "find-principals", "-s"])
            .arg(file.path())
            .arg("-f")
            .arg(&self.0);
        let (found, _) = fed(find, b"")?;
        let found = found.unwrap_or_default();
        for who in found.lines() {
            let mut verify = command();
            verify
                .args(["-Y", "verify", "-n", NAMESPACE, "-I", who, "-s"])
                .arg(file.path())
                .arg("-f")
                .arg(&self.0);
            if fed(verify, payload)?.0.is_some() {
                return Ok(Verified::By(who.to_owned()));
            }
        }
        no(if found.trim().is_empty() {
            "its key is not on the list of signers"
        } else {
            "it does not fit what it stands under"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keygen(folder: &Path, name: &str, passphrase: &str) -> PathBuf {
        let path = folder.join(name);
        let status = command()
            .args(["-q", "-t", "ed25519", "-C", "test", "-N", passphrase, "-f"])
            .arg(&path)
            .status()
            .expect("scripts/test installs openssh-client");
        assert!(status.success());
        path
    }

    fn code(result: Result<impl std::fmt::Debug, Failure>) -> &'static str {
        match result.unwrap_err() {
            Failure::Refusal(refusal) => refusal.code,
            Failure::Fault(fault) => fault.code,
        }
    }

    /// Signs without a terminal, as only a test may: the key has no passphrase.
    fn signed(path: &Path, namespace: &str, payload: &[u8]) -> Signature {
        let mut sign = command();
        sign.args(["-Y", "sign", "-n", namespace, "-f"]).arg(path);
        let public = fs::read_to_string(path.with_extension("pub")).unwrap();
        Signature {
            namespace: namespace.to_owned(),
            public_key: public.split(' ').take(2).collect::<Vec<_>>().join(" "),
            armoured: fed(sign, payload).unwrap().0.unwrap(),
        }
    }

    #[test]
    fn a_key_must_ask_something_of_a_person() {
        let folder = tempfile::tempdir().unwrap();
        let open = keygen(folder.path(), "open", "");
        assert_eq!(code(SshKey::open(&open)), "key_unprotected");
        let closed = keygen(folder.path(), "closed", "a passphrase");
        let key = SshKey::open(&closed).unwrap();
        assert_eq!(key.strength(), Strength::Signed);
        assert_eq!(
            code(SshKey::open(&folder.path().join("none"))),
            "key_missing"
        );
        fs::remove_file(closed.with_extension("pub")).unwrap();
        assert_eq!(code(SshKey::open(&closed)), "key_missing");
    }

    #[test]
    fn simulated_hardware_key_counts_for_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sk");
        fs::write(&path, "simulated").unwrap();
        fs::write(
            folder.path().join("sk.pub"),
            "sk-ssh-ed25519@openssh.com AAAA test\n",
        )
        .unwrap();
        let key = SshKey::open(&path).unwrap();
        assert_eq!(key.strength(), Strength::Presence);
        assert_eq!(code(key.sign(b"payload")), "signature_refused");
    }

    #[test]
    fn only_the_verifiers_own_list_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        fs::create_dir(&root).unwrap();
        let inside = root.join("signers");
        fs::write(&inside, "").unwrap();
        assert_eq!(code(Signers::open(&inside, &root)), "signers_inside");
        assert_eq!(
            code(Signers::open(&root.join("none"), &root)),
            "signers_missing"
        );

        let (ada, eve) = (
            keygen(folder.path(), "ada", ""),
            keygen(folder.path(), "eve", ""),
        );
        let good = signed(&ada, NAMESPACE, b"payload");
        let list = folder.path().join("signers");
        fs::write(&list, format!("ada@example.org {}\n", good.public_key)).unwrap();
        let signers = Signers::open(&list, &root).unwrap();
        let verify =
            |payload: &[u8], signature: &Signature| signers.verify(payload, signature).unwrap();
        assert_eq!(
            verify(b"payload", &good),
            Verified::By("ada@example.org".to_owned())
        );
        for (payload, signature) in [
            (&b"other"[..], &good),
            (b"payload", &signed(&eve, NAMESPACE, b"payload")),
            (b"payload", &signed(&ada, "git", b"payload")),
            (
                b"payload",
                &Signature {
                    armoured: "nothing".to_owned(),
                    ..good.clone()
                },
            ),
        ] {
            assert!(matches!(verify(payload, signature), Verified::No(_)));
        }
        if cfg!(unix) {
            #[cfg(unix)]
            std::os::unix::fs::symlink(&inside, folder.path().join("link")).unwrap();
            assert_eq!(
                code(Signers::open(&folder.path().join("link"), &root)),
                "signers_inside"
            );
        }
    }
}
