//! Every way in which a command works, with the options that it uses.

use super::command_line::CommandLine;
use crate::cli::diff::are_machines;
use crate::cli::runner::answers;

/// A way in which a command works.
pub(super) struct CommandMode {
    pub(super) command: &'static str,
    /// How the command is called so, for errors.
    pub(super) name: &'static str,
    /// True if the command is called so and not as an earlier one of the list.
    pub(super) is_meant: fn(&CommandLine) -> bool,
    /// The long names of its options.
    pub(super) uses: &'static str,
}

impl CommandMode {
    /// True if the option with this long name is one of its own.
    pub(super) fn has(&self, long: &str) -> bool {
        self.uses.split(' ').any(|own| own == long)
    }
}

fn are_two_machines(given: &CommandLine, ids: [&str; 2]) -> bool {
    let [left, right] = ids.map(|id| given.values(id));
    match (left, right) {
        ([left], [right]) => are_machines([left, right]),
        _ => false,
    }
}

/// Every command with several ways of working. The first that is meant is the one.
pub(super) const MODES: &[CommandMode] = &[
    CommandMode {
        command: "distinguish",
        name: "distinguish MACHINE MACHINE",
        is_meant: |given| {
            let more = [
                "assume", "ordinary", "specials", "simplest", "largest", "count",
            ];
            are_two_machines(given, ["left", "right"]) && !given.any(&more)
        },
        uses: "expect time seed html",
    },
    CommandMode {
        command: "distinguish",
        name: "distinguish run:COMMAND MODEL",
        is_meant: |given| {
            let sides = ["left", "right"]
                .into_iter()
                .flat_map(|id| given.values(id));
            sides.into_iter().any(|side| answers(side))
        },
        uses: "where specials count samples signature expect time seed",
    },
    CommandMode {
        command: "agree",
        name: "agree MACHINE MACHINE",
        is_meant: |given| are_two_machines(given, ["left", "right"]),
        uses: "time seed",
    },
    CommandMode {
        command: "compare",
        name: "compare MACHINE MACHINE",
        is_meant: |given| match given.values("schemes") {
            [left, right] => !given.has("on") && are_machines([left, right]),
            _ => false,
        },
        uses: "samples time seed html",
    },
    CommandMode {
        command: "compare",
        name: "compare --bias",
        is_meant: |given| given.has("bias"),
        uses: "bias on lengths draw draw-c where measure samples time seed csv svg",
    },
    CommandMode {
        command: "compare",
        name: "compare --shard",
        is_meant: |given| given.has("shard"),
        uses: "on lengths exponents measure samples time seed shard resume",
    },
    CommandMode {
        command: "compare",
        name: "compare SCHEME…",
        is_meant: |_| true,
        uses: "on lengths exponents measure samples time seed csv svg html",
    },
    CommandMode {
        command: "worst",
        name: "worst --drop",
        is_meant: |given| given.has("drop"),
        uses: "drop measure where time seed html",
    },
    CommandMode {
        command: "worst",
        name: "worst",
        is_meant: |_| true,
        uses: "measure where time seed proof html",
    },
    CommandMode {
        command: "tolerance",
        name: "tolerance --matrices",
        is_meant: |given| given.has("matrices"),
        uses: "matrices result scale-a scale-b atol rtol time out",
    },
    CommandMode {
        command: "tolerance",
        name: "tolerance --k",
        is_meant: |_| true,
        uses: "k range atol rtol draw draw-c wrong elements samples time seed out svg html proof",
    },
    CommandMode {
        command: "prove",
        name: "prove --list",
        is_meant: |given| given.has("list"),
        uses: "list queries",
    },
    CommandMode {
        command: "prove",
        name: "prove --claim",
        is_meant: |given| given.has("claim"),
        uses: "claim function time seed engine solver-cmd solver-memory",
    },
    CommandMode {
        command: "prove",
        name: "prove --sample",
        is_meant: |given| given.has("sample"),
        uses: "sample draw where ordinary time seed",
    },
    CommandMode {
        command: "prove",
        name: "prove --domains",
        is_meant: |given| given.has("domains"),
        uses: "domains where ordinary time seed engine solver-cmd solver-memory",
    },
    CommandMode {
        command: "prove",
        name: "prove PROPERTY MODEL",
        is_meant: |given| given.has("model"),
        uses: "where ordinary expect html time seed no-minimize minimize-budget engine solver-cmd solver-memory confirm confirm-timeout dump-smt plain dump-cnf proof proof-timeout",
    },
    CommandMode {
        command: "prove",
        name: "prove --shard",
        is_meant: |given| given.has("shard"),
        uses: "all queries time seed engine solver-cmd solver-memory shard resume",
    },
    CommandMode {
        command: "prove",
        name: "prove --all",
        is_meant: |given| given.any(&["all", "queries"]) && !given.has("property"),
        uses: "all queries time seed no-minimize minimize-budget engine solver-cmd solver-memory confirm confirm-timeout",
    },
    CommandMode {
        command: "prove",
        name: "prove QUERY",
        is_meant: |_| true,
        uses: "queries time seed no-minimize minimize-budget engine solver-cmd solver-memory confirm confirm-timeout plain dump-cnf proof proof-timeout",
    },
    CommandMode {
        command: "check",
        name: "check --recorded",
        is_meant: |given| given.has("recorded"),
        uses: "recorded show",
    },
    CommandMode {
        command: "check",
        name: "check --index",
        is_meant: |given| given.has("index"),
        uses: "index variant show shard resume",
    },
    CommandMode {
        command: "check",
        name: "check --runner with files",
        is_meant: |given| given.has("runner") && given.has("files"),
        uses: "runner alive runner-timeout show",
    },
    CommandMode {
        command: "check",
        name: "check --runner",
        is_meant: |given| given.has("runner"),
        uses: "runner alive runner-timeout count seed specials show",
    },
    CommandMode {
        command: "check",
        name: "check MODEL FILE…",
        is_meant: |_| true,
        uses: "show any-bits shard resume",
    },
    CommandMode {
        command: "identify",
        name: "identify FILE…",
        is_meant: |given| !given.has("runner"),
        uses: "model family base time pair-timeout seed specials formats products",
    },
    CommandMode {
        command: "identify",
        name: "identify --runner",
        is_meant: |_| true,
        uses: "runner alive runner-timeout confirm model family base time pair-timeout seed specials formats products record",
    },
    CommandMode {
        command: "learn",
        name: "learn FILE…",
        is_meant: |given| given.has("results") && !given.has("runner"),
        uses: "signature confirm finite time settle seed out next",
    },
    CommandMode {
        command: "learn",
        name: "learn --runner",
        is_meant: |_| true,
        uses: "runner alive runner-timeout signature questions confirm finite time settle seed out record",
    },
    CommandMode {
        command: "probe",
        name: "probe --table",
        is_meant: |given| given.has("table"),
        uses: "table",
    },
    CommandMode {
        command: "probe",
        name: "probe --inputs",
        is_meant: |given| given.has("inputs"),
        uses: "inputs tests formats products",
    },
    CommandMode {
        command: "probe",
        name: "probe --results",
        is_meant: |given| given.has("results"),
        uses: "results tests tree html formats products",
    },
    CommandMode {
        command: "probe",
        name: "probe --runner",
        is_meant: |given| given.has("runner"),
        uses: "runner alive runner-timeout tests tree html formats products",
    },
    CommandMode {
        command: "probe",
        name: "probe MODEL",
        is_meant: |_| true,
        uses: "tests tree html formats products",
    },
    CommandMode {
        command: "run",
        name: "run --list",
        is_meant: |given| given.has("list"),
        uses: "list capability",
    },
    CommandMode {
        command: "run",
        name: "run --runner",
        is_meant: |given| given.has("runner"),
        uses: "runner alive runner-timeout instruction",
    },
    CommandMode {
        command: "run",
        name: "run --emit-ptx",
        is_meant: |given| given.has("emit_ptx"),
        uses: "emit-ptx instruction capability",
    },
    CommandMode {
        command: "run",
        name: "run --instruction",
        is_meant: |_| true,
        uses: "instruction",
    },
    CommandMode {
        command: "export",
        name: "export MODEL MODEL --to smt2",
        is_meant: |given| given.has("other") && given.is("to", &["smt2"]),
        uses: "to out where specials",
    },
    CommandMode {
        command: "export",
        name: "export MODEL MODEL",
        is_meant: |given| given.has("other"),
        uses: "to out name ports latency where specials",
    },
    CommandMode {
        command: "export",
        name: "export --to smt2",
        is_meant: |given| given.is("to", &["smt2"]),
        uses: "to out name function stages values reals",
    },
    CommandMode {
        command: "export",
        name: "export --to unit",
        is_meant: |given| given.is("to", &["unit"]),
        uses: "to out",
    },
    CommandMode {
        command: "export",
        name: "export --to btor2",
        is_meant: |given| given.is("to", &["btor2"]),
        uses: "to out ports",
    },
    CommandMode {
        command: "export",
        name: "export --to tape-c, tape-cuda, matrix-cuda",
        is_meant: |given| given.is("to", &["tape-c", "tape-cuda", "matrix-cuda"]),
        uses: "to out name",
    },
    CommandMode {
        command: "export",
        name: "export --to c, dpi, acl2",
        is_meant: |given| given.is("to", &["c", "dpi", "acl2"]),
        uses: "to out name ports",
    },
    CommandMode {
        command: "export",
        name: "export --to verilog",
        is_meant: |_| true,
        uses: "to out name ports latency",
    },
    CommandMode {
        command: "gen",
        name: "gen --shard",
        is_meant: |given| given.has("shard"),
        uses: "kind count where seed time shard resume",
    },
    CommandMode {
        command: "mutants",
        name: "mutants --shard",
        is_meant: |given| given.has("shard"),
        uses: "specials seed time pair-timeout shard resume",
    },
    CommandMode {
        command: "atlas",
        name: "atlas --from",
        is_meant: |given| given.has("from"),
        uses: "from html",
    },
    CommandMode {
        command: "models",
        name: "models --algorithms",
        is_meant: |given| given.has("algorithms"),
        uses: "algorithms",
    },
    CommandMode {
        command: "completions",
        name: "completions",
        is_meant: |_| true,
        uses: "no-json",
    },
    CommandMode {
        command: "merge",
        name: "merge",
        is_meant: |_| true,
        uses: "out no-json",
    },
    CommandMode {
        command: "distinguish",
        name: "distinguish MODEL MODEL",
        is_meant: |_| true,
        uses: "where ordinary specials simplest largest count expect ports time seed no-minimize minimize-budget engine solver-cmd solver-memory confirm confirm-timeout html dump-smt plain dump-cnf proof proof-timeout",
    },
    CommandMode {
        command: "agree",
        name: "agree MODEL MODEL",
        is_meant: |_| true,
        uses: "ports time seed",
    },
    CommandMode {
        command: "gen",
        name: "gen MODEL…",
        is_meant: |_| true,
        uses: "kind count where metadata seed time out format inputs-only",
    },
    CommandMode {
        command: "mutants",
        name: "mutants MODEL",
        is_meant: |_| true,
        uses: "faults specials score time pair-timeout seed out",
    },
    CommandMode {
        command: "atlas",
        name: "atlas",
        is_meant: |_| true,
        uses: "lengths turns solved seed formats shard resume html",
    },
    CommandMode {
        command: "models",
        name: "models",
        is_meant: |_| true,
        uses: "instruction algorithm evidence all",
    },
];
