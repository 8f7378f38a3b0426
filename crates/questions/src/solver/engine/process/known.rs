//! Solvers known by name, and the options with which each is run.

use std::time::Duration;

/// A solver whose options are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Z3,
    Cvc5,
    Bitwuzla,
}

impl Known {
    pub const ALL: [Known; 3] = [Known::Z3, Known::Cvc5, Known::Bitwuzla];

    /// The program's name.
    pub fn name(self) -> &'static str {
        match self {
            Known::Z3 => "z3",
            Known::Cvc5 => "cvc5",
            Known::Bitwuzla => "bitwuzla",
        }
    }

    /// Options for an alternative strategy, which is faster for some formulas and slower for
    /// others.
    pub fn other_way(self) -> &'static [&'static str] {
        match self {
            // This option bit-blasts eagerly. With cvc5 1.0.3, it proves facts about sums of 16
            // products in a second, where the default takes fifteen seconds; it proves error bounds
            // in minutes, where the default takes 12 seconds.
            Known::Cvc5 => &["--bitblast=eager"],
            Known::Z3 | Known::Bitwuzla => &[],
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Known::ALL.into_iter().find(|known| known.name() == name)
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
            Known::Z3 => {
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
            Known::Cvc5 => {
                arguments.extend(["--quiet".into(), "--lang=smt2".into()]);
                arguments.push(format!("--seed={seed}"));
                let limit = milliseconds.filter(|_| limited);
                arguments.extend(limit.map(|time| format!("--tlimit={time}")));
            }
            Known::Bitwuzla => {
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

#[cfg(test)]
mod tests {
    use super::Known;
    use std::time::Duration;

    fn arguments(known: Known, version: Option<&str>, seconds: u64) -> Vec<String> {
        known.arguments(version, 7, Some(Duration::from_secs(seconds)))
    }

    #[test]
    fn the_newer_core_of_z3_is_asked_from_version_5_on() {
        for (version, newer) in [
            (None, false),
            (Some("4.13.0"), false),
            (Some("5.0.1"), true),
            (Some("12.1"), true),
        ] {
            let found = arguments(Known::Z3, version, 1).contains(&"sat.euf=true".to_owned());
            assert_eq!(found, newer, "{version:?}");
        }
    }

    #[test]
    fn limits_are_two_seconds_later_than_ours_and_none_beyond_a_million() {
        for (known, limit) in [
            (Known::Z3, "-T:12"),
            (Known::Cvc5, "--tlimit=12000"),
            (Known::Bitwuzla, "12000"),
        ] {
            let last = |seconds| arguments(known, None, seconds).pop();
            assert_eq!(last(10).as_deref(), Some(limit));
            let count = |seconds| arguments(known, None, seconds).len();
            assert_eq!(count(999_997), count(10), "{known:?}");
            assert!(count(999_998) < count(10), "{known:?}");
        }
    }
}
