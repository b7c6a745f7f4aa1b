//! What the server answers: the menu from the registry, calls through dispatch.

use std::time::Duration;

use lyceum_core::base::Actor;
use lyceum_tools::dispatch::dispatch;
use lyceum_tools::registry::Registry;
use lyceum_tools::{Answer, Approval, Call, Operation, Progress, ToolError, Toolset};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ProtocolVersion, ServerCapabilities, ServerConfig,
    SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::elicit::{self, Brought, Way};
use crate::context::Context;

/// What a host may show its model before any call.
const INSTRUCTIONS: &str = "Lyceum checks manuscripts by rules on this machine, without a model. Call check_text before \
                            calling a paper finished; quote its problems with file and line. A refusal names what to \
                            do; never work around one.";

/// How often progress is told at most.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// The server.
pub(super) struct Handler {
    context: Context,
    sets: Vec<Toolset>,
    ended: watch::Receiver<bool>,
}

impl Handler {
    /// A server of some toolsets; `ended` turns true when the client closed its end.
    pub(super) fn new(context: Context, sets: Vec<Toolset>, ended: watch::Receiver<bool>) -> Self {
        Self {
            context,
            sets,
            ended,
        }
    }

    fn offered(&self, name: &str) -> Result<&'static Operation, ErrorData> {
        let found = Registry::all()
            .of_sets(&self.sets)
            .find(|operation| operation.name == name);
        found.ok_or_else(|| {
            ErrorData::invalid_params(format!("no tool is called {}", brief(name)), None)
        })
    }

    async fn call(
        &self,
        name: &str,
        arguments: Value,
        brought: Brought,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let operation = self.offered(name)?;
        let host = context
            .client_info()
            .map_or_else(String::new, |info| info.name);
        let with_handle = brought.handle.is_some();
        let state = self.context.state_folder.clone();
        let mut way = Way::of(context, &host, brought, state);
        let (told, progress) = watch::channel(None);
        let (project, cancelled) = (self.context.clone(), context.ct.clone());
        let work = tokio::task::spawn_blocking(move || {
            match &mut way {
                Way::Return(returned) => returned.open(operation.name, &arguments)?,
                _ if with_handle => return Err(elicit::unexpected().into()),
                Way::None | Way::Wait(_) => {}
            }
            let project = project.open()?;
            let actor = Actor::Agent {
                local: project.is_local(&host),
                host,
            };
            let call = Call {
                actor: &actor,
                progress: &|step| {
                    let _ = told.send(Some(step));
                },
                cancelled: &|| cancelled.is_cancelled(),
                approval: match &way {
                    Way::None => Approval::None,
                    Way::Wait(waiting) => Approval::Ask(waiting),
                    Way::Return(returned) => Approval::Ask(returned.as_ref()),
                },
            };
            let tried = dispatch(
                Registry::all(),
                &project.world(),
                &call,
                operation.name,
                arguments,
            );
            if let (Err(_), Way::Return(returned)) = (&tried, &way)
                && let Some(asks) = returned.result()?
            {
                return Ok(Said::Asks(asks));
            }
            tried.map(Said::Answer)
        });
        match follow(work, progress, context).await {
            Ok(Ok(Said::Answer(answer))) => Ok(good(answer).into()),
            Ok(Ok(Said::Asks(asks))) => Ok(asks),
            Ok(Err(ToolError::Bug(words))) => Err(bug(&words)),
            Ok(Err(error)) => Ok(bad(&error).into()),
            Err(error) => Err(bug(&error.to_string())),
        }
    }
}

/// What a call came to.
enum Said {
    /// A result.
    Answer(Answer),
    /// A question to the client's user.
    Asks(CallToolResponse),
}

type Work = JoinHandle<Result<Said, ToolError>>;

/// Waits for the work and passes its progress on, when the client gave a token for it.
async fn follow(
    mut work: Work,
    mut progress: watch::Receiver<Option<Progress>>,
    context: &RequestContext<RoleServer>,
) -> Result<Result<Said, ToolError>, tokio::task::JoinError> {
    let Some(token) = context.meta.get_progress_token() else {
        return work.await;
    };
    let mut last = None;
    loop {
        tokio::select! {
            done = &mut work => {
                if let Some(Progress { all, .. }) = last {
                    tell(context, &token, Progress { done: all, all }).await;
                }
                return done;
            }
            Ok(()) = progress.changed() => {
                let step = *progress.borrow_and_update();
                let further = match (step, last) {
                    (Some(Progress { done, .. }), Some(Progress { done: before, .. })) => done > before,
                    (Some(_), None) => true,
                    (None, _) => false,
                };
                if let Some(step) = step.filter(|_| further) {
                    last = Some(step);
                    tell(context, &token, step).await;
                    if let Ok(done) = tokio::time::timeout(PROGRESS_EVERY, &mut work).await {
                        tell(context, &token, Progress { done: step.all, all: step.all }).await;
                        return done;
                    }
                }
            }
        }
    }
}

/// Progress is a courtesy: a client that does not take it must not hold up the answer.
async fn tell(context: &RequestContext<RoleServer>, token: &ProgressToken, step: Progress) {
    #[expect(clippy::cast_precision_loss, reason = "counts of rules are small")]
    let (done, all) = (step.done as f64, step.all as f64);
    let note = ProgressNotificationParam::new(token.clone(), done).with_total(all);
    let sent = context.peer.notify_progress(note);
    let _ = tokio::time::timeout(PROGRESS_EVERY, sent).await;
}

/// Hosts show either the text or the structure: both carry the same.
fn good(answer: Answer) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(answer.value.to_string())]);
    result.structured_content = Some(answer.value);
    result
}

fn bad(error: &ToolError) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(error.text())]);
    result.structured_content = Some(error.document());
    result
}

fn bug(words: &str) -> ErrorData {
    eprintln!("lyceum: internal error: {words}");
    ErrorData::internal_error(format!("internal error: {words}"), None)
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let mut server = Implementation::new("lyceum", env!("CARGO_PKG_VERSION"));
        server.title = Some("Lyceum".to_owned());
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Result<Vec<Tool>, _> = Registry::all()
            .of_sets(&self.sets)
            .map(|operation| serde_json::from_value(operation.menu_entry()))
            .collect();
        let tools = tools.map_err(|error| bug(&error.to_string()))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.map_or_else(|| json!({}), Value::Object);
        let brought = Brought {
            responses: request.input_responses,
            handle: request.request_state,
        };
        self.call(&request.name, arguments, brought, &context).await
    }

    /// A host may listen for changes of the menu; there are none, so it just hears when the server goes.
    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::default())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let mut ended = self.ended.clone();
        tokio::select! {
            () = subscription.cancelled() => {}
            _ = ended.wait_for(|ended| *ended) => {}
        }
        Ok(())
    }

    /// What the SDK cannot read as a request it knows. A call whose arguments are no object gets the same answer as
    /// any other with wrong arguments; everything else is unknown.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params.unwrap_or(Value::Null);
        let name = params.get("name").and_then(Value::as_str);
        let (Some(name), "tools/call") = (name, request.method.as_str()) else {
            return Err(if known(&request.method) {
                ErrorData::invalid_params(
                    format!("the parameters of {} are wrong", request.method),
                    None,
                )
            } else {
                let words = format!("method not found: {}", brief(&request.method));
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, words, None)
            });
        };
        let arguments = params.get("arguments").cloned().unwrap_or(Value::Null);
        // Arguments of this kind are refused before any question could come up.
        let called = self.call(name, arguments, Brought::default(), &context);
        let CallToolResponse::Complete(mut result) = called.await? else {
            return Err(bug("a question without arguments"));
        };
        let modern = context
            .protocol_version()
            .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        if !modern {
            result.result_type = None;
        }
        let value = serde_json::to_value(result).map_err(|error| bug(&error.to_string()))?;
        Ok(CustomResult::new(value))
    }
}

/// Methods that exist, so that the fault lies in the parameters.
fn known(method: &str) -> bool {
    matches!(
        method,
        "tools/call" | "tools/list" | "initialize" | "server/discover"
    )
}

/// The beginning of a name that a client made up.
fn brief(name: &str) -> String {
    name.chars().take(200).collect()
}
