//! What `identify` found out, as text and as JSON.

use super::Status;
use super::asked::{
    closed_json, nearest_json, verdict_text, write_asked, write_confirmation, write_nearest,
};
use super::families::{parameters, parameters_json};
use super::fewest::write_reason;
use super::json::{own_cost, vector_json};
use super::output::bits;
use super::separated::{
    classes_json, summary, tree_json, vectors_json, write_classes, write_inputs_and_tree,
};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::identify::{
    Excluded, Exclusion, Identification, Identified, Near, Recorded, Separation, nearest,
};
use mmasmt_questions::vectors::Vector;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// Candidates and what excluded them.
pub(super) struct IdentifyReport<'x> {
    pub files: &'x [PathBuf],
    pub models: &'x [Model],
    pub recorded: &'x [Recorded],
    pub exclusion: &'x Exclusion,
    /// The candidates that the files leave.
    pub left: &'x [Model],
}

/// What was found out beyond that: by asking, or for what to ask next. Models are numbers of those
/// that the files leave.
pub(super) struct Findings {
    pub closed: Option<Identified>,
    pub next: Option<Separation>,
    /// If the files leave none: those of all candidates that give most of the results.
    pub nearest: Vec<Near>,
}

/// Lines that are shown of a long list.
const SHOWN: usize = 12;
/// Nearest candidates that are shown when none is left.
const NEAREST: usize = 5;

impl Findings {
    /// The status; nothing is known of a machine by no results.
    pub fn status(&self, results: usize) -> Status {
        match (&self.closed, &self.next) {
            (Some(closed), _) => match closed.verdict() {
                Identification::Identified => Status::Yes,
                Identification::None => Status::No,
                Identification::Open | Identification::Halted => Status::Unknown,
            },
            (None, Some(next)) if next.open.is_empty() && results > 0 => Status::Yes,
            (None, Some(_)) => Status::Unknown,
            (None, None) => Status::No,
        }
    }
}

impl IdentifyReport<'_> {
    fn signature(&self) -> Signature {
        self.models[0].signature()
    }

    /// `FILE:LINE` of a recorded line.
    fn place(&self, by: usize) -> String {
        let line = &self.recorded[by];
        format!("{}:{}", self.files[line.file].display(), line.line)
    }

    fn recorded(&self) -> Vec<&Vector> {
        self.recorded.iter().map(|line| &line.vector).collect()
    }

    /// The candidates that give most of the recorded results.
    pub fn nearest(&self) -> Result<Vec<Near>, QueryError> {
        Ok(nearest(self.models, &self.recorded(), NEAREST)?)
    }

    pub fn text(&self, out: &mut impl Write, found: &Findings) -> Result<(), Error> {
        let (all, left) = (self.models.len(), self.left.len());
        if !self.recorded.is_empty() {
            let lines = self.recorded.len();
            let verb = if left == 1 { "gives" } else { "give" };
            writeln!(
                out,
                "{left} of {all} candidates {verb} all {lines} recorded results"
            )?;
            self.write_excluded(out)?;
        }
        if left == 0 {
            writeln!(out, "\nnone of the candidates gives all of the results")?;
            let place = |by| self.place(by);
            write_nearest(out, self.models, &found.nearest, &self.recorded(), place)?;
        }
        match (&found.closed, &found.next) {
            (Some(closed), _) => self.write_closed(out, closed),
            (None, Some(next)) => self.write_next(out, next),
            (None, None) => Ok(()),
        }
    }

    /// The lines that exclude candidates, those that exclude most first.
    fn write_excluded(&self, out: &mut impl Write) -> Result<(), Error> {
        let mut lines: BTreeMap<usize, Vec<&Excluded>> = BTreeMap::new();
        for excluded in &self.exclusion.excluded {
            lines.entry(excluded.by).or_default().push(excluded);
        }
        let mut lines: Vec<_> = lines.into_iter().collect();
        lines.sort_by_key(|(by, excluded)| (std::cmp::Reverse(excluded.len()), *by));
        if !lines.is_empty() {
            writeln!(out, "\nexcluded by:")?;
        }
        let d = self.signature().d;
        for (by, excluded) in lines.iter().take(SHOWN) {
            let first = excluded[0];
            let others = match excluded.len() {
                1 => String::new(),
                count => format!(", and {} more", count - 1),
            };
            writeln!(
                out,
                "  {}  {} gives {} for {}{others}",
                self.place(*by),
                self.models[first.model],
                bits(&d, first.computed),
                bits(&d, self.recorded[*by].vector.d),
            )?;
        }
        if lines.len() > SHOWN {
            writeln!(out, "  and {} more lines, see --json", lines.len() - SHOWN)?;
        }
        Ok(())
    }

    /// The values that parameters have among these of the candidates that are left.
    fn write_parameters(&self, out: &mut impl Write, left: &[&Model]) -> Result<(), Error> {
        for (algorithm, keys) in parameters(self.models, left) {
            let texts: Vec<String> = keys
                .iter()
                .map(|(key, values)| format!("{key}={}", values.join("|")))
                .collect();
            if !texts.is_empty() {
                writeln!(out, "  {algorithm}  {}", texts.join("  "))?;
            }
        }
        Ok(())
    }

    fn write_next(&self, out: &mut impl Write, next: &Separation) -> Result<(), Error> {
        match self.recorded.len() {
            0 => writeln!(out, "undecided: no results were given")?,
            1 => writeln!(out, "\nleft, by this 1 result alone:")?,
            count => writeln!(out, "\nleft, by these {count} results alone:")?,
        }
        self.write_parameters(out, &self.left.iter().collect::<Vec<_>>())?;
        writeln!(out, "\n{}", summary(self.left, next))?;
        if !next.inputs.is_empty() {
            writeln!(out, "run next:")?;
        }
        if next.classes.len() <= 4 * SHOWN {
            write_inputs_and_tree(out, self.left, next, &self.signature())?;
        } else {
            writeln!(out)?;
            for inputs in &next.inputs {
                writeln!(out, "  {}", inputs.to_line(&self.signature()))?;
            }
        }
        write_reason(out, self.left, next)?;
        write_classes(out, self.left, next, SHOWN)
    }

    fn write_closed(&self, out: &mut impl Write, closed: &Identified) -> Result<(), Error> {
        let signature = self.signature();
        write_asked(out, &signature, self.left.len(), closed)?;
        let all: Vec<&Model> = closed
            .classes
            .iter()
            .flatten()
            .map(|&model| &self.left[model])
            .collect();
        writeln!(out, "\n{}", verdict_text(closed, all.first().copied()))?;
        if closed.verdict() == Identification::None {
            let answered: Vec<&Vector> = closed.answered.iter().collect();
            let line = |by: usize| answered[by].inputs.to_line(&signature);
            return write_nearest(out, self.left, &closed.nearest, &answered, line);
        }
        self.write_parameters(out, &all)?;
        for class in closed
            .classes
            .iter()
            .filter(|class| class.len() > 1)
            .take(SHOWN)
        {
            let names: Vec<String> = class
                .iter()
                .map(|&model| self.left[model].to_string())
                .collect();
            writeln!(out, "proved equal: {}", names.join(" = "))?;
        }
        write_confirmation(out, closed)
    }

    /// `candidates`: classes of models; `excluded`: model, place, results; `next`: what to run.
    pub fn json(&self, found: &Findings, seconds: f64, seed: u64) -> Value {
        let signature = self.signature();
        let names = |class: &Vec<usize>| -> Vec<String> {
            class
                .iter()
                .map(|&model| self.left[model].canonical())
                .collect()
        };
        let (candidates, open, next, tree) = match (&found.closed, &found.next) {
            (Some(closed), _) => {
                let classes = closed.classes.iter().map(names).collect();
                (classes, closed.open.clone(), Vec::new(), Value::Null)
            }
            (None, Some(next)) => (
                classes_json(self.left, next),
                next.open.clone(),
                vectors_json(next, &signature),
                tree_json(&next.tree, &signature),
            ),
            (None, None) => (Vec::new(), Vec::new(), Vec::new(), Value::Null),
        };
        let excluded: Vec<Value> = self
            .exclusion
            .excluded
            .iter()
            .map(|excluded| {
                let line = &self.recorded[excluded.by];
                let inputs = &line.vector.inputs;
                let mut vector = vector_json(&signature, inputs, &[excluded.computed]);
                let recorded = bits(&signature.d, line.vector.d);
                vector.insert("recorded".into(), recorded.into());
                json!({
                    "model": self.models[excluded.model].canonical(),
                    "file": self.files[line.file].display().to_string(),
                    "at": line.line,
                    "by": vector,
                })
            })
            .collect();
        let of_left: Vec<&Model> = match &found.closed {
            Some(closed) => closed
                .classes
                .iter()
                .flatten()
                .map(|&model| &self.left[model])
                .collect(),
            None => self.left.iter().collect(),
        };
        let mut object = json!({
            "candidates": candidates,
            "excluded": excluded,
            "next": next,
            "tree": tree,
            "open": open,
            "parameters": parameters_json(self.models, &of_left),
            "lines": self.recorded.len(),
        });
        if let Value::Object(map) = &mut object {
            if let Some(closed) = &found.closed {
                map.extend(closed_json(&signature, closed));
                let answered: Vec<&Vector> = closed.answered.iter().collect();
                let nearest = nearest_json(self.left, &closed.nearest, &answered);
                map.insert("nearest".into(), nearest);
            }
            if found.closed.is_none() {
                let verdict = match (self.left.len(), self.recorded.len()) {
                    (0, _) => "none of the candidates",
                    (_, 0) => "undecided",
                    _ => "left, by the results given alone",
                };
                map.insert("verdict".into(), verdict.into());
            }
            if self.left.is_empty() {
                let nearest = nearest_json(self.models, &found.nearest, &self.recorded());
                map.insert("nearest".into(), nearest);
            }
            map.insert("cost".into(), own_cost(seconds, seed));
        }
        object
    }
}
