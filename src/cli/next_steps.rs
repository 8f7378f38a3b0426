//! What a person can do after an unknown answer about two models, as commands to paste.

use super::output::shell_word;
use super::rtl::with_operands_of;
use mmasmt_core::machines::model::{Algorithm, Model};
use mmasmt_questions::claims::query::Question;
use std::time::Duration;

/// The next steps if it is not known whether two models differ.
pub(super) fn of_difference(models: &[Model; 2], question: &Question) -> Vec<String> {
    let both = both(models);
    let mut steps = Vec::new();
    match design_of(models) {
        None => {
            steps.push(format!(
                "`mmasmt agree {both}` finds the domains on which they are proved equal"
            ));
            let [left, right] = names(models);
            steps.push(format!(
                "`mmasmt gen {left} --kind edge --count 100000 --out edge.txt && mmasmt check {right} edge.txt` tries inputs at the edges of formats"
            ));
        }
        Some((design, model)) => {
            let smaller = smaller_domain(question);
            if let Some(domain) = smaller {
                steps.push(format!(
                    "a smaller domain may be proved: `mmasmt distinguish {both} --where '{domain}'`"
                ));
            }
            if let Some(model) = model {
                let design = shell_word(&with_operands_of(&design.to_string(), model));
                let model = shell_word(&model.to_string());
                steps.push(format!(
                    "inputs that show changes of one parameter: `mmasmt mutants {model} --out in.txt`, \
                     `mmasmt eval {model} --vectors in.txt > d.txt`, `mmasmt check {design} d.txt`"
                ));
            }
        }
    }
    steps
}

/// The next steps if it is not known whether two models agree on some domains. `assume` is one
/// of these domains, and `time` the time that all domains had.
pub(super) fn of_agreement(
    models: &[Model; 2],
    assume: &str,
    time: Option<Duration>,
) -> [String; 2] {
    let both = both(models);
    let longer = match time {
        Some(time) => format!("{}s", 4 * time.as_secs().max(1)),
        None => "5m".into(),
    };
    let assume = match assume {
        "" => String::new(),
        assume => format!(" --where '{assume}'"),
    };
    [
        format!("more time may decide what is unknown: `mmasmt agree {both} --time {longer}`"),
        format!("a domain that is unknown, alone: `mmasmt distinguish {both}{assume} --time 10m`"),
    ]
}

/// Two models as arguments of a command.
fn both(models: &[Model; 2]) -> String {
    names(models).join(" ")
}

/// Each model as an argument of a command.
fn names(models: &[Model; 2]) -> [String; 2] {
    models
        .each_ref()
        .map(|model| shell_word(&model.to_string()))
}

/// The first model that is a design, and the other one unless that is a design too.
fn design_of(models: &[Model; 2]) -> Option<(&Model, Option<&Model>)> {
    let is_design = |model: &&Model| matches!(model.algorithm(), Algorithm::Design(_));
    let design = models.iter().find(is_design)?;
    Some((design, models.iter().find(|model| !is_design(model))))
}

/// The domain of the question without all products but the first and without `c`; `None` if that is
/// the domain of the question.
fn smaller_domain(question: &Question) -> Option<String> {
    let domain = question.domain().to_string();
    let mut clauses = Vec::new();
    let products = question.signature().products;
    // Zeros in some factors would be zeros in all factors that equal them.
    let is_bound = (0..2 * products as usize).any(|operand| question.domain().is_bound(operand));
    if products > 1 && !is_bound {
        clauses.extend(["a[1..] zero", "b[1..] zero"]);
    }
    clauses.push("c = 0");
    clauses.retain(|clause| !domain.contains(clause));
    if clauses.is_empty() {
        return None;
    }
    if !domain.is_empty() {
        clauses.insert(0, &domain);
    }
    Some(clauses.join(", "))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::{of_agreement, smaller_domain};
    use mmasmt_core::machines::model::Model;
    use mmasmt_questions::claims::property::Domain;
    use mmasmt_questions::claims::query::Question;

    #[test]
    fn commands_can_be_pasted() {
        let models = ["epilogue(fda:K=2)", "fda:K=2"].map(|text| Model::parse(text).unwrap());
        let [longer, alone] = of_agreement(&models, "c = 0", None);
        assert!(
            longer.ends_with("`mmasmt agree 'epilogue(fda:K=2)' fda:K=2 --time 5m`"),
            "{longer}"
        );
        assert!(
            alone.contains("distinguish 'epilogue(fda:K=2)' fda:K=2 --where 'c = 0'"),
            "{alone}"
        );
    }

    #[test]
    fn a_smaller_domain_is_smaller() {
        let [left, right] = ["fda:K=2", "fda:K=2,F=25"].map(|text| Model::parse(text).unwrap());
        for (assume, expected) in [
            (None, Some("a[1..] zero, b[1..] zero, c = 0")),
            (
                Some("a normal"),
                Some("a normal, a[1..] zero, b[1..] zero, c = 0"),
            ),
            (Some("a[1..] zero, b[1..] zero, c = 0"), None),
        ] {
            let domain = assume.map(|text| Domain::parse(text, &left.signature()).unwrap());
            let question = Question::difference(&left, &right, domain.as_ref()).unwrap();
            assert_eq!(smaller_domain(&question).as_deref(), expected);
        }
    }
}
