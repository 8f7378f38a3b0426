//! The output of `worst`.

use crate::cli::error::Error;
use crate::cli::json::{Cost, ModelText, NumberText, VectorObject};
use crate::cli::output::{PROGRAM, value_text, widest};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::claims::bounds::{ErrorBound, ScaleBound};
use mmasmt_questions::errors::worst::{RaiseOutcome, Search, WorstInputs};
use mmasmt_questions::vectors::measure::{Measure, Quotient};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// Operands of more products than this are not written as a line.
const MOST_IN_LINE: usize = 64;
/// The most lines of operands that are written.
const MOST_LINES: usize = 40;

/// The answer of `worst`.
pub(super) struct WorstReport<'x> {
    pub model: &'x Model,
    pub search: Search,
    /// The text that gives the domain.
    pub assume: &'x str,
    /// Whether the domain is known to admit no subnormal factors.
    pub no_subnormals: bool,
    pub found: Option<&'x WorstInputs>,
    /// The error bounds on the domain: for factors that are normal or zero, and for all finite factors.
    pub bounds: [Option<ErrorBound>; 2],
    /// Their absolute parts, by the block scales.
    pub of_scales: &'x [Option<ScaleBound>; 2],
    /// Whether the domain has all finite operands, and the bounds are of these.
    pub is_everywhere: bool,
    /// A number that no error in the domain exceeds, in the measure of the search.
    pub greatest: Option<Quotient>,
    pub raised: RaiseOutcome,
    pub tried: u64,
    pub seconds: f64,
}

impl<'x> WorstReport<'x> {
    /// Writes the answer as text, for a person.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let signature = self.model.signature();
        writeln!(out, "{}: {signature}\n", self.model)?;
        match self.found {
            None => writeln!(out, "no operands were found that are as assumed\n")?,
            Some(worst) => {
                write_runs(out, &signature, &worst.inputs)?;
                writeln!(out, "\n  d = {}\n", value_text(&signature.d, worst.d))?;
                writeln!(
                    out,
                    "  error  {} {}",
                    about(&worst.error),
                    self.search.measure.describe()
                )?;
                if let Some(bound) = &worst.bound {
                    writeln!(out, "  bound  {} for these operands", about(bound))?;
                }
                if let Some(ratio) = worst.ratio.as_ref().filter(|ratio| !ratio.is_infinite()) {
                    writeln!(out, "  ratio  {:.2}", ratio.approximate())?;
                }
                if worst.inputs.a.len() <= MOST_IN_LINE {
                    writeln!(out, "  as a line: {}", worst.inputs.to_line(&signature))?;
                }
                writeln!(out)?;
            }
        }
        self.write_bound(out)?;
        writeln!(out, "{}", self.verdict())?;
        let (seed, tried, seconds) = (self.search.seed, self.tried, self.seconds);
        writeln!(
            out,
            "\n# {PROGRAM}, seed {seed}, {tried} operands tried, {seconds:.2} s"
        )?;
        if self.model.to_string() != self.model.canonical() {
            writeln!(out, "# {} is {}", self.model, self.model.canonical())?;
        }
        Ok(())
    }

    /// Writes the proved bound, with its absolute part for normal factors and for all finite
    /// factors.
    fn write_bound(&self, out: &mut dyn Write) -> Result<(), Error> {
        let proved = QuantityBound {
            what: "the error is",
            assume: (!self.is_everywhere).then_some(self.assume),
            bounds: &self.bounds,
            of_scales: self.of_scales,
            no_subnormals: self.no_subnormals,
        };
        if !proved.write(out)? {
            return Ok(());
        }
        if let Some(greatest) = self
            .greatest
            .as_ref()
            .filter(|greatest| self.says_something(greatest))
        {
            let (unit, assume) = (self.search.measure.describe(), self.assume);
            writeln!(out, "where {assume}: at most {} {unit}", about(greatest))?;
        }
        Ok(())
    }

    /// Whether a bound on the domain is less than the error of any result may be: the sum itself, or
    /// as many last places as a number has.
    fn says_something(&self, greatest: &Quotient) -> bool {
        let precision = self.model.signature().d.precision();
        let most = match self.search.measure {
            Measure::Absolute => return true,
            Measure::Relative | Measure::RelativeToSum => 0,
            Measure::Ulp => precision.into(),
        };
        *greatest < whole(&Dyadic::new(1.into(), most))
    }

    fn verdict(&self) -> String {
        match (self.raised, self.found) {
            (_, None) => "nothing was found".into(),
            (
                RaiseOutcome::AllTried {
                    inputs,
                    is_explained,
                },
                _,
            ) => {
                let worse = if is_explained {
                    " but where underflow explains it"
                } else {
                    ""
                };
                format!("nothing is worse{worse}: proved by trying all {inputs} inputs")
            }
            (RaiseOutcome::Greatest, _) => "nothing is worse: proved by the solver".into(),
            (RaiseOutcome::Underflow, _) => {
                "the solver finds worse only where underflow explains it".into()
            }
            (RaiseOutcome::Unknown(stopped), _) => {
                format!(
                    "not known whether anything is worse: {}",
                    stopped.describe()
                )
            }
            (RaiseOutcome::NotAsked, _) => {
                "not known whether anything is worse: the solver was not asked".into()
            }
        }
    }

    /// The answer as JSON; `proof` is the path of a certificate, if one was asked for.
    pub fn answer(&'x self, proof: Option<Option<&'x Path>>) -> WorstAnswer<'x> {
        let signature = self.model.signature();
        let number = |of: fn(&WorstInputs) -> Option<&Quotient>| {
            self.found.and_then(of).map(QuotientObject::of)
        };
        let witnesses = self.found.into_iter();
        let witnesses =
            witnesses.map(|worst| VectorObject::new(&signature, &worst.inputs, &[worst.d]));
        let [normal, finite] = &self.bounds;
        let is_greatest = matches!(
            self.raised,
            RaiseOutcome::Greatest
                | RaiseOutcome::AllTried {
                    is_explained: false,
                    ..
                }
        );
        WorstAnswer {
            model: ModelText::of(self.model),
            measure: self.search.measure.name(),
            assume: self.assume,
            name: self.model.to_string(),
            witnesses: witnesses.collect(),
            largest_error: number(|worst| Some(&worst.error)),
            bound_here: number(|worst| worst.bound.as_ref()),
            ratio: number(|worst| worst.ratio.as_ref()),
            bound_of_normal_factors: normal.as_ref().map(BoundObject::of),
            bound: finite.as_ref().map(BoundObject::of),
            bound_of_scales: self.of_scales[1].as_ref().map(ScaleObject::of),
            bound_on_domain: self.greatest.as_ref().map(QuotientObject::of),
            is_greatest,
            remark: self.verdict(),
            tried: self.tried,
            cost: Cost::of_own(self.seconds, self.search.seed),
            proof,
        }
    }
}

/// `mmasmt worst`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct WorstAnswer<'x> {
    model: ModelText,
    measure: &'static str,
    assume: &'x str,
    name: String,
    witnesses: Vec<VectorObject>,
    largest_error: Option<QuotientObject>,
    /// A bound for the operands of the witness.
    bound_here: Option<QuotientObject>,
    /// The largest error, divided by this bound.
    ratio: Option<QuotientObject>,
    /// The bound for factors of the domain that are normal or zero.
    bound_of_normal_factors: Option<BoundObject>,
    /// The bound for all finite factors of the domain.
    bound: Option<BoundObject>,
    /// The absolute part of `bound` by the block scales; null without such scales, or if they do not change it.
    bound_of_scales: Option<ScaleObject>,
    /// A number that no error in the domain exceeds.
    bound_on_domain: Option<QuotientObject>,
    /// True if it is proved that nothing is worse.
    is_greatest: bool,
    remark: String,
    /// The number of operands that were tried.
    tried: u64,
    cost: Cost,
    /// The certificate of the bound; null if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("nullable" = true))]
    proof: Option<Option<&'x Path>>,
}

/// A number and its approximate value.
#[derive(Serialize, JsonSchema)]
pub(super) struct QuotientObject {
    hex: NumberText,
    about: f64,
}

/// A bound of errors: relative, times the sum of magnitudes, plus absolute.
#[derive(Serialize, JsonSchema)]
struct BoundObject {
    relative: NumberText,
    absolute: NumberText,
}

/// An absolute part of a bound: relative, times the greatest product of the two scales of a block, plus constant.
#[derive(Serialize, JsonSchema)]
struct ScaleObject {
    relative: NumberText,
    constant: NumberText,
}

impl ScaleObject {
    fn of(bound: &ScaleBound) -> ScaleObject {
        ScaleObject {
            relative: NumberText::of(&bound.relative),
            constant: NumberText::of(&bound.constant),
        }
    }
}

impl QuotientObject {
    pub(super) fn of(x: &Quotient) -> QuotientObject {
        QuotientObject {
            hex: NumberText::of(x),
            about: x.approximate(),
        }
    }
}

impl BoundObject {
    fn of(bound: &ErrorBound) -> BoundObject {
        BoundObject {
            relative: NumberText::of(&bound.relative()),
            absolute: NumberText::of(&bound.absolute),
        }
    }
}

/// What is proved of a quantity: a share of the sum of magnitudes, and an absolute part for normal factors and for all
/// finite ones.
pub(super) struct QuantityBound<'x> {
    /// The quantity, as the subject of a sentence.
    pub what: &'x str,
    /// The domain of the bounds; `None` for all finite operands.
    pub assume: Option<&'x str>,
    pub bounds: &'x [Option<ErrorBound>; 2],
    /// Their absolute parts, by the block scales.
    pub of_scales: &'x [Option<ScaleBound>; 2],
    pub no_subnormals: bool,
}

impl QuantityBound<'_> {
    /// Writes it. Returns whether anything is known.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<bool, Error> {
        let [Some(normal), Some(finite)] = self.bounds else {
            writeln!(out, "no bound is known for this model")?;
            return Ok(false);
        };
        let (what, relative) = (self.what, about(&whole(&finite.relative())));
        let domain = match self.assume {
            Some(assume) => format!(" where {assume}"),
            None => String::new(),
        };
        writeln!(
            out,
            "proved{domain}: {what} at most {relative} times the sum of the magnitudes of c and all products,"
        )?;
        let absolute = |bound: &ErrorBound, of_scales: &Option<ScaleBound>| match of_scales {
            None => whole(&bound.absolute).to_string(),
            Some(bound) => {
                let [share, constant] = [&bound.relative, &bound.constant].map(whole);
                format!(
                    "{share} times the greatest product of the two scales of a block, plus {constant}"
                )
            }
        };
        let [of_normal, of_finite] = self.of_scales;
        let (normal, finite) = (absolute(normal, of_normal), absolute(finite, of_finite));
        if self.no_subnormals || normal == finite {
            writeln!(out, "plus {normal}")?
        } else {
            writeln!(out, "plus {normal}; with subnormal factors, plus {finite}")?
        }
        Ok(true)
    }
}

pub(super) fn about(x: &Quotient) -> String {
    format!("{x} (about {:.3e})", x.approximate())
}

fn whole(x: &Dyadic) -> Quotient {
    Quotient::new(x, &Dyadic::new(1.into(), 0))
}

/// Writes the operands; a run of equal products is written once.
pub(super) fn write_runs(
    out: &mut dyn Write,
    signature: &Signature,
    inputs: &Inputs,
) -> Result<(), Error> {
    let mut lines = Vec::new();
    let products: Vec<_> = inputs.a.iter().zip(&inputs.b).collect();
    let mut start = 0;
    let mut runs = products.chunk_by(|x, y| x == y);
    // Only the operands shown become text: there may be a million.
    for run in runs.by_ref().take(MOST_LINES / 2) {
        let end = start + run.len() - 1;
        let place = if start == end {
            format!("[{start}]")
        } else {
            format!("[{start}..{end}]")
        };
        let (a, b) = (*run[0].0, *run[0].1);
        lines.push((format!("a{place}"), value_text(&signature.a, a)));
        lines.push((format!("b{place}"), value_text(&signature.b, b)));
        start = end + 1;
    }
    let left_out = runs.count();
    lines.push(("c".into(), value_text(&signature.c, inputs.c)));
    let width = widest(lines.iter().map(|(name, _)| name));
    for (name, value) in &lines {
        writeln!(out, "  {name:<width$}  {value}")?;
    }
    if left_out > 0 {
        writeln!(
            out,
            "  and {left_out} more runs of products (--json has them)"
        )?;
    }
    Ok(())
}
