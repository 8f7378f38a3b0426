//! The exact sum is the same whatever its terms are aligned to.

use mmasmt_core::machines::algorithms::{Alignment, Exact, Inputs, Operation, Stages};
use mmasmt_core::machines::model::{Algorithm, Instance, Model, architectures};
use mmasmt_numbers::bits::{Concrete, MixedBits};
use mmasmt_numbers::float::{NanCode, Rounding};
use mmasmt_questions::inputs::{Draw, Kind};

const ROUNDINGS: [Rounding; 3] = [Rounding::Rne, Rounding::Rd, Rounding::Ru];
/// Inputs of each kind.
const DRAWN: u32 = 12;

fn rounded(exact: Exact, inputs: &Inputs, model: &Model) -> u64 {
    let registers = inputs.lifted::<MixedBits>(&model.signature());
    let algorithm = Algorithm::Operation(Operation::Exact(exact));
    MixedBits::run(
        &algorithm,
        registers.operands(),
        &mut Stages::<MixedBits>::forgotten(),
    )
    .to_u64()
}

/// Every row of the tables that is one fused sum, and some whose limits are far from all exponents.
fn models() -> Vec<Model> {
    let rows = architectures().unwrap().iter().flat_map(|all| &all.rows);
    let names = rows.flat_map(|row| [row.full_name(), format!("{}@paper", row.full_name())]);
    let others = [
        "fda:K=2,emin=-4096",
        "fda:K=2,emin=-300,c=f32,in=bf16",
        "fda:K=3,emin=4",
        "fda:K=2,emin=200,zero=raw",
        "fda:K=2,in=e4m3,emin=-9,zero=raw",
    ];
    let names = names.chain(others.map(str::to_owned));
    names.filter_map(|name| Model::parse(&name).ok()).collect()
}

#[test]
fn an_exact_sum_does_not_depend_on_its_alignment() {
    let mut compared = Vec::new();
    for model in models() {
        let signature = model.signature();
        let Some((unit, 1)) = model.algorithm().operation() else {
            continue;
        };
        let Some(unit) = unit.description() else {
            continue;
        };
        let alignment = Alignment::of(unit.program());
        let is_known = compared.contains(&(signature, alignment));
        if alignment == Alignment::default() || signature.is_integer() || is_known {
            continue;
        }
        compared.push((signature, alignment));
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            let mut draw = Draw::new(signature, kind, number as u64);
            for _ in 0..DRAWN {
                let inputs = draw.draw();
                for rounding in ROUNDINGS {
                    let plain = Exact {
                        a: signature.a,
                        b: signature.b,
                        c: signature.c,
                        out: signature.d,
                        products: signature.products,
                        scales: signature.scales,
                        rounding,
                        nan: NanCode::Quiet,
                        alignment: Alignment::default(),
                    };
                    let aligned = Exact { alignment, ..plain };
                    assert_eq!(
                        rounded(plain, &inputs, &model),
                        rounded(aligned, &inputs, &model),
                        "{model}: {}",
                        inputs.to_line(&signature)
                    );
                }
            }
        }
    }
    assert!(compared.len() > 20, "{} alignments", compared.len());
}
