//! Connections to `mmasmt serve` that never finish: others are answered meanwhile, memory is bounded, and Ctrl-C ends the program.

use crate::served::Served;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::io::Write;
use std::net::{Ipv4Addr, TcpStream};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// Connections of each kind, which all stay open.
const MANY: usize = 100;

/// How long something is waited for that is to happen at once, on a machine with other work.
const PATIENCE: Duration = Duration::from_secs(10);

/// KiB that the program may take beyond what it took to answer one page: each of its connections sends at most 128.
const GROWTH: usize = 64 << 10;

/// What is sent without end behind the first part.
const NOISE: &str = "abcdefghijklmnopqrstuvwxyz0123456789";

/// A kind of connection: what it is, what it sends first, and what it sends again and again, as long as it is let.
struct Kind {
    name: &'static str,
    first: String,
    again: String,
}

fn kinds(port: u16) -> Vec<Kind> {
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\n{host}\r\n");
    let large = "/?left=fda%3AK%3D256&ask=evaluate";
    let hard = "/?left=exact:in=f32,K=1&right=sfma:fmt=f32,K=1&ask=difference";
    let header = format!("X-{NOISE}: {}\r\n", NOISE.repeat(20));
    let kind = |name, first: String, again: &str| Kind {
        name,
        first,
        again: again.into(),
    };
    vec![
        kind("sends nothing", String::new(), ""),
        kind(
            "stops in its headers",
            format!("GET / HTTP/1.1\r\n{host}"),
            "",
        ),
        kind(
            "promises a body and sends none",
            format!("GET / HTTP/1.1\r\n{host}Content-Length: 1000000\r\n\r\n"),
            "",
        ),
        kind(
            "sends a body without end",
            format!("POST / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n"),
            &format!("{:x}\r\n{NOISE}\r\n", NOISE.len()),
        ),
        kind("never reads", get(large), ""),
        kind("asks again and never reads", String::new(), &get(large)),
        kind("asks what takes long", get(hard), ""),
        kind(
            "sends headers without end",
            format!("GET / HTTP/1.1\r\n{host}"),
            &header,
        ),
        kind(
            "sends one header without end",
            format!("GET / HTTP/1.1\r\n{host}X-Long: "),
            &NOISE.repeat(20),
        ),
        kind(
            "sends a request line without end",
            "GET /?left=".into(),
            &NOISE.repeat(20),
        ),
    ]
}

impl Kind {
    /// Connects and sends; at most 2 MiB, and no longer than it is read.
    fn connect(&self, port: u16) -> TcpStream {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        let _ = stream.write_all(self.first.as_bytes());
        stream.set_nonblocking(true).unwrap();
        if !self.again.is_empty() {
            for _ in 0..(2 << 20) / self.again.len() {
                if stream.write_all(self.again.as_bytes()).is_err() {
                    break;
                }
            }
        }
        stream
    }
}

/// The most memory that a process has had, in KiB; none where the system does not tell.
fn most_memory(id: u32) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The time until the page is there.
fn answered(port: u16, after: &str) -> Duration {
    let start = Instant::now();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let head = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}");
        sender.send(crate::webdriver::request(port, &head, "").0)
    });
    let status = receiver.recv_timeout(PATIENCE);
    assert_eq!(status, Ok(200), "{after}");
    start.elapsed()
}

/// The time until an interrupt has ended the program, which must end as it is asked to.
fn ended(served: &mut Served, after: &str) -> Duration {
    let start = Instant::now();
    kill(Pid::from_raw(served.program.id() as i32), Signal::SIGINT).unwrap();
    while start.elapsed() < PATIENCE {
        if let Some(status) = served.program.try_wait().unwrap() {
            assert_eq!(status.code(), Some(0), "{after}");
            return start.elapsed();
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("{after}: still there after {PATIENCE:?}");
}

#[test]
fn connections_that_never_finish_keep_nobody_waiting() {
    for number in 0..kinds(0).len() {
        let mut served = Served::start(&[]);
        let kind = kinds(served.port).swap_remove(number);
        answered(served.port, kind.name);
        let before = most_memory(served.program.id());
        let open: Vec<TcpStream> = (0..MANY).map(|_| kind.connect(served.port)).collect();
        let page = answered(served.port, kind.name);
        let after = most_memory(served.program.id());
        let end = ended(&mut served, kind.name);
        drop(open);
        let grown = after.zip(before).map(|(after, before)| after - before);
        println!("{}: page {page:?}, end {end:?}, {grown:?} KiB", kind.name);
        assert!(
            grown.is_none_or(|grown| grown < GROWTH),
            "{}: {grown:?} KiB",
            kind.name
        );
    }
}

/// More connections than the program keeps: the oldest ones are closed.
#[test]
fn connections_beyond_the_most_take_the_place_of_the_oldest() {
    let mut served = Served::start(&[]);
    let open: Vec<TcpStream> = (0..3 * MANY)
        .map(|_| TcpStream::connect((Ipv4Addr::LOCALHOST, served.port)).unwrap())
        .collect();
    answered(served.port, "many that send nothing");
    let first = &open[0];
    first.set_read_timeout(Some(PATIENCE)).unwrap();
    let closed = first.peek(&mut [0]).map_or(true, |bytes| bytes == 0);
    assert!(closed, "the oldest connection is still open");
    ended(&mut served, "many that send nothing");
}
