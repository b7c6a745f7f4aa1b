//! Standard input and output as the SDK's transport, with two habits of hosts taken into account: a stray notification
//! before the session begins is dropped (the SDK would end the connection), and the end of input is told to those who
//! wait for it.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::{StdioReader, StdioWriter, stdio_pipes};
use tokio::sync::watch;

/// How long nothing may have been sent before the end of input is believed.
const QUIET: Duration = Duration::from_millis(20);

/// Standard input and output.
pub(super) struct Stdio {
    inner: AsyncRwTransport<RoleServer, StdioReader, StdioWriter>,
    begun: bool,
    ended: watch::Sender<bool>,
}

impl Stdio {
    /// The transport, and what turns true when input ends.
    pub(super) fn new() -> (Self, watch::Receiver<bool>) {
        let (reader, writer) = stdio_pipes();
        let (ended, told) = watch::channel(false);
        let transport = Self {
            inner: AsyncRwTransport::new(reader, writer),
            begun: false,
            ended,
        };
        (transport, told)
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let Some(message) = self.inner.receive().await else {
                // What was asked just before the end is still answered, notifications included: the SDK stops carrying
                // those once it knows of the end. Whatever has something to send drops this wait and starts it anew.
                let quiet = std::future::pending::<()>();
                let _ = tokio::time::timeout(QUIET, quiet).await;
                let _ = self.ended.send(true);
                return None;
            };
            if let JsonRpcMessage::Request(request) = &message {
                let probe = matches!(
                    request.request,
                    ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
                );
                self.begun |= !probe;
                return Some(message);
            }
            if self.begun {
                return Some(message);
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
