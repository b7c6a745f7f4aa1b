//! Who asks. Stamped by the adapter, never an argument.

/// Who caused an operation to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A model, or anything that arrives where a model could have sent it (MCP, hooks, `lyceum call`).
    Agent {
        /// The program that runs the agent, as it named itself; empty when unknown.
        host: String,
        /// True when the user's own configuration names this host as local, so that what it reads
        /// stays on the machine.
        local: bool,
    },
    /// A person at a terminal or in the web panel.
    Human {
        /// Where the person acted: `terminal`, `web`.
        channel: &'static str,
    },
    /// Lyceum itself or another deterministic program, for example in CI.
    Tool {
        /// The program's version.
        version: &'static str,
    },
}

impl Actor {
    /// True when text shown to this actor may leave the machine: an agent whose host is not local.
    #[must_use]
    pub fn may_export(&self) -> bool {
        matches!(self, Self::Agent { local: false, .. })
    }
}
