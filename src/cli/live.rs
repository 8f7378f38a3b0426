//! Reads vectors as they arrive: those that standard input has sent are answered before more are
//! awaited.

use super::json::{VectorLine, write_json_line};
use super::notes::note_archive;
use super::output::bits;
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_questions::vectors::{
    MetadataLayout, Results, Vector, VectorError, VectorFile, is_stdin,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

/// The time between two looks at the flag of Ctrl-C while no vector arrives.
const TICK: Duration = Duration::from_millis(50);

/// A message from the thread that reads the vectors.
enum Arrival {
    Vector(Inputs),
    End,
    Wrong(VectorError),
}

/// The vectors of a file, read by a thread of its own.
pub(super) struct LiveVectors {
    path: PathBuf,
    receiver: Receiver<Arrival>,
    /// Whether the vectors come from standard input, and are answered as soon as they arrive.
    live: bool,
    end: Option<Result<(), VectorError>>,
}

impl LiveVectors {
    /// Opens the vectors at `path`, where `-` is standard input. At most `waiting` vectors are read
    /// ahead.
    pub fn open(path: &Path, layout: impl Into<MetadataLayout>, waiting: usize) -> LiveVectors {
        let layout = layout.into();
        let (sender, receiver) = sync_channel(waiting);
        let file = path.to_owned();
        thread::spawn(move || {
            let last = match read(&file, layout, &sender) {
                Ok(()) => Arrival::End,
                Err(error) => Arrival::Wrong(error),
            };
            // The receiver may be gone, so an error is ignored.
            let _ = sender.send(last);
        });
        LiveVectors {
            path: path.to_owned(),
            receiver,
            live: is_stdin(path),
            end: None,
        }
    }

    /// The next vectors, at most `most` of them. A file gives `most` vectors, or all that are left.
    /// Standard input gives the vectors that have arrived, at least one. If a limit is reached,
    /// there may be fewer vectors, or none.
    ///
    /// # Errors
    /// If what comes next is no vector, or cannot be read. On standard input, the vectors before it
    /// have been returned already.
    pub fn next(&mut self, most: usize, limits: &Limits) -> Result<LiveBatch, Error> {
        let mut batch = Vec::new();
        while batch.len() < most && self.end.is_none() {
            let arrived = if self.live && !batch.is_empty() {
                match self.receiver.try_recv() {
                    Err(TryRecvError::Empty) => break,
                    other => other.map_err(|_| RecvTimeoutError::Disconnected),
                }
            } else {
                self.receiver.recv_timeout(TICK)
            };
            match arrived {
                Ok(Arrival::Vector(inputs)) => batch.push(inputs),
                Ok(Arrival::End) => self.end = Some(Ok(())),
                Ok(Arrival::Wrong(error)) => self.end = Some(Err(error)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let error = std::io::Error::other("what reads the vectors ended early");
                    self.end = Some(Err(VectorError::Closed(error)));
                }
            }
            if let Some(stopped) = limits.stopped() {
                return Ok(LiveBatch::Stopped(batch, stopped));
            }
        }
        match (batch.is_empty(), self.end.take()) {
            // On standard input, vectors before an error are still answered; for a file with an
            // error, none are.
            (false, Some(Err(error))) if !self.live => Err(Error::vectors(&self.path, error)),
            (false, end) => {
                self.end = end;
                Ok(LiveBatch::Some(batch))
            }
            (true, Some(Err(error))) => {
                let name = if self.live {
                    Path::new("standard input")
                } else {
                    &self.path
                };
                Err(Error::vectors(name, error))
            }
            (true, _) => Ok(LiveBatch::End),
        }
    }
}

/// Vectors that have arrived, or the end of the vectors.
pub(super) enum LiveBatch {
    /// Vectors, at least one.
    Some(Vec<Inputs>),
    /// The last vectors before a limit was reached, and which limit it was.
    Stopped(Vec<Inputs>, Stopped),
    /// There are no more vectors.
    End,
}

fn read(
    path: &Path,
    layout: MetadataLayout,
    sender: &SyncSender<Arrival>,
) -> Result<(), VectorError> {
    let mut file = VectorFile::open(path, layout, Results::None)?;
    while let Some((_, vector)) = file.next_vector()? {
        if sender.send(Arrival::Vector(vector.inputs.clone())).is_err() {
            break;
        }
    }
    Ok(())
}

/// All vectors of a file, each with its line number.
///
/// # Errors
/// If the file is not what it should be, has no vector, or cannot be read.
pub(super) fn vectors_of(
    path: &Path,
    layout: impl Into<MetadataLayout>,
    results: Results,
) -> Result<Vec<(usize, Vector)>, Error> {
    note_archive(path)?;
    let vectors = VectorFile::open(path, layout, results).and_then(VectorFile::read_all);
    let some = vectors.and_then(|all| match all.is_empty() {
        true => Err(VectorError::NoVectors),
        false => Ok(all),
    });
    some.map_err(|error| Error::vectors(path, error))
}

/// Writes a vector with its result as a line of a vector file, or as a JSON object on one line.
pub(super) fn write_vector(
    out: &mut dyn Write,
    signature: &Signature,
    inputs: &Inputs,
    d: u64,
    json: bool,
) -> Result<(), Error> {
    if json {
        return write_json_line(out, &VectorLine::new(signature, inputs, &[d]));
    }
    let line = inputs.to_line(signature);
    Ok(writeln!(out, "{line} {}", bits(&signature.d, d))?)
}
