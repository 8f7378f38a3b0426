//! Checking a model against vectors: the same bits, line for line.

use super::blocks::Blocks;
use super::file::{Lines, VectorError};
use super::line::read_line;
use super::read::{Results, VectorFile};
use super::tally::{Block, Tally};
use super::{Inputs, Vector};
use crate::model::{Model, Simulator};
use std::io::Read;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// The outcome of a file.
#[derive(Debug, Default)]
pub struct Checked {
    /// Lines on which the model gave the recorded result.
    pub passed: usize,
    /// Lines on which it did not.
    pub failed: usize,
    /// The first of the failures.
    pub failures: Vec<Failure>,
}

/// A line on which the model gave another result than the recorded one.
#[derive(Debug)]
pub struct Failure {
    /// Line number, from 1.
    pub line: usize,
    /// The line.
    pub vector: Vector,
    /// What the model gave.
    pub computed: u64,
}

/// Runs `model` on every vector of the file at `path`, lines, JSON Lines or an archive, and keeps the
/// first `keep` failures. What does not depend on the threads of the machine: counts, failures and
/// their order, and which error.
///
/// # Errors
/// If the file cannot be read, is for other operands, or a line is not a vector of the model: the
/// first such line. Nothing is counted then.
pub fn check_vectors(model: &Model, path: &Path, keep: usize) -> Result<Checked, VectorError> {
    let name = model.canonical();
    let mut file = VectorFile::open(path, &model.signature(), Results::Of(&name))?;
    if let Some(text) = file.text() {
        return check_file(model, text, keep);
    }
    let mut checker = Checker::new(model, keep);
    let mut checked = Checked::default();
    while let Some((line, vector)) = file.next_vector()? {
        checker.check_vector(line, vector, &mut checked);
    }
    Ok(checked)
}

/// As [`check_vectors`], of text with a vector on each line.
///
/// # Errors
/// As there.
pub fn check_file(model: &Model, reader: impl Read, keep: usize) -> Result<Checked, VectorError> {
    let mut blocks = Blocks::new(reader);
    let first = blocks.next_block();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut tally = Tally::new(keep);
    if threads == 1 || blocks.at_end() {
        let mut checker = Checker::new(model, keep);
        let mut next = first;
        while let Some(block) = next.filter(|_| !tally.is_over()) {
            tally.add(checker.check(block));
            next = blocks.next_block();
        }
    } else {
        check_in_threads(model, threads, first, &mut blocks, &mut tally);
    }
    tally.end()
}

/// One thread reads, `threads` others check; their results are put in order here.
fn check_in_threads(
    model: &Model,
    threads: usize,
    first: Option<std::io::Result<Vec<u8>>>,
    blocks: &mut Blocks<impl Read>,
    tally: &mut Tally,
) {
    let keep = tally.keep();
    thread::scope(|scope| {
        let (work, queue) = sync_channel(threads);
        let (done, results) = channel();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads {
            let (queue, done) = (Arc::clone(&queue), done.clone());
            scope.spawn(move || {
                let mut checker = Checker::new(model, keep);
                while let Some((number, block)) = take(&queue) {
                    if done.send((number, checker.check(block))).is_err() {
                        return;
                    }
                }
            });
        }
        // Only threads that live hold them, so that nobody waits for those that do not.
        drop((queue, done));
        let mut next = first;
        let mut number = 0;
        while let Some(block) = next.filter(|_| !tally.is_over()) {
            if work.send((number, block)).is_err() {
                break;
            }
            number += 1;
            results
                .try_iter()
                .for_each(|(number, result)| tally.put(number, result));
            next = blocks.next_block();
        }
        drop(work);
        for (number, result) in results {
            tally.put(number, result);
        }
    });
}

fn take<T>(queue: &Mutex<Receiver<T>>) -> Option<T> {
    queue.lock().ok()?.recv().ok()
}

/// What a thread needs to check blocks.
struct Checker<'m> {
    model: &'m Model,
    simulator: Simulator<'m>,
    keep: usize,
}

impl<'m> Checker<'m> {
    fn new(model: &'m Model, keep: usize) -> Self {
        Checker {
            model,
            simulator: model.simulator(),
            keep,
        }
    }

    /// Counts one vector.
    fn check_vector(&mut self, line: usize, vector: &Vector, checked: &mut Checked) {
        let computed = self.simulator.run(&vector.inputs);
        if computed == vector.d || self.model.accepts(computed, vector.d) {
            checked.passed += 1;
            return;
        }
        checked.failed += 1;
        if checked.failures.len() < self.keep {
            checked.failures.push(Failure {
                line,
                vector: vector.clone(),
                computed,
            });
        }
    }

    /// The outcome of a block, its lines counted from 1.
    fn check(&mut self, block: std::io::Result<Vec<u8>>) -> Result<Block, VectorError> {
        let text = block.map_err(|error| VectorError::Unreadable { line: 1, error })?;
        let mut checked = Checked::default();
        let signature = self.model.signature();
        let inputs = Inputs::zero(&signature);
        let mut vector = Vector { inputs, d: 0 };
        let mut lines = Lines::of(&text[..], signature);
        while let Some((line, text)) = lines.next_line()? {
            read_line(text, line, &signature, &mut vector)?;
            self.check_vector(line, &vector, &mut checked);
        }
        Ok(Block {
            lines: lines.passed(),
            checked,
        })
    }
}
