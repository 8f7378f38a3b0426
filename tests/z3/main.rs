//! Z3 in process: limits that hold. That its answers are right is tested beside the other solvers.
#![allow(clippy::unwrap_used, clippy::panic, reason = "so tests fail")]

use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::Input;
use mmasmt_numbers::bits::{Bv, Prop, mux};
use mmasmt_questions::solver::engine::{CadicalVerdict, Goal, Solver};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Met where long multiplication is not commutative: nowhere, which takes forever to prove.
struct Noncommutative(u32);

fn long_product<B: Bv>(a: &B, b: &B) -> B {
    let rows = (0..a.width()).map(|index| {
        let shifted = a.shl(&B::lit(32, u64::from(index)));
        mux(&b.bit(index), &shifted, &B::lit(a.width(), 0))
    });
    B::sum(&rows.collect::<Vec<_>>())
}

impl Goal for Noncommutative {
    fn inputs(&self) -> Vec<Input> {
        let input = |(index, name): (u32, &str)| Input {
            index,
            width: self.0,
            name: name.into(),
        };
        [(0, "a"), (1, "b")].map(input).into()
    }
    fn formula<B: Bv>(&self, inputs: &[B]) -> B::Bool {
        let [a, b] = inputs else { panic!("two inputs") };
        long_product(a, b).equals(&long_product(b, a)).not()
    }
}

/// One test at a time: the limit of memory is that of the process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn solve(width: u32, memory: Option<u64>, limits: &Limits) -> CadicalVerdict {
    let z3 = Solver::find("z3", memory).unwrap();
    let solved = z3.solve_plain(&Noncommutative(width), 0, limits).unwrap();
    solved.verdict
}

#[test]
fn a_time_limit_ends_a_search() {
    let _alone = alone();
    for milliseconds in [0, 50, 1000] {
        let start = Instant::now();
        let limits = Limits::default().within(Duration::from_millis(milliseconds));
        let verdict = solve(24, None, &limits);
        let took = start.elapsed();
        assert_eq!(verdict, CadicalVerdict::Unknown(Stopped::TimeLimit));
        assert!(
            took < Duration::from_millis(milliseconds + 60_000),
            "{took:?}"
        );
    }
}

#[test]
fn an_interrupt_ends_a_search() {
    let _alone = alone();
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits::interruptible(flag.clone());
    let raise = thread::spawn(move || {
        thread::sleep(Duration::from_millis(500));
        flag.store(true, Ordering::Relaxed);
        Instant::now()
    });
    let verdict = solve(24, None, &limits);
    let took = raise.join().unwrap().elapsed();
    assert_eq!(verdict, CadicalVerdict::Unknown(Stopped::Interrupted));
    assert!(took < Duration::from_secs(60), "{took:?}");
}

#[test]
fn a_memory_limit_gives_unknown_and_is_gone_after_that() {
    let _alone = alone();
    let limits = Limits::default().within(Duration::from_secs(60));
    assert_eq!(
        solve(32, Some(24 << 20), &limits),
        CadicalVerdict::Unknown(Stopped::MemoryLimit)
    );
    assert_eq!(solve(3, None, &limits), CadicalVerdict::Unsat);
}

#[test]
fn ctrl_c_ends_the_program() {
    let program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["prove", "order-independent", "fda:K=16", "--engine", "z3"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(1500));
    let id = program.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(killed.success());
    let output = program.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.starts_with("unknown: ") && text.contains("\ninterrupted\n"),
        "{text}"
    );
}
