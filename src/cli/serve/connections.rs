//! Connections of browsers: their number, their time, and the size of their requests are limited.

use super::answer;
use super::request::{Asked, Refusal, asked};
use hyper::body::Incoming;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, X_FRAME_OPTIONS};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use mmasmt_core::base::limits::Limits;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{sleep, timeout};

/// How often Ctrl-C is looked for.
const PAUSE: Duration = Duration::from_millis(100);

/// The most connections that are open at the same time: the oldest one is closed for a new one.
const CONNECTIONS: usize = 128;

/// The time for a request to arrive, and as much again for the page to be read.
const TRANSFER: Duration = Duration::from_secs(10);

/// The most bytes of a request before its body, which is not read: twice the longest address.
const LONGEST_HEAD: usize = 1 << 17;

/// The number of pages that are made at the same time, and also the number of differences that are
/// looked for at the same time. A difference takes longer, so it has threads of its own, and pages
/// do not wait for it.
const THREADS: usize = 2;

/// The number of threads that make pages and look for differences.
pub(super) const ALL_THREADS: usize = 2 * THREADS;

/// What the answers to all connections have in common.
struct Desk {
    port: u16,
    /// The time for an answer.
    time: Duration,
    limits: Limits,
    pages: Arc<Semaphore>,
    differences: Arc<Semaphore>,
}

/// Answers connections until the limits are reached.
pub(super) async fn answer_all(listener: TcpListener, port: u16, time: Duration, limits: &Limits) {
    let desk = Arc::new(Desk {
        port,
        time,
        limits: limits.clone(),
        pages: Arc::new(Semaphore::new(THREADS)),
        differences: Arc::new(Semaphore::new(THREADS)),
    });
    let mut open: VecDeque<JoinHandle<()>> = VecDeque::new();
    while limits.stopped().is_none() {
        match timeout(PAUSE, listener.accept()).await {
            Ok(Ok((stream, _))) => {
                open.retain(|connection| !connection.is_finished());
                if open.len() >= CONNECTIONS
                    && let Some(oldest) = open.pop_front()
                {
                    oldest.abort();
                }
                open.push_back(tokio::spawn(answer_one(stream, Arc::clone(&desk))));
            }
            // A broken connection, or too many open files, does not stop the server.
            Ok(Err(_)) => sleep(PAUSE).await,
            Err(_) => {}
        }
    }
}

/// Answers the one request of a connection.
async fn answer_one(stream: TcpStream, desk: Arc<Desk>) {
    let longest = desk.time.saturating_add(2 * TRANSFER);
    let service = service_fn(move |request| {
        let desk = Arc::clone(&desk);
        async move { Ok::<_, Infallible>(desk.respond(&request).await) }
    });
    let connection = http1::Builder::new()
        .keep_alive(false)
        .max_buf_size(LONGEST_HEAD)
        .timer(TokioTimer::new())
        .header_read_timeout(TRANSFER)
        .serve_connection(TokioIo::new(stream), service);
    // The client may be gone or may never read, so errors are ignored.
    let _ = timeout(longest, connection).await;
}

impl Desk {
    async fn respond(&self, request: &Request<Incoming>) -> Response<String> {
        let (status, page) = match asked(request, self.port) {
            Ok(asked) => self.page(asked).await,
            Err(Refusal { status, why }) => (status, answer::refusal(why)),
        };
        let mut response = Response::new(page);
        *response.status_mut() =
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        for (name, value) in [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CACHE_CONTROL, "no-store"),
            (X_FRAME_OPTIONS, "DENY"),
        ] {
            let value = HeaderValue::from_static(value);
            response.headers_mut().insert(name, value);
        }
        response
    }

    /// The HTTP status and the page that answer a form. A thread of its own makes the page, and
    /// stops when the client no longer waits.
    async fn page(&self, asked: Asked) -> (u16, String) {
        let threads = if asked.difference {
            &self.differences
        } else {
            &self.pages
        };
        let waiting = Waiting::default();
        let (limits, time) = (self.limits.until(Arc::clone(&waiting.gone)), self.time);
        let thread = Arc::clone(threads).acquire_owned().await;
        let made = spawn_blocking(move || {
            let _thread = thread;
            answer::page(&asked, &limits.within(time))
        });
        let failed = |_| {
            let why = "expected a page, found that what makes it failed";
            (500, answer::refusal(why))
        };
        made.await.unwrap_or_else(failed)
    }
}

/// A client that waits for a page.
#[derive(Default)]
struct Waiting {
    /// Whether the client no longer waits.
    gone: Arc<AtomicBool>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::Relaxed);
    }
}
