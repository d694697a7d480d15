//! One client: what it is sent, how often, and what it may send.
//!
//! A frame is sent when the client's rate allows it and it has dealt with all but two of those before. In
//! between, newer frames replace older ones, so a slow client is sent fewer and never old ones. Nothing
//! waits in a queue but replies, and of these there is a limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};

use crate::bodies::Focus;
use crate::house::Seat;
use crate::protocol::{
    BinaryKind, DEFAULT_RATE, Event, HelloEvent, HelloReply, Numbered, PROTOCOL, RATES, RateReply,
    Refusal, Reply, Request, Response,
};
use crate::stage::{Command, Outlets};

/// Messages of clients are not longer, bytes.
pub(crate) const LONGEST_MESSAGE: usize = 8 << 20;
/// Frames that a client need not have dealt with yet.
const MOST_UNSEEN: u32 = 3;
/// Replies that a client need not have taken yet.
const MOST_REPLIES: usize = 256;
/// A client that takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(20);
/// Messages per second that a client may send, and how many at once.
const MESSAGE_RATE: f64 = 200.0;
const MESSAGE_BURST: f64 = 400.0;

/// Codes that connections are closed with.
mod code {
    pub const POLICY: u16 = 1008;
    pub const OTHER_PROTOCOL: u16 = 4001;
}

/// The number of the next connection.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

pub(crate) struct Connection {
    socket: WebSocket,
    outlets: Arc<Outlets>,
    commands: SyncSender<Command>,
    replies: mpsc::Sender<Utf8Bytes>,
    waiting: mpsc::Receiver<Utf8Bytes>,
    /// By which the stage knows where its client looks.
    number: u64,
    wants_bodies: bool,
    /// Time between frames.
    interval: Duration,
    unseen: u32,
    unseen_bodies: u32,
    allowance: Allowance,
}

/// Why a connection ends.
enum End {
    /// The other side is gone.
    Gone,
    /// It is sent away.
    SentAway { code: u16, why: &'static str },
}

type Continues = Result<(), End>;

impl Connection {
    pub fn new(socket: WebSocket, seat: Seat) -> Self {
        let Seat { outlets, commands } = seat;
        let (replies, waiting) = mpsc::channel(MOST_REPLIES);
        Self {
            socket,
            outlets,
            commands,
            replies,
            waiting,
            number: NEXT_NUMBER.fetch_add(1, Ordering::Relaxed),
            wants_bodies: false,
            interval: interval(DEFAULT_RATE),
            unseen: 0,
            unseen_bodies: 0,
            allowance: Allowance::new(Instant::now()),
        }
    }

    /// Serves the client until it leaves.
    pub async fn serve(mut self) {
        let end = match self.greet().await {
            Ok(()) => {
                self.outlets.clients.fetch_add(1, Ordering::Relaxed);
                let end = self.attend().await;
                self.outlets.clients.fetch_sub(1, Ordering::Relaxed);
                self.look_at(None);
                end
            }
            end => end,
        };
        if let Err(End::SentAway { code, why }) = end {
            let frame = CloseFrame { code, reason: why.into() };
            let _ = timeout(PATIENCE, self.socket.send(Message::Close(Some(frame)))).await;
        }
    }

    /// Finds out whether both speak the same protocol.
    async fn greet(&mut self) -> Continues {
        self.send(Message::Text(Event::Hello(HelloEvent::default()).text())).await?;
        loop {
            let message = timeout(PATIENCE, self.socket.recv()).await.map_err(|_| End::Gone)?;
            let Some(Ok(message)) = message else { return Err(End::Gone) };
            let Message::Text(text) = message else { continue };
            let (id, answer) = match Numbered::parse(&text) {
                Ok(Numbered { id, request: Request::Hello { protocol, .. } })
                    if protocol != PROTOCOL =>
                {
                    let older = if protocol < PROTOCOL { "client" } else { "server" };
                    let refusal = Refusal::new(format!(
                        "the client speaks version {protocol} of the protocol, the server version \
                         {PROTOCOL}: the {older} is older"
                    ));
                    let refusal = refusal.with_help("reload the page, or restart the server");
                    self.answer(id, Err(refusal)).await?;
                    let why = "another version of the protocol";
                    return Err(End::SentAway { code: code::OTHER_PROTOCOL, why });
                }
                Ok(Numbered { id, request: Request::Hello { rate, .. } }) => {
                    (id, self.set_rate(rate))
                }
                Ok(Numbered { id, .. }) => (id, Err(Refusal::new("say hello first"))),
                Err((id, refusal)) => (id, Err(refusal)),
            };
            let is_welcome = answer.is_ok();
            self.answer(id, answer.map(|()| Reply::Hello(HelloReply::default()))).await?;
            if is_welcome {
                return Ok(());
            }
            self.allow()?;
        }
    }

    /// Sends what there is and passes on what is asked for.
    async fn attend(&mut self) -> Continues {
        let mut scene = fresh(&self.outlets.scene);
        let mut state = fresh(&self.outlets.state);
        let mut notice = self.outlets.notice.subscribe();
        let mut patterns = fresh(&self.outlets.patterns);
        let mut frame = fresh(&self.outlets.frame);
        let mut cast = fresh(&self.outlets.cast);
        let mut roles = fresh(&self.outlets.roles);
        let mut known_roles = (u64::MAX, 0);
        let mut bodies = fresh(&self.outlets.bodies);
        let [mut next_frame, mut next_bodies] = [Instant::now(); 2];
        loop {
            let now = Instant::now();
            let may_send = self.unseen < MOST_UNSEEN;
            let may_send_bodies = self.wants_bodies && self.unseen_bodies < MOST_UNSEEN;
            tokio::select! {
                // Replies before all else, and frames last: they can wait, and get newer. How people look comes before they do.
                biased;
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.take(message).await?,
                    _ => return Err(End::Gone),
                },
                Some(reply) = self.waiting.recv() => self.send(Message::Text(reply)).await?,
                Ok(()) = notice.changed() => self.send_newest(&mut notice).await?,
                Ok(()) = scene.changed() => self.send_newest(&mut scene).await?,
                Ok(()) = state.changed() => self.send_newest(&mut state).await?,
                Ok(()) = patterns.changed() => self.send_newest(&mut patterns).await?,
                Ok(()) = cast.changed(), if self.wants_bodies => {
                    let bytes = cast.borrow_and_update().clone();
                    if !bytes.is_empty() {
                        self.send(Message::Binary(bytes)).await?;
                    }
                }
                Ok(()) = roles.changed(), if self.wants_bodies => {
                    let (news, known) = {
                        let log = roles.borrow_and_update();
                        let (news, known) = log.since(known_roles);
                        (news.to_vec(), known)
                    };
                    known_roles = known;
                    for message in news {
                        self.send(Message::Binary(message)).await?;
                    }
                }
                Ok(()) = frame.changed(), if may_send && now >= next_frame => {
                    let bytes = frame.borrow_and_update().clone();
                    if !bytes.is_empty() {
                        next_frame = after(next_frame, now, self.interval);
                        self.unseen += 1;
                        self.send(Message::Binary(bytes)).await?;
                    }
                }
                Ok(()) = bodies.changed(), if may_send_bodies && now >= next_bodies => {
                    let bytes = bodies.borrow_and_update().clone();
                    if !bytes.is_empty() {
                        next_bodies = after(next_bodies, now, self.interval);
                        self.unseen_bodies += 1;
                        self.send(Message::Binary(bytes)).await?;
                    }
                }
                () = sleep_until(next_frame), if may_send && now < next_frame => {}
                () = sleep_until(next_bodies), if may_send_bodies && now < next_bodies => {}
                else => return Err(End::Gone),
            }
        }
    }

    async fn send_newest(&mut self, outlet: &mut watch::Receiver<Utf8Bytes>) -> Continues {
        let text = outlet.borrow_and_update().clone();
        if text.is_empty() { Ok(()) } else { self.send(Message::Text(text)).await }
    }

    /// What a client has sent.
    async fn take(&mut self, message: Message) -> Continues {
        self.allow()?;
        match message {
            Message::Text(text) => match Numbered::parse(&text) {
                Ok(Numbered { id, request: Request::Rate { rate } }) => {
                    let answer = self.set_rate(rate);
                    self.answer(id, answer.map(|()| Reply::Rate(RateReply { rate }))).await
                }
                Ok(Numbered { id, request: Request::Hello { .. } }) => {
                    self.answer(id, Err(Refusal::new("we have met already"))).await
                }
                Ok(Numbered { id, request: Request::Bodies(wanted) }) => match Focus::of(&wanted) {
                    Ok(focus) => {
                        self.look_at(focus);
                        let request = Request::Bodies(wanted);
                        self.pass_on(Numbered { id, request }).await
                    }
                    Err(refusal) => self.answer(id, Err(refusal)).await,
                },
                Ok(numbered) => self.pass_on(numbered).await,
                Err((id, refusal)) => self.answer(id, Err(refusal)).await,
            },
            Message::Binary(bytes) if bytes[..] == [BinaryKind::FrameSeen as u8] => {
                self.unseen = self.unseen.saturating_sub(1);
                Ok(())
            }
            Message::Binary(bytes) if bytes[..] == [BinaryKind::PosesSeen as u8] => {
                self.unseen_bodies = self.unseen_bodies.saturating_sub(1);
                Ok(())
            }
            Message::Binary(_) => {
                let why = "a binary message that is no acknowledgement";
                Err(End::SentAway { code: code::POLICY, why })
            }
            Message::Close(_) => Err(End::Gone),
            Message::Ping(_) | Message::Pong(_) => Ok(()),
        }
    }

    /// Notes where people are to have bodies.
    fn look_at(&mut self, focus: Option<Focus>) {
        self.wants_bodies = focus.is_some();
        let Ok(mut foci) = self.outlets.foci.lock() else { return };
        match focus {
            Some(focus) => foci.insert(self.number, focus),
            None => foci.remove(&self.number),
        };
    }

    async fn pass_on(&mut self, numbered: Numbered) -> Continues {
        let id = numbered.id;
        let command = Command { numbered, replies: self.replies.clone() };
        match self.commands.try_send(command) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => {
                self.answer(id, Err(Refusal::new("the simulation is busy; try again"))).await
            }
            Err(TrySendError::Disconnected(_)) => Err(End::Gone),
        }
    }

    fn set_rate(&mut self, rate: f64) -> Result<(), Refusal> {
        if !RATES.contains(&rate) {
            let message = format!("{rate} frames per second cannot be sent");
            return Err(Refusal::new(message).with_help("write a rate from 1 to 60"));
        }
        self.interval = interval(rate);
        Ok(())
    }

    async fn answer(&mut self, id: u64, answer: Result<Reply, Refusal>) -> Continues {
        self.send(Message::Text(Response::new(id, answer).text())).await
    }

    async fn send(&mut self, message: Message) -> Continues {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }

    fn allow(&mut self) -> Continues {
        match self.allowance.take(Instant::now()) {
            true => Ok(()),
            false => Err(End::SentAway { code: code::POLICY, why: "too many messages" }),
        }
    }
}

/// A receiver that has seen nothing yet.
fn fresh<T: Clone>(outlet: &watch::Sender<T>) -> watch::Receiver<T> {
    let mut receiver = outlet.subscribe();
    receiver.mark_changed();
    receiver
}

/// When the next may be sent, if this one was to be sent at `due` and is now.
fn after(due: Instant, now: Instant, interval: Duration) -> Instant {
    // Not so far behind that several would be sent at once later.
    due.max(now) + interval
}

fn interval(rate: f64) -> Duration {
    Duration::from_secs_f64(1.0 / rate)
}

/// How many messages a client may still send: so many per second on average.
struct Allowance {
    left: f64,
    since: Instant,
}

impl Allowance {
    fn new(now: Instant) -> Self {
        Self { left: MESSAGE_BURST, since: now }
    }

    fn take(&mut self, now: Instant) -> bool {
        let gained = (now - self.since).as_secs_f64() * MESSAGE_RATE;
        self.left = (self.left + gained).min(MESSAGE_BURST) - 1.0;
        self.since = now;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sends_too_much_for_too_long_is_noticed() {
        let start = Instant::now();
        let mut allowance = Allowance::new(start);
        let burst = (0..1000).take_while(|_| allowance.take(start)).count();
        assert_eq!(burst, MESSAGE_BURST as usize);
        let mut allowance = Allowance::new(start);
        let often = |rate: f64, allowance: &mut Allowance| {
            (0..10_000)
                .all(|i| allowance.take(start + Duration::from_secs_f64(f64::from(i) / rate)))
        };
        assert!(often(190.0, &mut allowance));
        assert!(!often(250.0, &mut Allowance::new(start)));
    }
}
