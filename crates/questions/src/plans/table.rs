//! A table of plans, and what it answers for a case.

use super::case::PlanCase;
use super::decisions::{Decisions, READ};
use super::error::{PlanError, wrong};
use super::rule::{Rule, RuleDefinition, filled, names_in};
use mmasmt_core::machines::model::Model;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The format of the files.
const FORMAT: &str = "mmasmt-plans/1";

/// The most bytes of a file that are read: 1 MiB.
const LONGEST: u64 = 1 << 20;

/// The tables that come with the program, by name.
const SHIPPED: &[(&str, &str)] = &[
    ("h100-fp8", include_str!("../../plans/h100-fp8.toml")),
    ("rtx4060-fp8", include_str!("../../plans/rtx4060-fp8.toml")),
    ("cublaslt", include_str!("../../plans/cublaslt.toml")),
];

/// Rules of one library on one machine, with the decisions of its heuristic where they are recorded.
#[derive(Clone, Debug)]
pub struct LibraryTable {
    file: File,
    decisions: Option<Decisions>,
}

#[derive(Clone, Debug, Deserialize)]
struct File {
    format: String,
    /// The machine, in words.
    #[serde(default)]
    machine: String,
    /// The library and its version.
    #[serde(default)]
    library: String,
    /// Where the rules come from, unless a rule says so itself.
    #[serde(default)]
    source: String,
    /// What a case knows unless it says otherwise.
    #[serde(default)]
    defaults: BTreeMap<String, toml::Value>,
    /// What more is known of a case: by each name the first that holds.
    #[serde(default)]
    define: Vec<RuleDefinition>,
    /// The file with decisions, beside this one.
    decisions: Option<PathBuf>,
    #[serde(rename = "rule")]
    rules: Vec<Rule>,
}

/// The plan for a case, and how it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CasePlan {
    /// The text of the model that computes the product.
    pub plan: String,
    /// `recorded`, `reported`, `inferred` from other shapes, or `assumed`; a table of one's own may
    /// have other words.
    pub status: String,
    /// The decision of the library's heuristic for the shape; empty if no decisions were asked.
    pub decision: String,
    /// The source of the rule.
    pub source: String,
    /// What a user of the plan has to know.
    pub note: String,
}

impl LibraryTable {
    /// The table with this name, or in the file at this path.
    ///
    /// # Errors
    /// If there is no such table, or it is not of the format.
    pub fn open(name: &str) -> Result<LibraryTable, PlanError> {
        if let Some((_, text)) = SHIPPED.iter().find(|(known, _)| *known == name) {
            return LibraryTable::parse(text, name, Path::new(""));
        }
        let path = Path::new(name);
        if path.extension().is_none_or(|end| end != "toml") {
            let known: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
            return Err(PlanError::Unknown {
                found: name.into(),
                known: known.join(", "),
            });
        }
        let mut text = String::new();
        let read = std::fs::File::open(path);
        let read = read.and_then(|file| file.take(LONGEST).read_to_string(&mut text));
        read.map_err(|error| wrong(path, &error))?;
        LibraryTable::parse(&text, name, path.parent().unwrap_or(Path::new("")))
    }

    fn parse(text: &str, name: &str, folder: &Path) -> Result<LibraryTable, PlanError> {
        let path = Path::new(name);
        let file: File = toml::from_str(text).map_err(|error| wrong(path, &one_line(&error)))?;
        if file.format != FORMAT {
            let error = format!("expected format = \"{FORMAT}\", found \"{}\"", file.format);
            return Err(wrong(path, &error));
        }
        let decisions = file.decisions.as_ref().map(|beside| folder.join(beside));
        let table = LibraryTable {
            file,
            decisions: None,
        };
        match decisions {
            None => Ok(table),
            Some(path) => Ok(table.with_decisions(Decisions::open(&path)?)),
        }
    }

    /// The table with these decisions in place of its own.
    #[must_use]
    pub fn with_decisions(self, decisions: Decisions) -> LibraryTable {
        LibraryTable {
            decisions: Some(decisions),
            ..self
        }
    }

    /// The machine and the library, in words.
    pub fn title(&self) -> String {
        let parts = [&self.file.machine, &self.file.library];
        let parts: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
        parts.join(", ")
    }

    /// The names that a rule or the decisions read, the shape's own left out.
    pub fn names(&self) -> BTreeSet<&str> {
        let File {
            defaults,
            define,
            rules,
            ..
        } = &self.file;
        let mut names: BTreeSet<&str> = defaults.keys().map(String::as_str).collect();
        for one in define {
            names.extend(one.conditions.names().chain(names_in(&one.value)));
        }
        for rule in rules {
            names.extend(rule.conditions.names().chain(names_in(&rule.plan)));
        }
        if self.decisions.is_some() {
            names.extend(READ);
        }
        for extent in ["M", "N", "K"] {
            names.remove(extent);
        }
        names
    }

    /// Checks that a rule reads what is said by this name.
    ///
    /// # Errors
    /// If none does.
    pub fn check_name(&self, name: &str) -> Result<(), PlanError> {
        let known = self.names();
        if known.contains(name) {
            return Ok(());
        }
        Err(PlanError::Unread {
            table: self.title(),
            found: name.into(),
            known: known.into_iter().map(str::to_owned).collect(),
        })
    }

    /// The error that no rule fits, which names what each of them asks for in vain.
    fn no_rule(&self, full: &PlanCase) -> PlanError {
        let unknown = |rule: &Rule| {
            let names = rule.conditions.names();
            let unknown = names.filter(|name| full.get(name).is_none());
            unknown.map(str::to_owned).collect::<BTreeSet<String>>()
        };
        let of_each = self.file.rules.iter().map(unknown);
        let of_all = of_each.reduce(|left, right| &left & &right);
        match of_all.and_then(|names| names.into_iter().next()) {
            Some(name) => PlanError::NotSaid {
                table: self.title(),
                name,
            },
            None => PlanError::NoRule {
                table: self.title(),
                case: described(full),
            },
        }
    }

    /// The plan for a product of which nothing is known.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn only(&self) -> Result<String, PlanError> {
        self.answer(&PlanCase::default()).map(|answer| answer.plan)
    }

    /// The plan for a case: of the first rule whose conditions hold. What was decided for the shape
    /// is known to the rules, as well as what the table takes as given.
    ///
    /// # Errors
    /// If no rule fits, or its plan needs to know more, or is no model.
    pub fn answer(&self, case: &PlanCase) -> Result<CasePlan, PlanError> {
        let mut full = PlanCase::default();
        for (name, value) in &self.file.defaults {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            full = full.with(name, &text);
        }
        for (name, value) in case.known() {
            full = full.with_value(name, value.clone());
        }
        let mut decided = None;
        if let Some(decisions) = &self.decisions {
            decided = decisions.of(&full);
            if let Some(decision) = &decided {
                for (name, value) in &decision.fields {
                    full = full.with_value(name, value.clone());
                }
            }
        }
        for definition in &self.file.define {
            if full.get(&definition.name).is_none() && definition.conditions.hold(&full) {
                let value = text(&definition.value, &full)?;
                full = full.with(&definition.name, &value);
            }
        }
        let rule = self
            .file
            .rules
            .iter()
            .find(|rule| rule.conditions.hold(&full));
        let rule = rule.ok_or_else(|| self.no_rule(&full))?;
        let plan = text(&rule.plan, &full)?;
        Model::parse(&plan)?;
        let (decision, inferred) = decided
            .map(|decision| (decision.text, decision.is_inferred))
            .unwrap_or_default();
        Ok(CasePlan {
            plan,
            status: match inferred {
                true => "inferred".into(),
                false => rule.status.clone(),
            },
            source: rule
                .source
                .clone()
                .unwrap_or_else(|| self.file.source.clone()),
            decision,
            note: rule.note.clone().unwrap_or_default(),
        })
    }
}

fn text(text: &str, case: &PlanCase) -> Result<String, PlanError> {
    filled(text, case).map_err(|name| PlanError::Missing {
        plan: text.into(),
        name,
    })
}

fn described(case: &PlanCase) -> String {
    let known = case.known().map(|(name, value)| format!("{name}={value}"));
    known.collect::<Vec<_>>().join(" ")
}

fn one_line(error: &toml::de::Error) -> String {
    error.message().replace('\n', " ")
}
