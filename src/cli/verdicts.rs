//! The answers to questions about a claim and about two models, as JSON.

use super::answered::{AnswerSubject, ulps};
use super::artifacts::PathsObject;
use super::asker::QuestionAnswer;
use super::confirm::ConfirmationsObject;
use super::json::{
    Cost, ModelText, NamedModel, NumberText, ProofBasis, RegisterText, VectorObject,
};
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::first_divergence;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Answer, Ended, Options, Question, Witness};
use schemars::JsonSchema;
use serde::Serialize;

/// `mmasmt prove PROPERTY MODEL`
#[derive(Serialize, JsonSchema)]
pub(super) struct ClaimAnswer {
    #[serde(flatten)]
    finding: ClaimFinding,
    cost: Cost,
    #[serde(flatten)]
    further: FurtherWork,
}

/// The answer to a claim without its cost, which differs from run to run.
#[derive(Serialize)]
pub(super) struct ClaimWithoutCost {
    #[serde(flatten)]
    finding: ClaimFinding,
    #[serde(flatten)]
    further: FurtherWork,
}

#[derive(Serialize, JsonSchema)]
struct ClaimFinding {
    #[schemars(extend("enum" = ["proved", "refuted", "vacuous", "unknown"]))]
    verdict: &'static str,
    claim: String,
    #[serde(flatten)]
    model: NamedModel,
    assume: String,
    witnesses: Vec<ClaimWitness>,
    remark: Option<String>,
    proved: ProofBasis,
}

/// Confirmations and files that were asked for.
#[derive(Serialize, JsonSchema)]
struct FurtherWork {
    #[serde(flatten)]
    confirmations: Option<ConfirmationsObject>,
    #[serde(flatten)]
    paths: PathsObject,
}

/// Operands that refute a claim, or show what it says that there is.
#[derive(Serialize, JsonSchema)]
pub(super) struct ClaimWitness {
    #[serde(flatten)]
    vector: VectorObject,
    /// The results that the claim compares with that of the model.
    beside: Vec<ResultBeside>,
}

#[derive(Serialize, JsonSchema)]
struct ResultBeside {
    what: String,
    d: RegisterText,
}

/// `mmasmt distinguish`
#[derive(Serialize, JsonSchema)]
pub(super) struct DifferenceAnswer {
    #[schemars(extend("enum" = ["different", "equal", "unknown"]))]
    verdict: &'static str,
    models: [ModelText; 2],
    names: [String; 2],
    witnesses: Vec<DifferenceWitness>,
    remark: Option<String>,
    proved: ProofBasis,
    assume: String,
    cost: Cost,
    #[serde(flatten)]
    further: FurtherWork,
}

/// Operands on which two models differ.
#[derive(Serialize, JsonSchema)]
struct DifferenceWitness {
    #[serde(flatten)]
    vector: VectorObject,
    /// How many ulps the results are apart; null if they cannot be compared.
    ulp: Option<u64>,
    /// The first stage at which the evaluations differ.
    parts_at: Option<PartingStage>,
    /// True if it is proved that none are simpler.
    simplest: bool,
}

#[derive(Serialize, JsonSchema)]
struct PartingStage {
    stage: String,
    /// The value of each model.
    values: [NumberText; 2],
}

impl ClaimFinding {
    fn new(claim: &Claim, answer: &Answer) -> ClaimFinding {
        let subject = AnswerSubject::Claim(claim);
        ClaimFinding {
            verdict: subject.verdict(answer),
            claim: claim.to_string(),
            model: NamedModel::of(&claim.model),
            assume: claim.domain.to_string(),
            witnesses: ClaimWitness::all(claim, answer),
            remark: subject.remark(answer),
            proved: proved(answer),
        }
    }
}

impl ClaimAnswer {
    /// The answer with all that was asked for beside it.
    pub fn new(claim: &Claim, answered: &QuestionAnswer, options: &Options) -> ClaimAnswer {
        ClaimAnswer {
            finding: ClaimFinding::new(claim, &answered.answer),
            cost: cost(AnswerSubject::Claim(claim), answered, options),
            further: FurtherWork::of(answered),
        }
    }
}

impl ClaimWithoutCost {
    /// The answer, for the line of a share.
    pub fn new(claim: &Claim, answered: &QuestionAnswer) -> ClaimWithoutCost {
        ClaimWithoutCost {
            finding: ClaimFinding::new(claim, &answered.answer),
            further: FurtherWork::of(answered),
        }
    }
}

impl DifferenceAnswer {
    /// The answer with all that was asked for beside it.
    pub fn new(
        (models, question): (&[Model; 2], &Question),
        answered: &QuestionAnswer,
        options: &Options,
    ) -> DifferenceAnswer {
        let subject = AnswerSubject::Difference(models, question);
        let answer = &answered.answer;
        let witnesses = answer.witnesses.iter();
        let witnesses = witnesses.map(|witness| DifferenceWitness::of(models, witness));
        DifferenceAnswer {
            verdict: subject.verdict(answer),
            models: models.each_ref().map(ModelText::of),
            names: models.each_ref().map(ToString::to_string),
            witnesses: witnesses.collect(),
            remark: subject.remark(answer),
            proved: proved(answer),
            assume: question.domain().to_string(),
            cost: cost(subject, answered, options),
            further: FurtherWork::of(answered),
        }
    }
}

impl ClaimWitness {
    /// The witnesses of an answer.
    pub fn all(claim: &Claim, answer: &Answer) -> Vec<ClaimWitness> {
        let signature = claim.model.signature();
        let of_one = |witness: &Witness| {
            let results = AnswerSubject::Claim(claim).results(witness);
            let own: Vec<u64> = results.iter().map(|(_, d)| *d).take(1).collect();
            let beside = results.into_iter().skip(1);
            let beside = beside.map(|(what, d)| ResultBeside {
                what,
                d: RegisterText::new(&signature.d, d),
            });
            ClaimWitness {
                vector: VectorObject::new(&signature, &witness.inputs, &own),
                beside: beside.collect(),
            }
        };
        answer.witnesses.iter().map(of_one).collect()
    }
}

impl DifferenceWitness {
    fn of(models: &[Model; 2], witness: &Witness) -> DifferenceWitness {
        let signature = models[0].signature();
        let parts = first_divergence(&models[0], &models[1], &witness.inputs);
        DifferenceWitness {
            vector: VectorObject::new(&signature, &witness.inputs, &witness.results),
            ulp: ulps(&signature.d, witness),
            parts_at: parts.map(|at| PartingStage {
                values: at.values.each_ref().map(NumberText::of),
                stage: at.stage,
            }),
            simplest: witness.simplest.unwrap_or(false),
        }
    }
}

impl FurtherWork {
    fn of(answered: &QuestionAnswer) -> FurtherWork {
        FurtherWork {
            confirmations: ConfirmationsObject::of(&answered.confirmations),
            paths: answered.written.paths(),
        }
    }
}

fn proved(answer: &Answer) -> ProofBasis {
    ProofBasis::of(match answer.ended {
        Ended::NoMore { by } => Some(by),
        _ => None,
    })
}

fn cost(subject: AnswerSubject, answered: &QuestionAnswer, options: &Options) -> Cost {
    let engines = subject.engines(options, &answered.answer);
    Cost::of_engine(answered.seconds, options.seed, engines)
}
