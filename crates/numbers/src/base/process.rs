//! Child processes. Each reads its input from a pipe, has its own process group and limits, and
//! never outlives this process.

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

/// The time between two checks of the limits.
const TICK: Duration = Duration::from_millis(10);
/// The longest time to wait for the end of a process after its output has ended.
const GRACE: Duration = Duration::from_millis(200);
/// The number of bytes that are kept of standard error; older bytes are dropped.
const KEPT: usize = 4096;

/// A process to start.
pub struct Start<'x> {
    pub program: &'x Path,
    pub arguments: Vec<OsString>,
    /// The limit of address space, in bytes.
    pub memory: Option<u64>,
}

/// A running process.
pub struct ChildProcess {
    child: Child,
    chunks: Receiver<Chunk>,
    /// Sends text to the standard input of the process; `None` once that input is closed.
    input: Option<Sender<String>>,
    said: Vec<u8>,
    exit: Exit,
}

/// A piece of text from a process.
enum Chunk {
    Output(Vec<u8>),
    Error(Vec<u8>),
}

/// The next event of a running process.
pub enum Event {
    Output(Vec<u8>),
    /// There will be no more output.
    End,
    Stopped(Stopped),
}

impl ChildProcess {
    /// Starts a process whose whole standard input is `input`.
    pub fn start(start: &Start<'_>, input: String) -> io::Result<Self> {
        let mut running = ChildProcess::open(start)?;
        running.write(input);
        running.input = None;
        Ok(running)
    }

    /// Writes more text to the standard input of the process.
    pub fn write(&mut self, text: String) {
        if let Some(input) = &self.input {
            // An error means that the process ended without reading all of its input.
            let _ = input.send(text);
        }
    }

    /// Closes the standard input of the process.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Starts a process that waits for [written](Self::write) text.
    pub fn open(start: &Start<'_>) -> io::Result<Self> {
        let mut command = command(start);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = {
            // While the lock is held, no other thread can end all processes and miss this one.
            let mut living = living();
            let child = command.spawn()?;
            living.push(child.id());
            child
        };
        // The channel is small: a process that prints without end has to wait.
        let (sender, chunks) = sync_channel(4);
        let (input, texts) = channel::<String>();
        if let Some(mut pipe) = child.stdin.take() {
            // The thread ends by itself when the pipe is closed: a process need not read all of its
            // input.
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
        Ok(ChildProcess {
            child,
            chunks,
            input: Some(input),
            said: Vec::new(),
            exit: Exit::None,
        })
    }

    /// Waits for output, the end of the output, or a limit.
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

    /// Returns output that has already arrived, if there is any. Does not wait.
    pub fn ready(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.chunks.try_recv().ok()? {
                Chunk::Output(chunk) => return Some(chunk),
                Chunk::Error(chunk) => self.keep(chunk),
            }
        }
    }

    /// Appends bytes of standard error to `said`, which keeps only the last [`KEPT`] bytes.
    fn keep(&mut self, chunk: Vec<u8>) {
        self.said.extend(chunk);
        let more = self.said.len().saturating_sub(KEPT);
        self.said.drain(..more);
    }

    /// The last text that the process wrote to standard error.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.said).into_owned()
    }

    /// Waits a short time for the process to end, and returns how it ended, or [`Exit::None`] if it
    /// still runs. A process that still runs is killed when `self` is dropped.
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

/// The state of a process after it has closed its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The process ended: it exited with a status, or a signal ended it.
    Status(ExitStatus),
    /// The process has not ended yet.
    None,
}

impl Exit {
    /// Whether the status of the process says that it succeeded.
    pub fn is_success(self) -> bool {
        matches!(self, Exit::Status(status) if status.success())
    }

    /// Whether a signal ended the process, for example the signal that `abort` raises.
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

impl Drop for ChildProcess {
    fn drop(&mut self) {
        let mut living = living();
        kill_group(self.child.id());
        // The child is also killed on its own, because a system may have no process groups, and
        // because the group may not have been made.
        let _ = self.child.kill();
        let _ = self.child.wait();
        living.retain(|id| *id != self.child.id());
    }
}

/// The id of the first process of each process group that was started and has not been ended.
static LIVING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn living() -> MutexGuard<'static, Vec<u32>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all child processes. A program calls this before it exits without unwinding.
pub fn end_processes() {
    for id in living().drain(..) {
        kill_group(id);
    }
}

/// Does the same as [`end_processes`] without allocating, for a program that is out of memory. If
/// another thread is starting or ending a process at this moment, no process is ended.
pub fn end_processes_at_once() {
    if let Ok(living) = LIVING.try_lock() {
        living.iter().for_each(|id| kill_group(*id));
    }
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(leader) = i32::try_from(leader) {
        // An error means that there is nothing left to kill.
        let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_leader: u32) {}

/// The command that starts the process. If memory is limited, the command is a shell that sets the
/// limit and then becomes the program: without a shell, only unsafe code can set a limit between
/// fork and exec.
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
