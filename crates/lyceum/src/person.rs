//! Whether a person sits there: a controlling terminal in whose foreground we stand, and no known agent host above us.
//!
//! It is evidence, not proof: who has a shell under the same account can build all of it (`docs/security.md`). There is
//! no switch that turns it off or on.

use lyceum_core::base::Refusal;
use lyceum_io::terminal::{NoTerminal, Terminal, user};
use lyceum_io::{Ancestor, ancestors};

/// Variables that agent hosts set for the programs they start, with the host's name.
const MARKERS: &[(&str, &str)] = &[
    ("CLAUDECODE", "claude-code"),
    ("CLAUDE_CODE", "claude-code"),
    ("CLAUDE_CODE_ENTRYPOINT", "claude-code"),
    // Set for hooks, by DeepSeek Harness too.
    ("CLAUDE_PROJECT_DIR", "claude-code"),
    ("DSH_SESSION_ID", "dsh"),
    ("DSH_AGENT", "dsh"),
    ("DSH_TOOLS_MODE", "dsh"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("CODEX_MANAGED_BY_NPM", "codex"),
    ("GEMINI_CLI", "gemini-cli"),
    ("CURSOR_AGENT", "cursor"),
    ("OPENCODE", "opencode"),
    ("OPENCODE_CLIENT", "opencode"),
    ("QWEN_CODE", "qwen-code"),
    ("GOOSE_TERMINAL", "goose"),
    ("AMP_CURRENT_THREAD_ID", "amp"),
    ("ANTIGRAVITY_AGENT", "antigravity"),
    ("AUGMENT_AGENT", "augment"),
    ("CLINE_ACTIVE", "cline"),
    ("COPILOT_CLI", "copilot"),
    ("AI_AGENT", "agent"),
];

/// Names of the programs of agent hosts, with the host's name.
const PROGRAMS: &[(&str, &str)] = &[
    ("claude", "claude-code"),
    ("claude-code", "claude-code"),
    ("dsh", "dsh"),
    ("deepseek-harness", "dsh"),
    ("deepseek_harness", "dsh"),
    ("deepseek_harness_runtime", "dsh"),
    ("codex", "codex"),
    ("codex-cli", "codex"),
    ("gemini", "gemini-cli"),
    ("gemini-cli", "gemini-cli"),
    ("cursor-agent", "cursor"),
    ("opencode", "opencode"),
    ("qwen", "qwen-code"),
    ("qwen-code", "qwen-code"),
    ("goose", "goose"),
    ("goosed", "goose"),
    ("amp", "amp"),
    ("aider", "aider"),
    ("crush", "crush"),
    ("copilot", "copilot"),
    ("kiro-cli", "kiro"),
    ("auggie", "augment"),
    ("droid", "droid"),
    ("openhands", "openhands"),
    ("cline", "cline"),
    ("iflow", "iflow"),
    ("kimi", "kimi"),
    ("kimi-cli", "kimi"),
    ("trae-cli", "trae"),
];

/// The agent host above this process: by a marker in the environment, else by a program among those that started us.
pub(crate) fn host(has: impl Fn(&str) -> bool) -> Option<&'static str> {
    let marked = MARKERS.iter().find(|(name, _)| has(name));
    marked
        .map(|(_, host)| *host)
        .or_else(|| among(&ancestors()))
}

fn among(above: &[Ancestor]) -> Option<&'static str> {
    above
        .iter()
        .flat_map(|one| &one.aliases)
        .find_map(|alias| PROGRAMS.iter().find(|(program, _)| program == alias))
        .map(|(_, host)| *host)
}

/// A person, as far as the process can tell.
pub(crate) struct Person {
    /// Where they read and type.
    pub(crate) terminal: Terminal,
    /// The programs above, nearest first.
    pub(crate) ancestry: Vec<String>,
    /// The account.
    pub(crate) who: String,
}

impl Person {
    /// Looks for one.
    ///
    /// # Errors
    /// `not_a_person`, with what to do.
    pub(crate) fn find(host: Option<&str>) -> Result<Self, Refusal> {
        if let Some(host) = host {
            return Err(refuse(
                &format!("the agent host {host} is above this process"),
                &format!("本进程之上有代理宿主 {host}"),
            ));
        }
        let terminal = Terminal::open().map_err(|error| match error {
            NoTerminal::None => refuse("there is no terminal to ask at", "没有可供询问的终端"),
            NoTerminal::Background => refuse(
                "the terminal belongs to another program now",
                "终端当前属于另一个程序",
            ),
        })?;
        Ok(Self {
            terminal,
            ancestry: ancestors().iter().map(Ancestor::written).collect(),
            who: user(),
        })
    }
}

fn refuse(why: &str, zh: &str) -> Refusal {
    Refusal::new(
        "not_a_person",
        format!("only a person may do this, and {why}"),
        "Open a terminal of your own, outside of any agent, and run the command there; an agent stops here and tells \
         the user.",
    )
    .in_chinese(
        format!("只有本人可以执行此操作，而{zh}"),
        "请在任何代理之外打开你自己的终端运行该命令；代理应在此停下并告知用户。",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(names: &[&str]) -> Vec<Ancestor> {
        let one = |name: &&str| Ancestor {
            pid: 1,
            name: (*name).to_owned(),
            started: 1,
            aliases: vec![(*name).to_owned()],
        };
        names.iter().map(one).collect()
    }

    #[test]
    fn hosts_are_known_by_marker_and_by_program() {
        for (marker, name) in MARKERS {
            assert_eq!(host(|asked| asked == *marker), Some(*name));
        }
        for (program, name) in PROGRAMS {
            assert_eq!(among(&above(&["sh", program, "init"])), Some(*name));
        }
        assert_eq!(
            among(&above(&["bash", "sshd", "claudette", "systemd"])),
            None
        );
    }

    #[test]
    fn below_a_host_nobody_is_a_person() {
        let refused = Person::find(Some("dsh")).err().unwrap();
        assert_eq!(refused.code, "not_a_person");
        assert!(refused.message.contains("dsh"));
    }
}
