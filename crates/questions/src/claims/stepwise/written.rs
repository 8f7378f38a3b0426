//! The whole certificate of a claim.

use super::conclusion::{Conclusion, FactNeeds, conclusion};
use super::error::NoCertificate;
use super::steps::{RegisterFormats, steps};
use crate::claims::property::{Claim, Domain};
use crate::claims::{bounds, exactness, monotone};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::algorithms::descriptions::{Action, Program};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use serde_json::{Map, Value, json};

/// The certificates of a claim, one for each way in which it may be proved. None of them needs to be a proof: the checker
/// says whether it is.
///
/// # Errors
/// If there are none.
pub fn certificates(claim: &Claim) -> Result<Vec<String>, NoCertificate> {
    let Conclusion {
        models,
        needs,
        proves,
    } = conclusion(claim)?;
    let known = StepKnowledge::of(&models, &claim.domain, needs)?;
    let claim = claim.to_string();
    let each = proves.iter().flat_map(|proves| {
        let ways = known.ways.iter();
        ways.map(|way| known.text(&claim, proves, &way.units))
    });
    Ok(each.collect())
}

/// The certificates of a bound of the errors of a model: |d - s| is at most a multiple of |c|, a multiple of the sum P of the
/// magnitudes of all products, and an absolute part, where s is the exact sum and nothing overflows.
///
/// # Errors
/// If no bound is known.
pub fn bound_certificates(model: &Model, domain: &Domain) -> Result<Vec<String>, NoCertificate> {
    let known = StepKnowledge::of(&[model], domain, FactNeeds::Bounds)?;
    let claim = format!("the bound of the errors of {model} where {domain}");
    let each = known.ways.iter().filter_map(|way| {
        let proves = json!({"error": way.error.as_ref()?});
        Some(known.text(&claim, &proves, &way.units))
    });
    let all: Vec<String> = each.collect();
    match all.is_empty() {
        true => Err(NoCertificate::Bound(model.to_string())),
        false => Ok(all),
    }
}

/// What is known of the steps of models on a domain.
struct StepKnowledge {
    formats: RegisterFormats,
    operands: Value,
    given: Value,
    ways: Vec<Way>,
}

/// One way to know something of steps.
#[derive(Clone, Default)]
struct Way {
    /// The steps of each model, with their facts.
    units: Vec<Value>,
    /// The bound of the error of the result.
    error: Option<Value>,
}

impl StepKnowledge {
    fn of(
        models: &[&Model],
        domain: &Domain,
        needs: FactNeeds,
    ) -> Result<StepKnowledge, NoCertificate> {
        let mut formats = RegisterFormats::default();
        let (mut given, mut operands) = (Value::Null, Value::Null);
        let mut ways: Vec<Way> = Vec::new();
        for model in models {
            let program = model.algorithm().steps();
            let program = program.ok_or_else(|| NoCertificate::Steps(model.to_string()))?;
            let found = exactness::facts(&program, domain).ok_or(NoCertificate::Empty)?;
            given = found.given;
            operands = self::operands(&program.signature, &mut formats);
            let facts = match needs {
                FactNeeds::Magnitudes => vec![(found.steps, None)],
                FactNeeds::Summands => {
                    let factors = of_factors(&program, found.steps);
                    let own = monotone::facts_of_summands(&program);
                    vec![(with(own, &factors), None)]
                }
                FactNeeds::Directions(moving) => vec![(monotone::facts(&program, moving), None)],
                FactNeeds::Bounds => {
                    let factors = of_factors(&program, found.steps);
                    let ways = bounds::facts(&program, domain).into_iter();
                    ways.map(|way| (with(way.steps, &factors), way.error))
                        .collect()
                }
                FactNeeds::Nothing => vec![(vec![Map::new(); program.nodes.len()], None)],
            };
            ways.resize(facts.len(), Way::default());
            for (way, (steps, error)) in ways.iter_mut().zip(facts) {
                way.units.push(unit(model, &program, steps, &mut formats));
                way.error = error;
            }
        }
        Ok(StepKnowledge {
            formats,
            operands,
            given,
            ways,
        })
    }

    fn text(&self, claim: &str, proves: &Value, units: &[Value]) -> String {
        let head = [
            ("certificate", json!(1)),
            ("claim", json!(claim)),
            ("proves", proves.clone()),
            ("formats", self.formats.as_json()),
            ("operands", self.operands.clone()),
            ("given", self.given.clone()),
        ];
        text(&head, units)
    }
}

/// The facts of steps with more of them.
fn with(
    mut steps: Vec<Map<String, Value>>,
    more: &[Map<String, Value>],
) -> Vec<Map<String, Value>> {
    for (step, more) in steps.iter_mut().zip(more) {
        step.extend(more.clone());
    }
    steps
}

/// The facts of operands, factors and products alone.
fn of_factors(program: &Program, mut facts: Vec<Map<String, Value>>) -> Vec<Map<String, Value>> {
    for (node, facts) in program.nodes.iter().zip(&mut facts) {
        let is_of_factors = matches!(
            node.action,
            Action::Operand(..)
                | Action::Constant(_)
                | Action::Flush(..)
                | Action::Term(_)
                | Action::Product(_)
        );
        if !is_of_factors {
            facts.clear();
        }
    }
    facts
}

fn unit(
    model: &Model,
    program: &Program,
    facts: Vec<Map<String, Value>>,
    formats: &mut RegisterFormats,
) -> Value {
    json!({"name": model.to_string(), "result": program.result, "steps": steps(program, facts, formats)})
}

fn operands(signature: &Signature, formats: &mut RegisterFormats) -> Value {
    let mut name = |format: &Format| formats.name(format);
    let scales = signature
        .scales
        .map(|scales| json!({"format": name(&scales.format), "block": scales.block}));
    json!({
        "products": signature.products,
        "a": name(&signature.a),
        "b": name(&signature.b),
        "c": name(&signature.c),
        "d": name(&signature.d),
        "scales": scales,
    })
}

/// The certificate as text, with a line for each step.
fn text(head: &[(&str, Value)], units: &[Value]) -> String {
    let mut text = String::from("{\n");
    for (key, value) in head {
        text += &format!(" {}: {value},\n", json!(key));
    }
    let units: Vec<String> = units.iter().map(of_unit).collect();
    text + &format!(" \"units\": [{}]\n}}\n", units.join(",\n "))
}

fn of_unit(unit: &Value) -> String {
    let steps = unit["steps"].as_array().into_iter().flatten();
    let steps: Vec<String> = steps.map(|step| format!("  {step}")).collect();
    format!(
        "{{\"name\": {}, \"result\": {}, \"steps\": [\n{}\n ]}}",
        unit["name"],
        unit["result"],
        steps.join(",\n")
    )
}
