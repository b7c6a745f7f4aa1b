//! A question that the host puts to its user, in both eras.
//!
//! Until 2025-11-25 the server asks the client and waits. From 2026-07-28 on the result asks, and the client calls
//! again with the answer and with a handle that is authenticated, used once, expires, and is bound to the question.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use lyceum_core::attest::{Handle, Request, invalid};
use lyceum_core::base::Refusal;
use lyceum_core::port::{Clock, Entropy};
use lyceum_io::secret::{handle_key, use_once};
use lyceum_io::{SystemClock, SystemEntropy};
use lyceum_tools::{Answered, Ask, ToolError};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolResponse, ClientResult, InputRequest, InputRequiredResult, InputResponses,
    ProtocolVersion, ServerRequest,
};
use rmcp::service::{Peer, RequestContext};
use serde_json::{Value, json};
use tokio::runtime::Handle as Runtime;
use tokio_util::sync::CancellationToken;

use crate::present::lines;

/// The name of the question in a result that asks.
const QUESTION: &str = "approval";
/// Most bytes of text that a host's dialogue is trusted to show whole; what is longer waits for a terminal.
const SHOWN: usize = 20_000;

/// What a client brought to a call.
#[derive(Debug, Default)]
pub(super) struct Brought {
    /// Its answers to a result that asked.
    pub(super) responses: Option<InputResponses>,
    /// The handle.
    pub(super) handle: Option<String>,
}

/// How the user can be reached.
pub(super) enum Way {
    /// Not at all.
    None,
    /// Asked while the call waits.
    Wait(Waiting),
    /// By a result that asks.
    Return(Box<Returned>),
}

impl Way {
    /// The way of a client: by its era, and only where it says that it can.
    pub(super) fn of(
        context: &RequestContext<RoleServer>,
        host: &str,
        brought: Brought,
        state: Option<PathBuf>,
    ) -> Self {
        let can = context
            .client_capabilities()
            .and_then(|capabilities| capabilities.elicitation)
            .is_some_and(|can| can.form.is_some() || can.url.is_none());
        if !can && brought.handle.is_none() {
            return Self::None;
        }
        let modern = context
            .protocol_version()
            .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        match state {
            Some(state) if modern => Self::Return(Box::new(Returned {
                host: host.to_owned(),
                state,
                brought,
                answer: None,
                asked: Mutex::new(None),
            })),
            _ if modern || !can => Self::None,
            _ => Self::Wait(Waiting {
                host: host.to_owned(),
                peer: context.peer.clone(),
                cancelled: context.ct.clone(),
                runtime: Runtime::current(),
            }),
        }
    }
}

/// The question as a dialogue shows it.
fn question(request: &Request, shown: &str) -> Value {
    let message = format!(
        "Lyceum asks for your decision at the checkpoint {} of {}.\n\n{shown}\n\nSHA-256 {}",
        request.checkpoint, request.subject, request.shown_sha256
    );
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": lines(&message),
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "approve": {
                        "type": "boolean",
                        "title": "Approve",
                        "description": "Yes approves exactly the text above, no declines it.",
                    },
                    "words": {
                        "type": "string",
                        "title": "Your own words",
                        "description": "Kept with the approval; may be empty.",
                    },
                },
                "required": ["approve"],
            },
        },
    })
}

/// Reads the client's result. Only an answer that says yes in so many words is one.
fn answered(result: &Value, seconds: u64) -> Answered {
    let content = result.get("content").cloned().unwrap_or(Value::Null);
    match result.get("action").and_then(Value::as_str) {
        Some("accept") => match content.get("approve").and_then(Value::as_bool) {
            Some(true) => Answered::Yes {
                words: content
                    .get("words")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned(),
                seconds,
            },
            Some(false) => Answered::No,
            None => Answered::Nothing,
        },
        Some("decline") => Answered::No,
        _ => Answered::Nothing,
    }
}

/// Asks while the call waits.
pub(super) struct Waiting {
    host: String,
    peer: Peer<RoleServer>,
    cancelled: CancellationToken,
    runtime: Runtime,
}

impl Ask for Waiting {
    fn ask(&self, request: &Request, shown: &str) -> Answered {
        let asked = serde_json::from_value(question(request, shown));
        let (Ok(elicit), true) = (asked, shown.len() <= SHOWN) else {
            return Answered::Nothing;
        };
        let began = Instant::now();
        let sent = self.peer.send_request(ServerRequest::ElicitRequest(elicit));
        let result = self.runtime.block_on(async {
            tokio::select! {
                result = sent => result.ok(),
                () = self.cancelled.cancelled() => None,
            }
        });
        match result {
            Some(ClientResult::ElicitResult(result)) => {
                let result = serde_json::to_value(result).unwrap_or_default();
                answered(&result, began.elapsed().as_secs())
            }
            _ => Answered::Nothing,
        }
    }

    fn host(&self) -> &str {
        &self.host
    }
}

/// Asks by the result, and takes the answer of the next call.
pub(super) struct Returned {
    host: String,
    state: PathBuf,
    brought: Brought,
    answer: Option<(Handle, Answered)>,
    asked: Mutex<Option<(Request, String)>>,
}

impl Returned {
    /// Takes the handle that was brought, once, and the answer that belongs to it.
    pub(super) fn open(&mut self, operation: &str, arguments: &Value) -> Result<(), ToolError> {
        let Some(text) = self.brought.handle.take() else {
            return if self.brought.responses.is_some() {
                Err(invalid("no handle came with it").into())
            } else {
                Ok(())
            };
        };
        let now = SystemClock.now();
        let handle = Handle::open(&text, &self.key()?, now)?;
        handle.fits(operation, arguments)?;
        if !use_once(&self.state, &handle.nonce, handle.expires_at, now)? {
            return Err(invalid("it was used before").into());
        }
        let seconds = now.unix().saturating_sub(handle.asked_at.unix());
        let responses = self.brought.responses.take().unwrap_or_default();
        let result = responses.get(QUESTION).cloned().unwrap_or(Value::Null);
        let answer = answered(&result, u64::try_from(seconds).unwrap_or(0));
        self.answer = Some((handle, answer));
        Ok(())
    }

    fn key(&self) -> Result<[u8; 32], ToolError> {
        let mut random = [0; 32];
        SystemEntropy.fill(&mut random)?;
        Ok(handle_key(&self.state, random)?)
    }

    /// The result that asks, when the operation came to a question that has no answer yet.
    pub(super) fn result(&self) -> Result<Option<CallToolResponse>, ToolError> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((request, shown)) = asked.as_ref() else {
            return Ok(None);
        };
        let Ok(elicit) = serde_json::from_value(question(request, shown)) else {
            return Ok(None);
        };
        let mut nonce = [0; 16];
        SystemEntropy.fill(&mut nonce)?;
        let handle = Handle::new(request, SystemClock.now(), &nonce).seal(&self.key()?);
        let asks = [(QUESTION.to_owned(), InputRequest::Elicitation(elicit))];
        Ok(Some(CallToolResponse::InputRequired(
            InputRequiredResult::new(Some(asks.into()), Some(handle)),
        )))
    }
}

impl Ask for Returned {
    fn ask(&self, request: &Request, shown: &str) -> Answered {
        match &self.answer {
            Some((handle, answer)) if handle.answers(request) => answer.clone(),
            // Something else would be asked now than what was answered: nothing is taken for granted.
            Some(_) => Answered::Nothing,
            None => {
                if shown.len() <= SHOWN {
                    let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
                    *asked = Some((request.clone(), shown.to_owned()));
                }
                Answered::Nothing
            }
        }
    }

    fn host(&self) -> &str {
        &self.host
    }
}

/// A handle where none belongs.
pub(super) fn unexpected() -> Refusal {
    invalid("this connection has no open questions")
}
