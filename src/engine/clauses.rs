//! The embedded solver and its clauses.
//!
//! The solver looks at its limits now and then, and where there are many clauses it does what takes
//! seconds in between. Then it lives on a thread of its own, and is left there where it is late: the
//! thread ends, and frees what it has, when the solver looks at its limits next.

use crate::limits::Limits;
use crate::proof::ClauseSink;
use cadical_sys::{CaDiCal, Status, Terminator};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Literals that the solver goes through in some hundredths of a second.
const LARGE: usize = 1 << 20;
/// How often the limits are looked at while it searches, and how late it may be.
const LOOK: Duration = Duration::from_millis(20);
const LATE: Duration = Duration::from_millis(60);

/// The solver as it takes clauses.
pub(super) struct Clauses {
    config: &'static str,
    place: Place,
    /// Clauses that the solver has not got yet, each with a 0 after it.
    waiting: Vec<i32>,
    /// Whether each variable holds in what was found last, from variable 1 on.
    model: Vec<bool>,
}

/// Where the solver is.
enum Place {
    /// It is asked for the first time when it is known how many clauses there are.
    Nowhere,
    Here(Solver),
    There(Sender<Question>, Receiver<Answer>),
    /// It was late.
    Left,
}

/// More clauses, and what is assumed beside them.
struct Question {
    clauses: Vec<i32>,
    assumed: Vec<i32>,
    limits: Limits,
}

/// Whether all can hold, if that is known, and the values with which they do.
struct Answer {
    found: Option<bool>,
    model: Vec<bool>,
}

struct Watch(Limits);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.stopped().is_some()
    }
}

struct Solver(CaDiCal);

impl Solver {
    /// With the options that it knows by this name; without them it is only slower.
    fn new(config: &str) -> Self {
        let mut solver = CaDiCal::new();
        let _known = solver.configure(config);
        Solver(solver)
    }

    fn answer(&mut self, question: &Question) -> Answer {
        let Question {
            clauses,
            assumed,
            limits,
        } = question;
        let solver = &mut self.0;
        for clause in clauses.split(|&literal| literal == 0) {
            // What is behind the last 0 is no clause.
            if !clause.is_empty() {
                solver.clause6(clause);
            }
        }
        if let Some(conflicts) = limits.conflicts() {
            // The solver knows this limit; if it did not, the deadline would still hold.
            let _known = solver.limit("conflicts", conflicts);
        }
        solver.connect_terminator(Watch(limits.clone()));
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
        Answer { found, model }
    }
}

impl ClauseSink for Clauses {
    fn add_clause(&mut self, clause: &[i32]) {
        self.waiting.extend_from_slice(clause);
        self.waiting.push(0);
    }
}

impl Clauses {
    /// None yet, with the options that the solver knows by this name; without them it is only slower.
    pub fn new(config: &'static str) -> Self {
        Clauses {
            config,
            place: Place::Nowhere,
            waiting: Vec::new(),
            model: Vec::new(),
        }
    }

    /// Whether all clauses and `assumed` can hold; none if the limits are reached before that is known.
    pub fn solve(&mut self, assumed: Vec<i32>, limits: &Limits) -> Option<bool> {
        if let Place::Nowhere = self.place {
            self.place = self.settle()?;
        }
        let limits = limits.before_freeing();
        let question = Question {
            clauses: std::mem::take(&mut self.waiting),
            assumed,
            limits: limits.clone(),
        };
        let answer = match &mut self.place {
            Place::Nowhere | Place::Left => None,
            Place::Here(solver) => Some(solver.answer(&question)),
            Place::There(questions, answers) => {
                questions.send(question).ok()?;
                wait(answers, &limits)
            }
        };
        let Some(Answer { found, model }) = answer else {
            self.place = Place::Left;
            return None;
        };
        self.model = model;
        found
    }

    /// Where a solver of these clauses lives.
    fn settle(&self) -> Option<Place> {
        let config = self.config;
        if self.waiting.len() < LARGE {
            return Some(Place::Here(Solver::new(config)));
        }
        let (ask, questions) = channel::<Question>();
        let (answer, answers) = channel();
        let work = move || {
            let mut solver = Solver::new(config);
            for question in questions {
                // If nobody waits any more this was the last one.
                if answer.send(solver.answer(&question)).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().spawn(work).ok()?;
        Some(Place::There(ask, answers))
    }

    /// The value of a variable in the answer before.
    pub fn value(&self, variable: i32) -> Option<bool> {
        let index = usize::try_from(variable).ok()?.checked_sub(1)?;
        self.model.get(index).copied()
    }
}

/// The answer; none if the limits are reached, and it is late.
fn wait(answers: &Receiver<Answer>, limits: &Limits) -> Option<Answer> {
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

#[cfg(test)]
mod tests {
    use super::{Clauses, LARGE};
    use crate::limits::Limits;
    use crate::proof::ClauseSink;
    use std::time::Duration;

    /// A search for a place for each of `pigeons` in one hole less, with more clauses than are searched here.
    fn holes(pigeons: i32) -> Clauses {
        let mut clauses = Clauses::new("default");
        let at = |pigeon: i32, hole: i32| pigeon * (pigeons - 1) + hole + 1;
        for pigeon in 0..pigeons {
            let somewhere: Vec<i32> = (0..pigeons - 1).map(|hole| at(pigeon, hole)).collect();
            clauses.add_clause(&somewhere);
            for other in 0..pigeon {
                for hole in 0..pigeons - 1 {
                    clauses.add_clause(&[-at(pigeon, hole), -at(other, hole)]);
                }
            }
        }
        let first = pigeons * pigeons;
        for variable in (first..).take(LARGE / 2) {
            clauses.add_clause(&[variable, variable + 1]);
        }
        clauses
    }

    #[test]
    fn many_clauses_have_the_same_answers() {
        let limits = Limits::default();
        assert_eq!(holes(5).solve(Vec::new(), &limits), Some(false));
        let mut clauses = Clauses::new("sat");
        for variable in 1..LARGE as i32 {
            clauses.add_clause(&[-variable, variable + 1]);
        }
        assert_eq!(clauses.solve(vec![1], &limits), Some(true));
        assert_eq!(clauses.value(LARGE as i32), Some(true));
        assert_eq!(clauses.solve(vec![1, -9], &limits), Some(false));
        assert_eq!(clauses.solve(vec![-9], &limits), Some(true));
        assert_eq!(clauses.value(1), Some(false));
    }

    #[test]
    fn many_clauses_are_left_once_the_limits_are_reached() {
        let limits = Limits::default().within(Duration::from_millis(300));
        assert_eq!(holes(13).solve(Vec::new(), &limits), None);
    }
}
