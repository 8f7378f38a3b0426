//! Runs CaDiCaL within limits.
//!
//! With many clauses the solver may work for seconds before it checks its limits again, so it runs
//! on a thread of its own. If it is late to stop, the thread is abandoned: it ends, and frees its
//! memory, when the solver next checks its limits.

use crate::solver::proof::ClauseSink;
use cadical_sys::{CaDiCal, Status, Terminator};
use mmasmt_numbers::base::limits::Limits;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The interval between checks of the limits while the solver runs.
const LOOK: Duration = Duration::from_millis(20);
/// The time from the moment when a limit is reached until the solver is abandoned.
const LATE: Duration = Duration::from_millis(60);

/// An incremental solver.
pub struct SatSolver {
    config: &'static str,
    host: Host,
    /// Clauses that are not sent to the solver yet, each followed by 0.
    waiting: Vec<i32>,
    /// The values of the variables in the last model, from variable 1 on.
    model: Vec<bool>,
}

/// The thread on which the solver runs.
enum Host {
    /// The thread is not chosen yet: the first call of `solve` chooses it by the number of clauses.
    NotStarted,
    ThisThread(Cadical),
    OwnThread(Sender<SolveRequest>, Receiver<SolveResponse>),
    /// The solver was late; its thread ends by itself.
    Abandoned,
}

/// A call of the solver: more clauses, and assumptions for this call alone.
struct SolveRequest {
    clauses: Vec<i32>,
    assumed: Vec<i32>,
    limits: Limits,
}

/// Whether all clauses are satisfiable (`None` if undecided), and the model.
struct SolveResponse {
    found: Option<bool>,
    model: Vec<bool>,
}

struct LimitTerminator(Limits);

impl Terminator for LimitTerminator {
    fn terminated(&mut self) -> bool {
        self.0.stopped().is_some()
    }
}

struct Cadical(CaDiCal);

impl Cadical {
    /// A solver with the CaDiCaL configuration `config`, which is ignored if unknown.
    fn new(config: &str) -> Self {
        let mut solver = CaDiCal::new();
        let _known = solver.configure(config);
        Cadical(solver)
    }

    fn answer(&mut self, request: &SolveRequest) -> SolveResponse {
        let SolveRequest {
            clauses,
            assumed,
            limits,
        } = request;
        let solver = &mut self.0;
        for clause in clauses.split(|&literal| literal == 0) {
            // Omits the empty rest after the last 0.
            if !clause.is_empty() {
                solver.clause6(clause);
            }
        }
        if let Some(conflicts) = limits.conflicts() {
            // CaDiCaL knows this limit, so the result is always "true".
            let _known = solver.limit("conflicts", conflicts);
        }
        solver.connect_terminator(LimitTerminator(limits.clone()));
        assumed.iter().for_each(|&literal| solver.assume(literal));
        let mut model = Vec::new();
        let found = match solver.solve() {
            Status::SATISFIABLE => {
                let variables = 1..=solver.vars();
                model.extend(variables.map(|variable| solver.val(variable) > 0));
                Some(true)
            }
            Status::UNSATISFIABLE => Some(false),
            Status::UNKNOWN => None,
        };
        SolveResponse { found, model }
    }
}

impl ClauseSink for SatSolver {
    fn add_clause(&mut self, clause: &[i32]) {
        self.waiting.extend_from_slice(clause);
        self.waiting.push(0);
    }
}

impl SatSolver {
    /// The number of literals beyond which the solver runs on a thread of its own.
    pub const LARGE: usize = 1 << 20;

    /// A solver without clauses, with the CaDiCaL configuration `config`, which is ignored if
    /// unknown.
    pub fn new(config: &'static str) -> Self {
        SatSolver {
            config,
            host: Host::NotStarted,
            waiting: Vec::new(),
            model: Vec::new(),
        }
    }

    /// Whether all clauses and the literals `assumed` are satisfiable; `None` if a limit is reached
    /// first.
    pub fn solve(&mut self, assumed: Vec<i32>, limits: &Limits) -> Option<bool> {
        if let Host::NotStarted = self.host {
            self.host = self.start()?;
        }
        let limits = limits.before_freeing();
        let request = SolveRequest {
            clauses: std::mem::take(&mut self.waiting),
            assumed,
            limits: limits.clone(),
        };
        let answer = match &mut self.host {
            Host::NotStarted | Host::Abandoned => None,
            Host::ThisThread(solver) => Some(solver.answer(&request)),
            Host::OwnThread(requests, answers) => {
                requests.send(request).ok()?;
                wait(answers, &limits)
            }
        };
        let Some(SolveResponse { found, model }) = answer else {
            self.host = Host::Abandoned;
            return None;
        };
        self.model = model;
        found
    }

    /// Starts the solver, on this thread or on one of its own, by the number of clauses.
    fn start(&self) -> Option<Host> {
        let config = self.config;
        if self.waiting.len() < Self::LARGE {
            return Some(Host::ThisThread(Cadical::new(config)));
        }
        let (ask, requests) = channel::<SolveRequest>();
        let (answer, answers) = channel();
        let work = move || {
            let mut solver = Cadical::new(config);
            for request in requests {
                // An error means that the receiver is gone: the solver was abandoned.
                if answer.send(solver.answer(&request)).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().spawn(work).ok()?;
        Some(Host::OwnThread(ask, answers))
    }

    /// The value of a variable in the last model.
    pub fn value(&self, variable: i32) -> Option<bool> {
        let index = usize::try_from(variable).ok()?.checked_sub(1)?;
        self.model.get(index).copied()
    }
}

/// Waits for the response; `None` if the solver is late to stop.
fn wait(answers: &Receiver<SolveResponse>, limits: &Limits) -> Option<SolveResponse> {
    let mut reached: Option<Instant> = None;
    loop {
        match answers.recv_timeout(LOOK) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if limits.stopped().is_some() => {
                if reached.get_or_insert_with(Instant::now).elapsed() >= LATE {
                    return None;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
