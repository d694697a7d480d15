//! The server: a place to listen at, and who is served what.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use serde::Deserialize;

use crate::connection::{Connection, LONGEST_MESSAGE};
use crate::gate::{Gate, new_token};
use crate::house::{Evaluation, House, Seat};
use crate::page::{Page, apology, report};
use crate::protocol::Refusal;
use crate::stage::{Beginning, Show, has_ending};

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
    /// The moment at which a recording stands when it is opened, s, instead of playing from the start.
    pub at: Option<f64>,
}

impl Default for StudioOptions {
    fn default() -> Self {
        Self { address: Ipv4Addr::LOCALHOST.into(), port: 0, page: None, at: None }
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
    program: Program,
    listener: TcpListener,
    address: SocketAddr,
    gate: Gate,
    page: Page,
}

/// What it is to show.
enum Program {
    Show(Box<Show>, Beginning),
    Evaluation(Evaluation),
}

impl Studio {
    /// Prepares to show a scene (`.toml`), a recording (`.parquet`), or the folder of an evaluation: its report,
    /// and each of its recordings. A scene file that does not exist yet is begun as an empty scene.
    ///
    /// # Errors
    ///
    /// If it is none of them, or nobody can listen at the address.
    pub fn open(path: impl AsRef<Path>, options: &StudioOptions) -> Result<Self, StudioError> {
        let path = path.as_ref();
        let refused = |Refusal { message, help, source, .. }| match source {
            Some(errors) => StudioError::Scene(*errors),
            None => StudioError::Show { path: path.into(), message, help },
        };
        let program = Program::open(path, options).map_err(refused)?;
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
        Ok(Self { program, listener, address, gate: Gate::new(address, token), page })
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
        let (address, url) = (self.address, self.url());
        let Self { program, listener, gate, page, .. } = self;
        let house = match program {
            Program::Show(show, beginning) => {
                House::of_show(*show, beginning).map_err(StudioError::System)?
            }
            Program::Evaluation(evaluation) => House::of_evaluation(evaluation),
        };
        let house = Arc::new(house);
        listener.set_nonblocking(true).map_err(StudioError::System)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(StudioError::System)?;
        let service = Service { gate, page, house: house.clone() };
        let server = thread::Builder::new()
            .name("server".into())
            .spawn(move || runtime.block_on(service.serve(listener)))
            .map_err(StudioError::System)?;
        Ok(Running { address, url, house, server: Some(server) })
    }
}

impl Program {
    fn open(path: &Path, options: &StudioOptions) -> Result<Self, Refusal> {
        if path.is_dir() {
            if options.at.is_some() {
                return Err(Refusal::new(
                    "an evaluation has many recordings, and no moment to go to",
                )
                .with_help("follow a link of its report, or name one of its recordings"));
            }
            return Evaluation::open(path).map(Self::Evaluation);
        }
        let name = path.to_string_lossy();
        let is_scene = has_ending(&name, "toml");
        let expected =
            "name a scene (.toml), a recording (.parquet), or the folder of a throng eval --out";
        let mut show = if path.exists() {
            if !is_scene && !has_ending(&name, "parquet") {
                let problem = "this is neither a scene nor a recording";
                return Err(Refusal::new(problem).with_help(expected));
            }
            Show::open(path)
        } else {
            if !is_scene {
                return Err(Refusal::new("there is no such file or folder").with_help(expected));
            }
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            if parent.is_some_and(|parent| !parent.is_dir()) {
                let problem = "there is no folder to begin this scene in";
                return Err(Refusal::new(problem).with_help("make the folder, or name another"));
            }
            Show::empty(path)
        }?;
        if let Some(time) = options.at {
            show.go_to(time)?;
        }
        let beginning = Beginning { stands: options.at.is_some(), is_fixed: false };
        Ok(Self::Show(Box::new(show), beginning))
    }
}

/// A studio that is open. Dropping it closes it.
pub struct Running {
    address: SocketAddr,
    url: String,
    house: Arc<House>,
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
        self.house.has_stopped()
    }

    /// Closes it: recordings are completed and clients disconnected.
    pub fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.house.close();
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
    house: Arc<House>,
}

impl Service {
    async fn serve(self, listener: TcpListener) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let house = self.house.clone();
        let router = Router::new()
            .route("/ws", get(open_socket))
            .fallback(serve_page)
            .layer(middleware::from_fn_with_state(self.clone(), check_host))
            .with_state(self);
        let over = async move {
            while !house.is_over() {
                house.tidy(Instant::now());
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
    if !request.method().is_safe() {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let is_evaluation = service.house.evaluation().is_some();
    match request.uri().path() {
        "/" | "/report.html" if is_evaluation => serve_report(service, request.uri()).await,
        "/studio" if is_evaluation => serve_recording(service, request.uri()).await,
        // What is shown here is not a recording of an evaluation.
        "/studio" => apology(
            StatusCode::NOT_FOUND,
            "this studio shows something else",
            "the link is from the report of an evaluation: end this studio, and start one with the folder \
             that the report is in: throng studio FOLDER",
            Some(["./", "What this studio shows"]),
        ),
        // A page that has no recording has nothing to show.
        "/index.html" if is_evaluation => service.page.get("/no page"),
        path => service.page.get(path),
    }
}

async fn serve_report(service: Service, address: &Uri) -> Response {
    if let Err(refusal) = admitted(&service, address) {
        return *refusal;
    }
    let read = blocking(move || service.house.evaluation().map(Evaluation::report)).await;
    match read.flatten() {
        Some(Ok(text)) => report(&text),
        Some(Err(error)) => {
            let help = format!("report.html cannot be read: {error}");
            apology(StatusCode::NOT_FOUND, "the report is not there any more", &help, None)
        }
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The page for a recording, or one that says why there is none.
async fn serve_recording(service: Service, address: &Uri) -> Response {
    let pass = match admitted(&service, address) {
        Ok(pass) => pass,
        Err(refusal) => return *refusal,
    };
    match seat(&service, pass.recording.clone()).await {
        Ok(_) => service.page.get("/"),
        Err(refusal) => no_such(&pass, &refusal),
    }
}

fn no_such(pass: &Pass, refusal: &Refusal) -> Response {
    let back = pass.token.as_ref().map_or("./".into(), |token| format!("./?token={token}"));
    let help = refusal.help.as_deref().unwrap_or("choose another one in the report");
    let link = Some([back.as_str(), "Back to the report"]);
    apology(StatusCode::NOT_FOUND, &refusal.message, help, link)
}

/// What a request for something of the user's says, if it may be answered.
fn admitted(service: &Service, address: &Uri) -> Result<Pass, Box<Response>> {
    let Ok(Query(pass)) = Query::<Pass>::try_from_uri(address) else {
        let help = "it cannot be read as an address of this studio";
        return Err(Box::new(apology(
            StatusCode::BAD_REQUEST,
            "something is wrong with the address",
            help,
            None,
        )));
    };
    if service.gate.knows(pass.token.as_deref()) {
        return Ok(pass);
    }
    let help = "open the studio by the address that it printed";
    Err(Box::new(apology(StatusCode::FORBIDDEN, "the address has no token", help, None)))
}

async fn seat(service: &Service, recording: Option<String>) -> Result<Seat, Refusal> {
    let house = service.house.clone();
    let found = blocking(move || house.seat(recording.as_deref())).await;
    found.unwrap_or_else(|| Err(Refusal::new("the studio is about to close")))
}

/// Does what may take a while without holding up anybody else.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}

#[derive(Deserialize)]
struct Pass {
    token: Option<String>,
    recording: Option<String>,
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
    let seat = match seat(&service, pass.recording).await {
        Ok(seat) => seat,
        Err(refusal) => {
            return (StatusCode::NOT_FOUND, refusal.message + "\n").into_response();
        }
    };
    upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .on_upgrade(|socket| Connection::new(socket, seat).serve())
}
