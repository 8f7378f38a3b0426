//! The report of `diff`, as text and as JSON.

use crate::cli::Status;
use crate::cli::answered::AnswerSubject;
use crate::cli::error::Error;
use crate::cli::json::{Cost, ModelText, VectorObject};
use crate::cli::output::{PROGRAM, widest};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Architecture;
use mmasmt_core::machines::product_pairs::{ProductPair, kind_name};
use mmasmt_questions::agreement::{Relation, SampleStatistics};
use mmasmt_questions::claims::query::{Question, Witness};
use mmasmt_questions::solver::engine::solver_version;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// A kind of products that both machines compute, and how the results of the machines compare.
pub(super) struct PairReport {
    pub shared: ProductPair,
    pub relation: Relation,
    pub drawn: Option<SampleStatistics>,
}

impl PairReport {
    /// True if more time may decide.
    pub fn is_open(&self) -> bool {
        matches!(self.relation, Relation::Unknown(_))
    }

    fn verdict(&self) -> &'static str {
        match self.relation {
            Relation::Equal(_) => "equal",
            Relation::EqualOnOrdinary { .. } => "equal on ordinary operands",
            Relation::Different { .. } => "different",
            Relation::Unknown(_) => "unknown",
        }
    }

    /// The verdict as text for a person. It says what is proved.
    pub fn verdict_text(&self) -> &'static str {
        match self.relation {
            Relation::Equal(_) => "equal (proved)",
            Relation::EqualOnOrdinary { .. } => "equal on ordinary operands (proved)",
            Relation::Different { .. } => "different",
            Relation::Unknown(_) => "not known",
        }
    }

    pub fn example(&self) -> Option<&Witness> {
        match &self.relation {
            Relation::Different { example, .. } => Some(example),
            Relation::EqualOnOrdinary { example, .. } => example.as_ref(),
            Relation::Equal(_) | Relation::Unknown(_) => None,
        }
    }

    /// Four texts: how often the results of the two machines differ, the greatest distance between
    /// these results, and the mean error of each machine. If no operands were drawn, all four are
    /// empty.
    fn drawn_texts(&self) -> [String; 4] {
        let Some(drawn) = &self.drawn else {
            return Default::default();
        };
        let [left, right] = drawn.errors.map(power_of_two);
        match drawn.different {
            0 => ["none".into(), String::new(), left, right],
            different => {
                let share = 100.0 * different as f64 / drawn.samples as f64;
                [
                    format!("{share:.1} %"),
                    format!("{} ulp", drawn.farthest),
                    left,
                    right,
                ]
            }
        }
    }
}

/// A mean error as text: a power of two, whose exponent has one decimal.
fn power_of_two(error: f64) -> String {
    if error == 0.0 {
        "0".into()
    } else {
        format!("2^{:.1}", error.log2())
    }
}

pub(super) struct DiffReport<'x> {
    /// The names of the machines, as they were given.
    pub names: [&'x str; 2],
    pub samples: u64,
    pub seed: u64,
    pub machines: [&'static Architecture; 2],
    pub lines: &'x [PairReport],
    pub alone: &'x [Vec<Signature>; 2],
    pub seconds: f64,
}

impl DiffReport<'_> {
    pub fn status(&self) -> Status {
        let is_equal = |line: &PairReport| matches!(line.relation, Relation::Equal(_));
        if self.lines.iter().any(|line| line.example().is_some()) {
            Status::Yes
        } else if self.lines.is_empty() || !self.lines.iter().all(is_equal) {
            Status::Unknown
        } else {
            Status::No
        }
    }

    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(out, "{}", self.title())?;
        self.write_table(out)?;
        for line in self.alone() {
            writeln!(out, "{line}")?;
        }
        for line in self.lines {
            self.write_example(line, out)?;
        }
        let (solver, seed, seconds) = (solver_version(), self.seed, self.seconds);
        writeln!(out, "\n# {PROGRAM}, {solver}, seed {seed}, {seconds:.2} s")?;
        Ok(())
    }

    /// The machines with their names in full.
    pub fn title(&self) -> String {
        let [left, right] = self.names;
        let titles = self.machines.map(|machine| &machine.title);
        format!("{left} ({}) and {right} ({})", titles[0], titles[1])
    }

    /// For each machine that has products of its own, a line that names them.
    pub fn alone(&self) -> Vec<String> {
        let each = self.names.iter().zip(self.alone);
        let each = each.filter(|(_, alone)| !alone.is_empty());
        each.map(|(name, alone)| {
            let kinds: Vec<_> = alone.iter().map(kind_name).collect();
            format!("only {name}: {}", kinds.join("; "))
        })
        .collect()
    }

    /// The titles of the columns of the table.
    pub fn columns(&self) -> [String; 7] {
        let [left, right] = self.names;
        [
            "products".into(),
            "K".into(),
            "results".into(),
            "differ in".into(),
            "by up to".into(),
            format!("error of {left}"),
            format!("error of {right}"),
        ]
    }

    /// The rows of the table.
    pub fn rows(&self) -> Vec<[String; 7]> {
        let row = |line: &PairReport| {
            let signature = line.shared.signature();
            let [share, apart, of_left, of_right] = line.drawn_texts();
            [
                kind_name(&signature),
                signature.products.to_string(),
                line.verdict_text().into(),
                share,
                apart,
                of_left,
                of_right,
            ]
        };
        self.lines.iter().map(row).collect()
    }

    /// A remark on the last four columns.
    pub fn remark(&self) -> String {
        let samples = self.samples;
        let mut drawn = self.lines.iter().filter_map(|line| line.drawn.as_ref());
        let up_to = match drawn.any(|drawn| drawn.samples < samples) {
            true => "at most ",
            false => "",
        };
        format!(
            "The last four columns are measured on {up_to}{samples} inputs of ordinary operands, drawn at random. The error of a result is its\ndistance from the exact sum, divided by the sum of the magnitudes of c and of all products; a column shows the mean."
        )
    }

    fn write_table(&self, out: &mut dyn Write) -> Result<(), Error> {
        if self.lines.is_empty() {
            writeln!(out, "\nthey have no kind of products in common\n")?;
            return Ok(());
        }
        let mut rows = vec![self.columns()];
        rows.extend(self.rows());
        let widths: [usize; 7] =
            std::array::from_fn(|column| widest(rows.iter().map(|row| &row[column])));
        writeln!(out)?;
        for row in &rows {
            let cells = row.iter().zip(widths);
            let cells: Vec<_> = cells
                .map(|(cell, width)| format!("{cell:width$}"))
                .collect();
            writeln!(out, "{}", cells.join("  ").trim_end())?;
        }
        writeln!(out, "\n{}", self.remark())?;
        Ok(())
    }

    /// Writes operands on which the two instructions differ, with both results. If the line has no
    /// such example, writes nothing.
    fn write_example(&self, line: &PairReport, out: &mut dyn Write) -> Result<(), Error> {
        let Some(example) = line.example() else {
            return Ok(());
        };
        let ProductPair { models, .. } = &line.shared;
        let [left, right] = models;
        let signature = line.shared.signature();
        writeln!(out, "\n{}", kind_name(&signature))?;
        if let Some(drawn) = line.drawn.as_ref().filter(|drawn| drawn.different > 0) {
            let median = drawn.median;
            writeln!(
                out,
                "  an example of simple operands; half of the results that differ are at least {median} ulp apart"
            )?;
        }
        let question = Question::difference(left, right, None)?;
        AnswerSubject::Difference(models, &question).write_witness(example, out)
    }

    /// The report as JSON.
    pub fn answer(&self) -> DiffAnswer<'_> {
        let machines = self.names.into_iter().zip(self.machines).zip(self.alone);
        let machines = machines.map(|((name, machine), alone)| MachineObject {
            name,
            architecture: &machine.name,
            alone: alone.iter().map(kind_name).collect(),
        });
        DiffAnswer {
            verdict: match self.status() {
                Status::Yes => "different",
                Status::No => "equal",
                _ => "unknown",
            },
            machines: machines.collect(),
            lines: self.lines.iter().map(DiffLine::of).collect(),
            cost: Cost::of_own(self.seconds, self.seed),
        }
    }
}

/// `mmasmt diff`, and `distinguish`, `agree`, `compare` of two machines
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct DiffAnswer<'x> {
    #[schemars(extend("enum" = ["different", "equal", "unknown"]))]
    verdict: &'static str,
    machines: Vec<MachineObject<'x>>,
    lines: Vec<DiffLine>,
    cost: Cost,
}

#[derive(Serialize, JsonSchema)]
struct MachineObject<'x> {
    name: &'x str,
    architecture: &'x str,
    /// The products that only this machine has.
    alone: Vec<String>,
}

/// A kind of products that both machines compute.
#[derive(Serialize, JsonSchema)]
struct DiffLine {
    products: String,
    instructions: [String; 2],
    models: [ModelText; 2],
    #[schemars(extend("enum" = ["equal", "equal on ordinary operands", "different", "unknown"]))]
    verdict: &'static str,
    witnesses: Vec<VectorObject>,
    /// True if the witness has ordinary operands; null without a witness.
    ordinary: Option<bool>,
    drawn: Option<SampleStatistics>,
}

impl DiffLine {
    fn of(line: &PairReport) -> DiffLine {
        let ProductPair { rows, models } = &line.shared;
        let signature = line.shared.signature();
        let witnesses = line.example().into_iter();
        let witnesses = witnesses
            .map(|example| VectorObject::new(&signature, &example.inputs, &example.results));
        DiffLine {
            products: kind_name(&signature),
            instructions: rows.map(|row| row.full_name()),
            models: models.each_ref().map(ModelText::of),
            verdict: line.verdict(),
            witnesses: witnesses.collect(),
            ordinary: match line.relation {
                Relation::Different { is_ordinary, .. } => Some(is_ordinary),
                Relation::EqualOnOrdinary { .. } => Some(false),
                Relation::Equal(_) | Relation::Unknown(_) => None,
            },
            drawn: line.drawn.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::{DiffReport, PairReport};
    use crate::cli::Status;
    use mmasmt_core::machines::model::find_architecture;
    use mmasmt_core::machines::product_pairs::product_pairs;
    use mmasmt_numbers::base::limits::Stopped;
    use mmasmt_questions::agreement::Relation;
    use mmasmt_questions::claims::query::Basis;

    /// Nothing is called different without an example, and nothing equal without a proof.
    #[test]
    fn a_verdict_has_an_example_or_proofs() {
        let names = ["A100", "H100"];
        let machines = names.map(|name| find_architecture(name).unwrap());
        let pairs = product_pairs(machines, false).unwrap();
        let equal = Relation::Equal(Basis::Construction);
        let on_ordinary = Relation::EqualOnOrdinary {
            by: Basis::Construction,
            example: None,
        };
        let unknown = Relation::Unknown(Stopped::TimeLimit);
        for (relations, expected) in [
            (vec![], Status::Unknown),
            (vec![equal.clone()], Status::No),
            (vec![equal.clone(), on_ordinary], Status::Unknown),
            (vec![equal, unknown], Status::Unknown),
        ] {
            let lines = relations.into_iter().zip(&pairs.shared);
            let lines: Vec<_> = lines
                .map(|(relation, shared)| PairReport {
                    shared: shared.clone(),
                    relation,
                    drawn: None,
                })
                .collect();
            let report = DiffReport {
                names,
                samples: 1,
                seed: 0,
                machines,
                lines: &lines,
                alone: &pairs.alone,
                seconds: 0.0,
            };
            assert_eq!(report.status(), expected);
        }
    }
}
