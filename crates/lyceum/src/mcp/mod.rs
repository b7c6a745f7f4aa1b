//! MCP over standard input and output: the only place that knows the SDK and the async runtime.
//!
//! Translates between the protocol and dispatch and decides nothing. Both eras are served: `initialize` (2024-11-05 to
//! 2025-11-25) and stateless requests (2026-07-28, `server/discover`). Nothing is created, locked or opened before the
//! first call; the project is read anew for each one.

mod elicit;
mod handler;
mod transport;

use std::process::ExitCode;

use lyceum_tools::Toolset;
use rmcp::ServiceExt;

use crate::context::Context;

/// Serves until the client closes its end or the process is told to stop.
pub(crate) fn serve(context: Context, sets: Vec<Toolset>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(8)
        .thread_stack_size(8 << 20)
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("lyceum: cannot start the server: {error}");
            return ExitCode::from(5);
        }
    };
    let code = runtime.block_on(async {
        tokio::select! {
            code = talk(context, sets) => code,
            () = told_to_stop() => ExitCode::SUCCESS,
        }
    });
    // A check that still runs has nobody to answer to and holds nothing open.
    runtime.shutdown_background();
    code
}

async fn talk(context: Context, sets: Vec<Toolset>) -> ExitCode {
    let (transport, ended) = transport::Stdio::new();
    let handler = handler::Handler::new(context, sets, ended);
    match handler.serve(transport).await {
        Ok(service) => match service.waiting().await {
            Ok(_) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("lyceum: the server stopped: {error}");
                ExitCode::from(70)
            }
        },
        // Most clients look first and come back: a connection without a session is nothing to complain of.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lyceum: no session: {error}");
            ExitCode::from(5)
        }
    }
}

#[cfg(unix)]
async fn told_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut term), Ok(mut int)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
    }
}

#[cfg(not(unix))]
async fn told_to_stop() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
