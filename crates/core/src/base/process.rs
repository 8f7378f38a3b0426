//! A process with a script, its own group, and limits: it never outlives what started it.

use crate::base::limits::{Limits, Stopped};
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(10);
/// How long a process may take to end by itself after the last of its output.
const GRACE: Duration = Duration::from_millis(200);
/// Bytes of standard error that are kept, the last ones.
const KEPT: usize = 4096;

/// What to start.
pub struct Start<'x> {
    pub program: &'x Path,
    pub arguments: Vec<OsString>,
    /// Bytes of address space.
    pub memory: Option<u64>,
}

/// A running process.
pub struct Running {
    child: Child,
    chunks: Receiver<Chunk>,
    /// The sender of text to its standard input; `None` once that is closed.
    input: Option<Sender<String>>,
    said: Vec<u8>,
    exit: Exit,
}

/// What comes from a process.
enum Chunk {
    Output(Vec<u8>),
    Error(Vec<u8>),
}

/// What happened next.
pub enum Event {
    Output(Vec<u8>),
    /// There will be no more output.
    End,
    Stopped(Stopped),
}

impl Running {
    /// Starts a process that reads `input`.
    pub fn start(start: &Start<'_>, input: String) -> io::Result<Self> {
        let mut running = Running::open(start)?;
        running.write(input);
        running.input = None;
        Ok(running)
    }

    /// Gives the process more to read.
    pub fn write(&mut self, text: String) {
        if let Some(input) = &self.input {
            // A process need not read all.
            let _ = input.send(text);
        }
    }

    /// Tells the process that there is no more to read.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Starts a process that waits for what is [written](Self::write).
    pub fn open(start: &Start<'_>) -> io::Result<Self> {
        let mut command = command(start);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = {
            // Nothing is started while all are being ended.
            let mut living = living();
            let child = command.spawn()?;
            living.push(child.id());
            child
        };
        // Small, so that what prints without end is made to wait.
        let (sender, chunks) = sync_channel(4);
        let (input, texts) = channel::<String>();
        if let Some(mut pipe) = child.stdin.take() {
            // Ends by itself when the pipe is closed: a process need not read all.
            thread::spawn(move || {
                let mut written = texts.iter().map(|text| {
                    pipe.write_all(text.as_bytes())?;
                    pipe.flush()
                });
                written.find(Result::is_err)
            });
        }
        if let Some(pipe) = child.stdout.take() {
            let sender = sender.clone();
            thread::spawn(move || forward(pipe, &sender, Chunk::Output));
        }
        if let Some(pipe) = child.stderr.take() {
            thread::spawn(move || forward(pipe, &sender, Chunk::Error));
        }
        Ok(Running {
            child,
            chunks,
            input: Some(input),
            said: Vec::new(),
            exit: Exit::None,
        })
    }

    /// Waits for output, the end of it, or a limit.
    pub fn next(&mut self, limits: &Limits) -> Event {
        loop {
            if let Some(stopped) = limits.stopped() {
                return Event::Stopped(stopped);
            }
            match self.chunks.recv_timeout(TICK) {
                Ok(Chunk::Output(chunk)) => return Event::Output(chunk),
                Ok(Chunk::Error(chunk)) => self.keep(chunk),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Event::End,
            }
        }
    }

    /// Output that is there already; none if that has to be waited for.
    pub fn ready(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.chunks.try_recv().ok()? {
                Chunk::Output(chunk) => return Some(chunk),
                Chunk::Error(chunk) => self.keep(chunk),
            }
        }
    }

    /// Keeps the last of what is written to standard error.
    fn keep(&mut self, chunk: Vec<u8>) {
        self.said.extend(chunk);
        let more = self.said.len().saturating_sub(KEPT);
        self.said.drain(..more);
    }

    /// What the process wrote to standard error.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.said).into_owned()
    }

    /// How the process ended; it is ended later if it has closed its output and lives on.
    pub fn exit(&mut self) -> Exit {
        let mut waited = Duration::ZERO;
        while self.exit == Exit::None && waited < GRACE {
            if let Ok(Some(status)) = self.child.try_wait() {
                self.exit = Exit::Status(status);
                break;
            }
            thread::sleep(TICK);
            waited += TICK;
        }
        self.exit
    }
}

/// How a process ended that has closed its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// With this status, or by a signal.
    Status(ExitStatus),
    /// Not at all yet.
    None,
}

impl Exit {
    /// Whether it says that all went well.
    pub fn is_success(self) -> bool {
        matches!(self, Exit::Status(status) if status.success())
    }

    /// Whether a signal ended it, `abort` for one.
    pub fn is_by_signal(self) -> bool {
        matches!(self, Exit::Status(status) if status.code().is_none())
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Status(status) => status.fmt(f),
            Exit::None => f.write_str("still running, without output"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut living = living();
        kill_group(self.child.id());
        // On systems without groups, and for a group that could not be made.
        let _ = self.child.kill();
        let _ = self.child.wait();
        living.retain(|id| *id != self.child.id());
    }
}

/// The first process of each group that was started and not yet ended.
static LIVING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn living() -> MutexGuard<'static, Vec<u32>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all processes that were started. For a program that is about to exit without unwinding.
pub fn end_processes() {
    for id in living().drain(..) {
        kill_group(id);
    }
}

/// The same without waiting for what another thread starts, and without allocating: for a program
/// without memory.
pub fn end_processes_at_once() {
    if let Ok(living) = LIVING.try_lock() {
        living.iter().for_each(|id| kill_group(*id));
    }
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(leader) = i32::try_from(leader) {
        // An error says that there is nothing left to kill.
        let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_leader: u32) {}

/// The limit of memory is set by a shell that becomes the program: a limit can be set between fork
/// and exec by unsafe code only.
fn command(start: &Start<'_>) -> Command {
    let mut command;
    match start.memory {
        Some(bytes) if cfg!(unix) => {
            command = Command::new("/bin/sh");
            command.args(["-c", r#"ulimit -v "$0" && exec "$@""#]);
            command.arg((bytes / 1024).to_string());
            command.arg(start.program);
        }
        _ => command = Command::new(start.program),
    }
    command.args(&start.arguments);
    command
}

fn forward(mut pipe: impl Read, sender: &SyncSender<Chunk>, wrap: impl Fn(Vec<u8>) -> Chunk) {
    let mut buffer = [0; 8192];
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) if sender.send(wrap(buffer[..count].to_vec())).is_err() => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
