//! The server: a place to listen at, and who is served what.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use serde::Deserialize;

use crate::connection::{Connection, LONGEST_MESSAGE};
use crate::gate::{Gate, new_token};
use crate::message::Refusal;
use crate::page::Page;
use crate::stage::{Command, Outlets, Show, Stage};

/// Commands that wait for the stage at most.
const MOST_COMMANDS: usize = 1024;
/// How often the server looks whether it is over.
const ATTENTION: Duration = Duration::from_millis(50);

/// How a studio is set up.
#[derive(Clone, Debug)]
pub struct StudioOptions {
    /// The address to listen at. Others than one's own machine need a token, which is made up.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// A folder with the page, instead of the one in the binary.
    pub page: Option<PathBuf>,
}

impl Default for StudioOptions {
    fn default() -> Self {
        Self { address: Ipv4Addr::LOCALHOST.into(), port: 0, page: None }
    }
}

/// Why there is no studio.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// The scene cannot be simulated.
    #[error(transparent)]
    Scene(throng::SceneErrors),
    /// What is to be shown cannot be.
    #[error("{path}: {message}", path = path.display())]
    Show {
        /// The scene or recording.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
        /// What to do about it.
        help: Option<String>,
    },
    /// Nobody can listen at that address.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The folder with the page cannot be read.
    #[error("cannot read the page: {0}")]
    Page(io::Error),
    /// The operating system gives no threads or no randomness.
    #[error("cannot start: {0}")]
    System(io::Error),
}

/// A studio that is about to open.
pub struct Studio {
    show: Show,
    listener: TcpListener,
    address: SocketAddr,
    gate: Gate,
    page: Page,
}

impl Studio {
    /// Prepares to show a scene (`.toml`) or a recording (`.parquet`). A scene file that does not
    /// exist yet is begun as an empty scene.
    ///
    /// # Errors
    ///
    /// If it is neither, or nobody can listen at the address.
    pub fn open(path: impl AsRef<Path>, options: &StudioOptions) -> Result<Self, StudioError> {
        let path = path.as_ref();
        let show = if path.exists() { Show::open(path) } else { Show::empty(path) };
        let show = show.map_err(|Refusal { message, help, errors }| match errors {
            Some(errors) => StudioError::Scene(errors),
            None => StudioError::Show { path: path.into(), message, help },
        })?;
        let page = match &options.page {
            Some(folder) => Page::load(folder).map_err(StudioError::Page)?,
            None => Page::embedded(),
        };
        let address = SocketAddr::new(options.address, options.port);
        let listen = |source| StudioError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let token = match address.ip().is_loopback() {
            true => None,
            false => {
                Some(new_token().map_err(|error| StudioError::System(io::Error::other(error)))?)
            }
        };
        Ok(Self { show, listener, address, gate: Gate::new(address, token), page })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            ip => ip,
        };
        let address = SocketAddr::new(ip, self.address.port());
        match self.gate.token() {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Opens it.
    ///
    /// # Errors
    ///
    /// If the operating system gives no threads.
    pub fn start(self) -> Result<Running, StudioError> {
        let outlets = Arc::new(Outlets::default());
        let (sender, commands) = sync_channel(MOST_COMMANDS);
        let (address, url) = (self.address, self.url());
        let Self { show, listener, gate, page, .. } = self;
        let stage = {
            let outlets = outlets.clone();
            let run = move || Stage::new(show, outlets, commands).run();
            thread::Builder::new().name("stage".into()).spawn(run).map_err(StudioError::System)?
        };
        listener.set_nonblocking(true).map_err(StudioError::System)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(StudioError::System)?;
        let service = Service { gate, page, outlets: outlets.clone(), commands: sender };
        let server = thread::Builder::new()
            .name("server".into())
            .spawn(move || runtime.block_on(service.serve(listener)))
            .map_err(StudioError::System)?;
        Ok(Running { address, url, outlets, stage: Some(stage), server: Some(server) })
    }
}

/// A studio that is open. Dropping it closes it.
pub struct Running {
    address: SocketAddr,
    url: String,
    outlets: Arc<Outlets>,
    stage: Option<JoinHandle<()>>,
    server: Option<JoinHandle<io::Result<()>>>,
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether something made it end.
    pub fn is_over(&self) -> bool {
        let ended = |stage: &JoinHandle<()>| stage.is_finished();
        self.stage.as_ref().is_none_or(ended)
    }

    /// Closes it: recordings are completed and clients disconnected.
    pub fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.outlets.is_over.store(true, Ordering::Relaxed);
        if let Some(stage) = self.stage.take() {
            let _ = stage.join();
        }
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// What the server's handlers need.
#[derive(Clone)]
struct Service {
    gate: Gate,
    page: Page,
    outlets: Arc<Outlets>,
    commands: SyncSender<Command>,
}

impl Service {
    async fn serve(self, listener: TcpListener) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let outlets = self.outlets.clone();
        let router = Router::new()
            .route("/ws", get(open_socket))
            .fallback(serve_page)
            .layer(middleware::from_fn_with_state(self.clone(), check_host))
            .with_state(self);
        let over = async move {
            while !outlets.is_over.load(Ordering::Relaxed) {
                tokio::time::sleep(ATTENTION).await;
            }
        };
        // What is sent is to arrive now, not together with what comes next.
        let prompt = listener.tap_io(|stream| _ = stream.set_nodelay(true));
        // Connections that are open end with the runtime; nobody waits for them.
        tokio::select! {
            served = axum::serve(prompt, router).into_future() => served,
            () = over => Ok(()),
        }
    }
}

async fn check_host(State(service): State<Service>, request: Request, next: Next) -> Response {
    if service.gate.is_meant(request.headers()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "this server is not known by that name\n").into_response()
    }
}

async fn serve_page(State(service): State<Service>, request: Request) -> Response {
    if request.method().is_safe() {
        service.page.get(request.uri().path())
    } else {
        StatusCode::METHOD_NOT_ALLOWED.into_response()
    }
}

#[derive(Deserialize)]
struct Pass {
    token: Option<String>,
}

async fn open_socket(
    State(service): State<Service>,
    Query(pass): Query<Pass>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !service.gate.admits(&headers, pass.token.as_deref()) {
        let why = "open the studio by the address that it printed\n";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let Service { outlets, commands, .. } = service;
    upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .on_upgrade(|socket| Connection::new(socket, outlets, commands).serve())
}
