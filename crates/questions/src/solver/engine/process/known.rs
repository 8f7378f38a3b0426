//! Solvers known by name, and the options with which each is run.

use std::time::Duration;

/// A solver whose options are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverProgram {
    Z3,
    Cvc5,
    Bitwuzla,
}

impl SolverProgram {
    pub const ALL: [SolverProgram; 3] = [
        SolverProgram::Z3,
        SolverProgram::Cvc5,
        SolverProgram::Bitwuzla,
    ];

    /// The program's name.
    pub fn name(self) -> &'static str {
        match self {
            SolverProgram::Z3 => "z3",
            SolverProgram::Cvc5 => "cvc5",
            SolverProgram::Bitwuzla => "bitwuzla",
        }
    }

    /// Options for an alternative strategy, which is faster for some formulas and slower for
    /// others.
    pub fn other_way(self) -> &'static [&'static str] {
        match self {
            // This option bit-blasts eagerly. With cvc5 1.0.3, it proves facts about sums of 16
            // products in a second, where the default takes fifteen seconds; it proves error bounds
            // in minutes, where the default takes 12 seconds.
            SolverProgram::Cvc5 => &["--bitblast=eager"],
            SolverProgram::Z3 | SolverProgram::Bitwuzla => &[],
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        SolverProgram::ALL
            .into_iter()
            .find(|known| known.name() == name)
    }

    /// The arguments with which the solver reads one script from standard input. The solver gets a
    /// time limit that ends a little later than `time`, so that it stops even if this program was
    /// killed.
    pub fn arguments(
        self,
        version: Option<&str>,
        seed: u64,
        time: Option<Duration>,
    ) -> Vec<String> {
        // All solvers accept seeds in this range.
        let seed = seed % (1 << 30);
        let seconds = time.map(|time| time.as_secs().saturating_add(2));
        let milliseconds = seconds.map(|seconds| seconds.saturating_mul(1000));
        // A limit of 1,000,000 seconds or more is not passed on to the solver.
        let limited = seconds.is_some_and(|seconds| seconds < 1_000_000);
        let mut arguments: Vec<String> = Vec::new();
        match self {
            SolverProgram::Z3 => {
                arguments.extend(["-smt2".into(), "-in".into()]);
                arguments.push(format!("smt.random_seed={seed}"));
                arguments.push(format!("sat.random_seed={seed}"));
                // Some formulas that take Z3's default core for bit-vectors more than a minute take
                // its newer core only seconds (measured with Z3 5.4). Versions before 5 lack parts
                // of the newer core.
                if major(version).is_some_and(|major| major >= 5) {
                    arguments.push("tactic.default_tactic=smt".into());
                    arguments.push("sat.euf=true".into());
                }
                let limit = seconds.filter(|_| limited);
                arguments.extend(limit.map(|seconds| format!("-T:{seconds}")));
            }
            SolverProgram::Cvc5 => {
                arguments.extend(["--quiet".into(), "--lang=smt2".into()]);
                arguments.push(format!("--seed={seed}"));
                let limit = milliseconds.filter(|_| limited);
                arguments.extend(limit.map(|time| format!("--tlimit={time}")));
            }
            SolverProgram::Bitwuzla => {
                arguments.extend(["--lang".into(), "smt2".into()]);
                arguments.extend(["--seed".into(), seed.to_string()]);
                if let Some(time) = milliseconds.filter(|_| limited) {
                    arguments.extend(["--time-limit".into(), time.to_string()]);
                }
            }
        }
        arguments
    }
}

/// The major version, which is the number before the first dot.
fn major(version: Option<&str>) -> Option<u32> {
    version?.split('.').next()?.parse().ok()
}
