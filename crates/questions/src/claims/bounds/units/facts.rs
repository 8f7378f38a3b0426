//! What the walk knows of each step, as facts of a certificate.

use super::super::factors::{Factors, Underflow};
use super::amounts::Amount;
use super::values::{BoundedSum, BoundsValue};
use super::walk::BoundsWalk;
use crate::claims::exactness::OperandSizes;
use crate::claims::places::Places;
use crate::claims::property::Domain;
use crate::claims::stepwise::{are_aligned, dyadic};
use mmasmt_core::machines::algorithms::Operand;
use mmasmt_core::machines::algorithms::descriptions::{Action, Program};
use serde_json::{Map, json};

/// What is known of each step, and the bound of the error of the result.
pub(in crate::claims) struct BoundFacts {
    /// The facts of each step.
    pub steps: Vec<Map<String, serde_json::Value>>,
    /// The bound, if it is of all products and of `c`.
    pub error: Option<serde_json::Value>,
}

/// What is known of each step on a domain, in each way to count what is lost of subnormal factors.
pub(in crate::claims) fn facts(program: &Program, domain: &Domain) -> Vec<BoundFacts> {
    let sizes = OperandSizes::of(&program.signature, domain);
    let ways = [Underflow::Absolute, Underflow::Relative];
    let each = sizes.into_iter().flat_map(|sizes| {
        let [a, b] = sizes.factors;
        ways.map(move |underflow| Factors {
            a,
            b,
            underflow,
            // Certificates have no rule for products of scales.
            scales_below: None,
        })
    });
    each.map(|factors| of_factors(program, factors)).collect()
}

fn of_factors(program: &Program, factors: Factors) -> BoundFacts {
    let walk = BoundsWalk::along(program, factors);
    let products = products_of(program);
    let aligned = are_aligned(program);
    let steps = walk.values.iter().zip(&products).zip(aligned);
    let steps = steps.map(|((value, products), is_aligned)| match value {
        // Certificates speak of the terms themselves.
        BoundsValue::Sum(sum) if !sum.has_gains() && !sum.has_cells() => {
            let bound = of_sum(sum, products, is_aligned);
            Map::from_iter([("bound".to_owned(), bound)])
        }
        _ => Map::new(),
    });
    let result = program.result as usize;
    let count = program.signature.products as usize;
    BoundFacts {
        steps: steps.collect(),
        error: match &walk.values[result] {
            BoundsValue::Sum(sum) if sum.has_c && sum.count == count && !sum.has_gains() => {
                Some(of_amount(&sum.error))
            }
            _ => None,
        },
    }
}

/// The products that each value is made of.
fn products_of(program: &Program) -> Vec<Places> {
    let mut all: Vec<Places> = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let mut own = match node.action {
            Action::Operand(Operand::A, index) => Places::one(index),
            _ => Places::default(),
        };
        node.action
            .each_slot(|of| own = own.joined(&all[of as usize]).0);
        all.push(own);
    }
    all
}

fn of_sum(sum: &BoundedSum, products: &Places, is_aligned: bool) -> serde_json::Value {
    let ranges = products.ranges().filter(|_| sum.products.is_some());
    let ranges: Vec<[usize; 3]> = ranges.map(|[first, last]| [first, last, 1]).collect();
    json!({
        "of": {"c": sum.has_c, "products": ranges},
        "scaled": sum.scaled == [true; 2],
        "error": of_amount(&sum.error),
        "most": of_amount(&sum.most),
        "reach": is_aligned.then(|| of_amount(&sum.reach)),
        "sticky": sum.is_sticky,
    })
}

fn of_amount(amount: &Amount) -> serde_json::Value {
    json!({
        "c": dyadic(&amount.of_c),
        "products": dyadic(&amount.of_products),
        "absolute": dyadic(&amount.absolute),
    })
}
