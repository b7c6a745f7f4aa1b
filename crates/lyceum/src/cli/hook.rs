//! `lyceum hook`: what a host calls at each event. Nothing is guarded yet, so it says nothing, at once.
//!
//! Always ends with success: a hook blocks only through JSON, never through an exit code. Starts no runtime and reads
//! neither configuration nor standard input, which a host may leave open.

/// Answer an event of an agent host; does nothing yet and always succeeds
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The event, as the host names it
    #[arg(
        value_name = "EVENT",
        allow_hyphen_values = true,
        trailing_var_arg = true
    )]
    _event: Vec<std::ffi::OsString>,
}

/// True when the command line is a hook's: nothing more needs to be read of it.
pub(super) fn is_called() -> bool {
    let mut args = std::env::args_os().skip(1);
    let hook = args.next().is_some_and(|first| first == "hook");
    hook && !args.any(|arg| arg == "--help" || arg == "-h")
}
