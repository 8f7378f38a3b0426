//! `plan`: the composition that a library runs for a product, by a table of plans.

use super::Status;
use super::json::write_json;
use super::output::shell_word;
use crate::cli::error::Error;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_questions::plans::{CasePlan, Decisions, LibraryTable, PlanCase, PlanError};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Say which plan a library has for a product of matrices: how it cuts and adds k
///
/// A table of plans has rules: a plan is the model that computes the product, where the conditions of
/// its rule hold. Tables that come with the program: h100-fp8, rtx4060-fp8 (torch._scaled_mm, by
/// shape), cublaslt (by the fields that the heuristic of cuBLASLt returns). The status of a plan says
/// what it rests on: recorded, reported, inferred from other shapes, or assumed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt plan h100-fp8 64 4096 14336 fast=true S=3\n  mmasmt plan h100-fp8 64 4096 14336 --decisions heur_h100pcie_lt12.8.3.14.npz\n  mmasmt plan cublaslt 100 2560 9728 algo=66 stages=35 S=3\n\nExit status: 0 there is a plan, 2 no rule fits, or the request was wrong."
)]
pub(super) struct Args {
    /// The table: its name, or FILE.toml
    table: String,
    /// Rows of A and of the result
    #[arg(value_name = "M")]
    rows: u64,
    /// Columns of B and of the result
    #[arg(value_name = "N")]
    columns: u64,
    /// Products of an element
    #[arg(value_name = "K")]
    depth: u64,
    #[command(flatten)]
    facts: PlanFacts,
}

/// What is known of a product beside its shape.
#[derive(Debug, clap::Args)]
pub(super) struct PlanFacts {
    /// What more is known of the product, such as a=e4m3 b=e4m3 out=bf16 fast=true workspace=32M, or
    /// fields of the heuristic
    #[arg(id = "given", value_name = "NAME=VALUE")]
    given: Vec<String>,
    /// Decisions of the library's heuristic, shape by shape, in the form of mmaemu: an archive of
    /// NumPy with a file of JSON of the same name beside it
    #[arg(long, value_name = "FILE.npz")]
    decisions: Option<PathBuf>,
}

/// `mmasmt plan`
#[derive(Serialize, JsonSchema)]
pub(super) struct PlanAnswer<'x> {
    table: &'x str,
    /// The machine and the library.
    title: String,
    #[serde(flatten)]
    answer: &'x CasePlan,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let shape = [args.rows, args.columns, args.depth];
    let (table, answer) = answered(
        &args.table,
        shape,
        &args.facts.given,
        args.facts.decisions.as_ref(),
    )?;
    let CasePlan {
        plan,
        status,
        source,
        decision,
        note,
    } = &answer;
    if json {
        let value = PlanAnswer {
            table: &args.table,
            title: table.title(),
            answer: &answer,
        };
        write_json(out, &value)?;
        return Ok(Status::Yes);
    }
    writeln!(out, "{}\n", table.title())?;
    let lines = [
        ("plan", plan),
        ("status", status),
        ("decision", decision),
        ("source", source),
        ("note", note),
    ];
    for (name, text) in lines.into_iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(out, "{name:<9} {text}")?;
    }
    writeln!(
        out,
        "\nnext: mmasmt matmul A.npy B.npy --on {} -o D.npy",
        shell_word(plan)
    )?;
    Ok(Status::Yes)
}

fn wrong(error: PlanError) -> Error {
    Error::Usage(error.to_string())
}

/// The text of a plan: `TABLE`, where nothing has to be known of the product, or
/// `TABLE@M,N,K,NAME=VALUE,...`. With a shape, the plan has its K.
pub(super) fn named_plan(text: &str) -> Result<String, Error> {
    let Some((table, known)) = text.split_once('@') else {
        return LibraryTable::open(text)
            .and_then(|table| table.only())
            .map_err(wrong);
    };
    let known: Vec<&str> = known.split(',').collect();
    let shape = known
        .get(..3)
        .map(|shape| shape.iter().map(|extent| extent.parse()));
    let shape = shape.and_then(|shape| shape.collect::<Result<Vec<u64>, _>>().ok());
    let Some(&[m, n, k]) = shape.as_deref() else {
        let found = excerpt(text);
        return Err(Error::Usage(format!(
            "expected plan:TABLE@M,N,K, found `plan:{found}`"
        )));
    };
    let given: Vec<String> = known[3..].iter().map(|one| (*one).to_owned()).collect();
    let (_, answer) = answered(table, [m, n, k], &given, None)?;
    let model = Model::parse(&answer.plan)?.of_length(u32::try_from(k).unwrap_or(u32::MAX))?;
    Ok(model.canonical())
}

/// The table with this name, and its plan for a product of this shape, of which more is given.
pub(super) fn answered(
    table: &str,
    [m, n, k]: [u64; 3],
    given: &[String],
    decisions: Option<&PathBuf>,
) -> Result<(LibraryTable, CasePlan), Error> {
    let mut opened = LibraryTable::open(table).map_err(wrong)?;
    if let Some(path) = decisions {
        opened = opened.with_decisions(Decisions::open(path).map_err(wrong)?);
    }
    let mut case = PlanCase::of_shape([m, n, k]);
    for one in given {
        let Some((name, value)) = one.split_once('=') else {
            let found = excerpt(one);
            return Err(Error::Usage(format!(
                "expected NAME=VALUE, found `{found}`"
            )));
        };
        opened.check_name(name).map_err(wrong)?;
        case = case.with(name, value);
    }
    let answer = opened.answer(&case).map_err(wrong)?;
    Ok((opened, answer))
}
