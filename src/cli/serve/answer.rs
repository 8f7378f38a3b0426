//! Makes the page that answers a form.

use super::request::Asked;
use crate::cli::answered::Subject;
use crate::cli::complete::instructions;
use crate::cli::error::Error;
use crate::cli::operands::Operands;
use crate::cli::specification;
use crate::cli::timeouts::within;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::Difference;
use mmasmt_questions::claims::query::{Ended, Options, QueryError, Question, answer};
use mmasmt_questions::pages::{LiveAnswer, LiveForm, live_page};
use std::time::Duration;

/// The most products of a model: nobody reads a page with more of them.
const MOST_PRODUCTS: u32 = 1024;

/// How long simpler inputs are looked for.
const SIMPLER: Duration = Duration::from_secs(2);

/// The HTTP status, and the page that answers a form.
pub(super) fn page(asked: &Asked, limits: &Limits) -> (u16, String) {
    match within(limits, || answered(asked, limits)) {
        Ok(page) => (200, page),
        Err(error) => (400, wrong(&asked.form, error.to_string())),
    }
}

/// The page that says why a request is refused.
pub(super) fn refusal(why: &str) -> String {
    wrong(&LiveForm::default(), why.into())
}

fn wrong(form: &LiveForm, what: String) -> String {
    // A page fails only if inputs do not fit their model, and this page has no inputs.
    shown(form, &LiveAnswer::Wrong(what)).unwrap_or_default()
}

fn shown(form: &LiveForm, answer: &LiveAnswer<'_>) -> Result<String, Error> {
    let mut offered: Vec<String> = instructions().collect();
    offered.sort_unstable();
    offered.dedup();
    Ok(live_page(form, &offered, answer).map_err(QueryError::from)?)
}

fn answered(asked: &Asked, limits: &Limits) -> Result<String, Error> {
    let form = &asked.form;
    match (form.left.as_str(), form.right.as_str()) {
        ("", "") => {
            let example = LiveForm::example();
            let models = [model(&example.left)?, model(&example.right)?];
            side_by_side(&example, &models, true)
        }
        ("", alone) | (alone, "") if !asked.difference => {
            let model = model(alone)?;
            let inputs = operands(form, &model)?;
            shown(form, &LiveAnswer::Evaluation(&model, &inputs))
        }
        ("", _) | (_, "") => Err(Error::Usage(
            "choose a second machine to compare with".into(),
        )),
        (left, right) => {
            let models = [model(left)?, model(right)?];
            if asked.difference {
                difference(form, &models, limits)
            } else {
                side_by_side(form, &models, false)
            }
        }
    }
}

/// The model that `text` names. The text cannot name a file: a page must not ask for files.
fn model(text: &str) -> Result<Model, Error> {
    let model = Model::parse(text)?;
    let products = model.signature().products;
    if products > MOST_PRODUCTS {
        return Err(Error::Usage(format!(
            "{model}: expected at most {MOST_PRODUCTS} products to show, found {products}"
        )));
    }
    Ok(model)
}

fn operands(form: &LiveForm, model: &Model) -> Result<Inputs, Error> {
    let LiveForm {
        a, b, c, sa, sb, ..
    } = form;
    Operands::typed(&form.line, [a, b, c, sa, sb]).inputs(model)
}

/// The page that shows the results of both models on the operands that were typed.
fn side_by_side(form: &LiveForm, models: &[Model; 2], is_example: bool) -> Result<String, Error> {
    // The question is not asked. It is made to check that both models take the same operands.
    Question::difference(&models[0], &models[1], None)?;
    let inputs = operands(form, &models[0])?;
    let [left, right] = models
        .each_ref()
        .map(|model| model.simulator().run(&inputs));
    let verdict = if left == right {
        "the same result"
    } else {
        "different results"
    };
    let found = Difference {
        models,
        verdict,
        remark: Some("for these operands"),
        inputs: std::slice::from_ref(&inputs),
    };
    let answer = if is_example {
        LiveAnswer::Example(found)
    } else {
        LiveAnswer::Difference(found)
    };
    shown(form, &answer)
}

/// The page that shows inputs on which two models differ, searched for within the limits.
fn difference(form: &LiveForm, models: &[Model; 2], limits: &Limits) -> Result<String, Error> {
    let assume = Some(form.assume.as_str()).filter(|text| !text.is_empty());
    let question = specification::difference(models.each_ref(), assume, form.specials)?;
    let options = Options::default().minimise(SIMPLER).all_inputs();
    let found = answer(&question, &options, limits)?;
    if found.ended == Ended::Vacuous {
        let inputs = question.inputs_text();
        return Err(QueryError::Vacuous { inputs }.into());
    }
    let inputs = found.witnesses.iter().map(|one| one.inputs.clone());
    let inputs: Vec<Inputs> = inputs.collect();
    let subject = Subject::Difference(models, &question);
    let remark = subject.remark(&found);
    let difference = Difference {
        models,
        verdict: subject.verdict(&found),
        remark: remark.as_deref(),
        inputs: &inputs,
    };
    shown(form, &LiveAnswer::Difference(difference))
}
