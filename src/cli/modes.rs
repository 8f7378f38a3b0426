//! The ways in which a command works, each with the options that it uses: an option that is given is used or refused.

use super::diff::are_machines;
use super::error::Error;
use super::notes::note;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use mmasmt_core::base::excerpt::excerpt;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// A way in which a command works.
struct Mode {
    command: &'static str,
    /// How the command is called so, for errors.
    name: &'static str,
    /// Whether the command is called so, if it is not called as an earlier one of the list.
    is_meant: fn(&Given) -> bool,
    /// The long names of its options.
    uses: &'static str,
}

/// The options and values that were written on the command line.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    command: String,
    /// By the names of the fields of arguments: the long names, and the values.
    all: BTreeMap<String, (Option<String>, Vec<String>)>,
    /// Names that options had before, with those that they have.
    former: Vec<[&'static str; 2]>,
}

/// The names that options had before, with those that they have. They go with the next release.
const FORMER: [[&str; 2]; 2] = [["assume", "where"], ["timeout", "time"]];

impl Given {
    /// What was given to the subcommand of `matches`.
    pub(super) fn of(command: &Command, matches: &ArgMatches, written: &[OsString]) -> Given {
        let Some((name, own)) = matches.subcommand() else {
            return Given::default();
        };
        let Some(command) = command.find_subcommand(name) else {
            return Given::default();
        };
        let arguments = command.get_arguments();
        let given = arguments.filter_map(|argument| {
            let id = argument.get_id().as_str();
            (own.value_source(id) == Some(ValueSource::CommandLine)).then(|| {
                let raw = own.get_raw(id).into_iter().flatten();
                let values = raw.map(|value| value.to_string_lossy().into_owned());
                let long = argument.get_long().map(str::to_owned);
                (id.to_owned(), (long, values.collect()))
            })
        });
        let is_written = |[former, _]: &[&str; 2]| {
            let words = written.iter().filter_map(|word| word.to_str());
            let mut words = words.take_while(|word| *word != "--");
            words.any(|word| {
                let name = word
                    .strip_prefix("--")
                    .and_then(|name| name.split('=').next());
                name == Some(former)
            })
        };
        Given {
            command: name.to_owned(),
            all: given.collect(),
            former: FORMER.into_iter().filter(is_written).collect(),
        }
    }

    fn has(&self, id: &str) -> bool {
        self.all.contains_key(id)
    }

    fn any(&self, ids: &[&str]) -> bool {
        ids.iter().any(|id| self.has(id))
    }

    fn values(&self, id: &str) -> &[String] {
        self.all.get(id).map_or(&[], |(_, values)| values)
    }

    fn is(&self, id: &str, values: &[&str]) -> bool {
        self.values(id)
            .iter()
            .any(|value| values.contains(&value.as_str()))
    }

    /// Refuses an option that has no use in the way that the command is called, and one that names a file in no folder.
    ///
    /// # Errors
    /// If there is such an option.
    pub(super) fn check(&self) -> Result<(), Error> {
        note(self.former.iter().map(|[former, name]| {
            format!("--{former} is called --{name} now, and goes with the next release")
        }))?;
        self.refuse_useless()?;
        for (id, (long, values)) in &self.all {
            let (Some(long), true) = (long, FILES.contains(&id.as_str())) else {
                continue;
            };
            let goes_out =
                ["export", "gen", "merge"].contains(&self.command.as_str()) && id == "out";
            if values.iter().any(|value| value == "-") && !goes_out {
                return Err(Error::Usage(format!(
                    "--{long}: expected the name of a file, found `-`: standard output has the answer"
                )));
            }
            let folder = values.first().and_then(|value| Path::new(value).parent());
            let folder = folder.filter(|folder| *folder != Path::new(""));
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                let folder = excerpt(&folder.display().to_string());
                return Err(Error::Usage(format!(
                    "--{long}: expected a file in a folder, found no folder `{folder}`; make it first"
                )));
            }
        }
        Ok(())
    }

    fn refuse_useless(&self) -> Result<(), Error> {
        let mut modes = MODES.iter().filter(|mode| mode.command == self.command);
        let Some(mode) = modes.find(|mode| (mode.is_meant)(self)) else {
            return Ok(());
        };
        let is_used = |long: &str| {
            let always = ["memory", "tables", "quiet", "help"].contains(&long);
            let uses = |name: &str| mode.uses.split(' ').any(|own| own == name);
            always || uses(long) || long == "json" && !uses("no-json")
        };
        let longs = self.all.values().filter_map(|(long, _)| long.as_deref());
        match longs.into_iter().find(|long| !is_used(long)) {
            None => Ok(()),
            Some(long) => {
                let others = MODES.iter().filter(|other| other.command == mode.command);
                let users = others.filter(|other| other.uses.split(' ').any(|own| own == long));
                let users: Vec<String> = users.map(|user| format!("`{}`", user.name)).collect();
                let advice = match &users[..] {
                    [] => "leave it out".to_owned(),
                    _ => format!("it goes with {}", users.join(", ")),
                };
                let found = mode.name;
                Err(Error::Usage(format!(
                    "--{long} has no use in `{found}`: {advice}"
                )))
            }
        }
    }
}

/// The fields of arguments that name a file to write.
const FILES: [&str; 10] = [
    "csv", "dump_cnf", "dump_smt", "html", "next", "out", "proof", "record", "resume", "svg",
];

fn are_two_machines(given: &Given, ids: [&str; 2]) -> bool {
    let [left, right] = ids.map(|id| given.values(id));
    match (left, right) {
        ([left], [right]) => are_machines([left, right]),
        _ => false,
    }
}

/// Every command with several ways of working. The first that is meant is the one.
const MODES: &[Mode] = &[
    Mode {
        command: "distinguish",
        name: "distinguish MACHINE MACHINE",
        is_meant: |given| {
            let more = [
                "assume", "ordinary", "specials", "simplest", "largest", "count", "expect", "html",
            ];
            are_two_machines(given, ["left", "right"]) && !given.any(&more)
        },
        uses: "time seed",
    },
    Mode {
        command: "agree",
        name: "agree MACHINE MACHINE",
        is_meant: |given| are_two_machines(given, ["left", "right"]),
        uses: "time seed",
    },
    Mode {
        command: "compare",
        name: "compare MACHINE MACHINE",
        is_meant: |given| match given.values("schemes") {
            [left, right] => !given.has("on") && are_machines([left, right]),
            _ => false,
        },
        uses: "samples time seed",
    },
    Mode {
        command: "compare",
        name: "compare --bias",
        is_meant: |given| given.has("bias"),
        uses: "bias on lengths draw draw-c where measure samples time seed csv svg",
    },
    Mode {
        command: "compare",
        name: "compare --shard",
        is_meant: |given| given.has("shard"),
        uses: "on lengths exponents measure samples time seed shard resume",
    },
    Mode {
        command: "compare",
        name: "compare SCHEME…",
        is_meant: |_| true,
        uses: "on lengths exponents measure samples time seed csv svg html",
    },
    Mode {
        command: "prove",
        name: "prove --list",
        is_meant: |given| given.has("list"),
        uses: "list queries",
    },
    Mode {
        command: "prove",
        name: "prove --claim",
        is_meant: |given| given.has("claim"),
        uses: "claim function time seed engine solver-cmd solver-memory",
    },
    Mode {
        command: "prove",
        name: "prove --sample",
        is_meant: |given| given.has("sample"),
        uses: "sample draw where ordinary time seed",
    },
    Mode {
        command: "prove",
        name: "prove --domains",
        is_meant: |given| given.has("domains"),
        uses: "domains where ordinary time seed engine solver-cmd solver-memory",
    },
    Mode {
        command: "prove",
        name: "prove PROPERTY MODEL",
        is_meant: |given| given.has("model"),
        uses: "where ordinary time seed no-minimize minimize-budget engine solver-cmd solver-memory confirm confirm-timeout dump-smt plain dump-cnf proof proof-timeout",
    },
    Mode {
        command: "prove",
        name: "prove --shard",
        is_meant: |given| given.has("shard"),
        uses: "all queries time seed engine solver-cmd solver-memory shard resume",
    },
    Mode {
        command: "prove",
        name: "prove --all",
        is_meant: |given| given.any(&["all", "queries"]) && !given.has("property"),
        uses: "all queries time seed no-minimize minimize-budget engine solver-cmd solver-memory confirm confirm-timeout",
    },
    Mode {
        command: "prove",
        name: "prove QUERY",
        is_meant: |_| true,
        uses: "queries time seed no-minimize minimize-budget engine solver-cmd solver-memory confirm confirm-timeout plain dump-cnf proof proof-timeout",
    },
    Mode {
        command: "check",
        name: "check --recorded",
        is_meant: |given| given.has("recorded"),
        uses: "recorded show",
    },
    Mode {
        command: "check",
        name: "check --index",
        is_meant: |given| given.has("index"),
        uses: "index variant show shard resume",
    },
    Mode {
        command: "check",
        name: "check --runner with files",
        is_meant: |given| given.has("runner") && given.has("files"),
        uses: "runner alive runner-timeout show",
    },
    Mode {
        command: "check",
        name: "check --runner",
        is_meant: |given| given.has("runner"),
        uses: "runner alive runner-timeout count seed specials show",
    },
    Mode {
        command: "check",
        name: "check MODEL FILE…",
        is_meant: |_| true,
        uses: "show any-bits shard resume",
    },
    Mode {
        command: "identify",
        name: "identify FILE…",
        is_meant: |given| !given.any(&["closed_loop", "runner"]),
        uses: "model family base time pair-timeout seed specials formats products",
    },
    Mode {
        command: "identify",
        name: "identify --closed-loop --hidden",
        is_meant: |given| given.has("hidden"),
        uses: "closed-loop hidden confirm model family base time pair-timeout seed specials formats products record",
    },
    Mode {
        command: "identify",
        name: "identify --closed-loop --device",
        is_meant: |given| given.has("device"),
        uses: "closed-loop device instruction confirm model family base time pair-timeout seed specials formats products record",
    },
    Mode {
        command: "identify",
        name: "identify --closed-loop --runner",
        is_meant: |_| true,
        uses: "closed-loop runner alive runner-timeout confirm model family base time pair-timeout seed specials formats products record",
    },
    Mode {
        command: "learn",
        name: "learn FILE…",
        is_meant: |given| given.has("results"),
        uses: "signature confirm finite time settle seed out next",
    },
    Mode {
        command: "learn",
        name: "learn --hidden",
        is_meant: |given| given.has("hidden"),
        uses: "hidden questions confirm finite time settle seed out record",
    },
    Mode {
        command: "learn",
        name: "learn --device",
        is_meant: |given| given.has("device"),
        uses: "device instruction questions confirm finite time settle seed out record",
    },
    Mode {
        command: "learn",
        name: "learn --runner",
        is_meant: |_| true,
        uses: "runner alive runner-timeout signature questions confirm finite time settle seed out record",
    },
    Mode {
        command: "probe",
        name: "probe --table",
        is_meant: |given| given.has("table"),
        uses: "table",
    },
    Mode {
        command: "probe",
        name: "probe --inputs",
        is_meant: |given| given.has("inputs"),
        uses: "inputs tests formats products",
    },
    Mode {
        command: "probe",
        name: "probe --results",
        is_meant: |given| given.has("results"),
        uses: "results tests tree html formats products",
    },
    Mode {
        command: "probe",
        name: "probe --runner",
        is_meant: |given| given.has("runner"),
        uses: "runner alive runner-timeout tests tree html formats products",
    },
    Mode {
        command: "probe",
        name: "probe MODEL",
        is_meant: |_| true,
        uses: "device tests tree html formats products",
    },
    Mode {
        command: "run",
        name: "run --list",
        is_meant: |given| given.has("list"),
        uses: "list capability",
    },
    Mode {
        command: "run",
        name: "run --software",
        is_meant: |given| given.has("software"),
        uses: "software",
    },
    Mode {
        command: "run",
        name: "run --runner",
        is_meant: |given| given.has("runner"),
        uses: "runner alive runner-timeout instruction",
    },
    Mode {
        command: "run",
        name: "run --emit-ptx",
        is_meant: |given| given.has("emit_ptx"),
        uses: "emit-ptx instruction capability",
    },
    Mode {
        command: "run",
        name: "run --instruction",
        is_meant: |_| true,
        uses: "device instruction",
    },
    Mode {
        command: "export",
        name: "export MODEL MODEL --to smt2",
        is_meant: |given| given.has("other") && given.is("to", &["smt2"]),
        uses: "to out where specials",
    },
    Mode {
        command: "export",
        name: "export MODEL MODEL",
        is_meant: |given| given.has("other"),
        uses: "to out name ports latency where specials",
    },
    Mode {
        command: "export",
        name: "export --to smt2",
        is_meant: |given| given.is("to", &["smt2"]),
        uses: "to out name function stages values reals",
    },
    Mode {
        command: "export",
        name: "export --to unit",
        is_meant: |given| given.is("to", &["unit"]),
        uses: "to out",
    },
    Mode {
        command: "export",
        name: "export --to btor2",
        is_meant: |given| given.is("to", &["btor2"]),
        uses: "to out ports",
    },
    Mode {
        command: "export",
        name: "export --to tape-c, tape-cuda, matrix-cuda",
        is_meant: |given| given.is("to", &["tape-c", "tape-cuda", "matrix-cuda"]),
        uses: "to out name",
    },
    Mode {
        command: "export",
        name: "export --to c, dpi, acl2",
        is_meant: |given| given.is("to", &["c", "dpi", "acl2"]),
        uses: "to out name ports",
    },
    Mode {
        command: "export",
        name: "export --to verilog",
        is_meant: |_| true,
        uses: "to out name ports latency",
    },
    Mode {
        command: "gen",
        name: "gen --shard",
        is_meant: |given| given.has("shard"),
        uses: "kind count where seed time shard resume",
    },
    Mode {
        command: "mutants",
        name: "mutants --shard",
        is_meant: |given| given.has("shard"),
        uses: "specials seed time pair-timeout shard resume",
    },
    Mode {
        command: "atlas",
        name: "atlas --from",
        is_meant: |given| given.has("from"),
        uses: "from html",
    },
    Mode {
        command: "models",
        name: "models --algorithms",
        is_meant: |given| given.has("algorithms"),
        uses: "algorithms",
    },
    Mode {
        command: "completions",
        name: "completions",
        is_meant: |_| true,
        uses: "no-json",
    },
    Mode {
        command: "merge",
        name: "merge",
        is_meant: |_| true,
        uses: "out no-json",
    },
];
