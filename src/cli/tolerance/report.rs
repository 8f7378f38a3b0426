//! The output of `tolerance`.

use crate::cli::error::Error;
use crate::cli::output::{PROGRAM, widest};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::{Dyadic, Format};
use mmasmt_questions::claims::query::confidence;
use mmasmt_questions::errors::tolerance::{
    Drawn, Outside, OwnTolerance, Proved, Range, Sizes, Wrong,
};
use mmasmt_questions::inputs::{Source, Sources};
use mmasmt_questions::vectors::measure::Quotient;
use std::io::Write;

/// The answer of `tolerance`.
pub(super) struct ToleranceReport<'x> {
    pub(super) model: &'x Model,
    pub(super) range: Option<Range>,
    pub(super) proved: Option<&'x Proved>,
    pub(super) own: Option<&'x Own>,
    pub(super) sources: &'x Sources,
    pub(super) samples: u64,
    pub(super) elements: u64,
    pub(super) wrong: &'x [Wrong],
    pub(super) found: &'x Drawn,
    pub(super) seconds: f64,
}

/// The tolerance of somebody's test, and its `atol` and `rtol` as they were given.
pub(super) struct Own {
    pub(super) numbers: [f64; 2],
    pub(super) tolerance: OwnTolerance,
}

/// A tolerance: a decimal that is not below what is proved.
pub(super) fn decimal(x: &Dyadic) -> f64 {
    let about = Quotient::new(x, &Dyadic::new(1.into(), 0)).approximate();
    if about == 0.0 && x.leading_exponent().is_none() {
        return 0.0;
    }
    // Cut to 53 bits; two places more are above, whatever the decimal is rounded to.
    let above = about.next_up().next_up();
    let text = format!("{above:.3e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: u64 = digits.replace('.', "").parse().unwrap_or(0);
    let number = |digits: u64| format!("{digits}e{}", exponent.parse::<i32>().unwrap_or(0) - 3);
    let value = |digits: u64| number(digits).parse().unwrap_or(f64::INFINITY);
    match value(digits) >= above {
        true => value(digits),
        false => value(digits + 1),
    }
}

/// Whether every product has at most 53 bits, so that a product of matrices in f64 rounds sums alone.
fn in_f64(signature: &Signature) -> bool {
    signature.a.precision() + signature.b.precision() <= Format::F64.precision()
}

/// A number as Python reads it.
fn python(x: f64) -> String {
    match x {
        0.0 => "0".into(),
        x => format!("{x:e}"),
    }
}

impl ToleranceReport<'_> {
    /// Lines to paste into a test, where `d` is what is tested and `exact` the product in f64.
    pub(super) fn paste(&self) -> Vec<String> {
        let signature = self.model.signature();
        let Some(proved) = self.proved.filter(|_| in_f64(&signature)) else {
            return Vec::new();
        };
        let beside = proved.beside_f64(&signature, self.range);
        let number = |x: &Dyadic| python(decimal(x));
        let [r, t] = [&beside.relative, &beside.absolute].map(number);
        let size = match self.sources.c {
            Source::Zero => "abs(a) @ abs(b)",
            _ => "abs(a) @ abs(b) + abs(c)",
        };
        let mut lines = vec![format!(
            "assert (abs(d - exact) <= {r} * ({size}) + {t}).all()"
        )];
        if let Some(atol) = beside.within.as_ref().map(number) {
            lines.push(format!(
                "torch.testing.assert_close(d.double(), exact, rtol=0, atol={atol})"
            ));
            lines.push(format!(
                "numpy.testing.assert_allclose(d.astype(\"f8\"), exact, rtol=0, atol={atol})"
            ));
        }
        lines
    }

    /// The range, in words; nothing without one.
    fn limits(&self) -> String {
        match self.range {
            None => String::new(),
            Some(Range { factors, c: 0.0 }) => format!(", |a|, |b| <= {}", short(factors)),
            Some(Range { factors, c }) => {
                let [factors, c] = [factors, c].map(short);
                format!(", |a|, |b| <= {factors}, |c| <= {c}")
            }
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let signature = self.model.signature();
        writeln!(out, "{}: {signature}\n", self.model)?;
        self.write_proved(out)?;
        let samples = self.samples;
        writeln!(
            out,
            "\nrandom: {samples} dot products, {}{}\n",
            self.sources,
            self.limits()
        )?;
        let percentile = self.found.relative.percentile;
        let name = percentile.map_or(String::new(), |high| format!("{} %", high.percent));
        writeln!(
            out,
            "             {:>9}  {name:>9}  {:>9}",
            "median", "largest"
        )?;
        for (name, sizes) in [
            ("error / S", &self.found.relative),
            ("error", &self.found.absolute),
        ] {
            let Sizes {
                median,
                percentile,
                largest,
            } = sizes;
            let high = percentile.map_or(String::new(), |high| format!("{:.2e}", high.size));
            writeln!(
                out,
                "  {name:<9}  {median:>9.2e}  {high:>9}  {largest:>9.2e}"
            )?;
        }
        if self.found.not_finite > 0 {
            let count = self.found.not_finite;
            writeln!(
                out,
                "  {count} results are not finite: these operands overflow"
            )?;
        }
        self.write_wrong(out)?;
        self.write_own(out)?;
        let lines = self.paste();
        if !lines.is_empty() {
            let scaled = match signature.scales {
                Some(_) => ", a and b times their scales",
                None => "",
            };
            writeln!(
                out,
                "\nfor a test, where all of d, a, b, c are in f64{scaled}, and so is exact, the product of a and b plus c:\n"
            )?;
            for line in lines {
                writeln!(out, "  {line}")?;
            }
        }
        let (seed, seconds) = (self.sources.seed, self.seconds);
        writeln!(out, "\n# {PROGRAM}, seed {seed}, {seconds:.2} s")?;
        Ok(())
    }

    fn write_proved(&self, out: &mut dyn Write) -> Result<(), Error> {
        let Some(proved) = self.proved else {
            return Ok(writeln!(
                out,
                "proved: nothing, as no bound is known for this model; what follows is of random operands alone"
            )?);
        };
        let numbers = [
            &proved.relative,
            &proved.absolute_of_normal,
            &proved.absolute,
        ];
        let [r, normal, t] = numbers.map(|x| python(decimal(x)));
        writeln!(
            out,
            "proved where nothing overflows{}; S is the sum of the magnitudes of c and all products:\n",
            self.limits()
        )?;
        writeln!(out, "  error <= {r} S + {normal}")?;
        if normal != t {
            writeln!(out, "  with subnormal factors: error <= {r} S + {t}")?;
        }
        writeln!(out, "  if no term is negative: rtol = {r}, atol = {t}")?;
        match (&proved.within, self.range) {
            (Some(within), _) => writeln!(
                out,
                "  otherwise: rtol = 0, atol = {}",
                python(decimal(within))
            )?,
            (None, Some(_)) => writeln!(out, "  otherwise: no atol, as a result may overflow")?,
            (None, None) => writeln!(
                out,
                "  otherwise: an atol follows from a range of operands, --range X"
            )?,
        }
        writeln!(
            out,
            "  no rtol alone can be proved: where terms cancel, the error may be far larger than the result"
        )?;
        Ok(())
    }

    /// Writes which wrong kernels are caught.
    fn write_wrong(&self, out: &mut dyn Write) -> Result<(), Error> {
        let elements = self.elements;
        writeln!(
            out,
            "\noutside of the tolerance: share of results, and of tests of {elements} results that fail\n"
        )?;
        let mut head = Vec::new();
        if self.proved.is_some() {
            head.push("proved");
        }
        if self.proved.is_some_and(|proved| proved.within.is_some()) {
            head.push("atol");
        }
        if self.own.is_some() {
            head.push("yours");
        }
        head.extend(["largest random", "the model's bits"]);
        let names = ["right".to_owned()].into_iter();
        let names: Vec<String> = names
            .chain(self.wrong.iter().map(|wrong| wrong.name.clone()))
            .collect();
        let width = widest(names.iter());
        let titles: Vec<_> = head.iter().map(|title| format!("{title:>17}")).collect();
        writeln!(out, "  {:width$}  {}", "", titles.join("  "))?;
        let all = [&self.found.right].into_iter().chain(&self.found.wrong);
        for (name, outside) in names.iter().zip(all) {
            let counts = counts(outside).into_iter().flatten();
            let cells = counts.map(|count| {
                let [share, test] = self.shares(count);
                format!(
                    "{:>7} {:>9}",
                    percent(share),
                    format!("({})", percent(test))
                )
            });
            let cells: Vec<_> = cells.collect();
            writeln!(out, "  {name:width$}  {}", cells.join("  "))?;
        }
        let none = confidence(0, self.samples)[1];
        writeln!(
            out,
            "\n0 %: none of {}, so with 95 % confidence at most {} of results",
            self.samples,
            percent(none)
        )?;
        Ok(())
    }

    /// Writes whether the right kernel may fail somebody's test, and which wrong kernels pass it.
    fn write_own(&self, out: &mut dyn Write) -> Result<(), Error> {
        let Some(Own { numbers, tolerance }) = self.own else {
            return Ok(());
        };
        let [atol, rtol] = numbers.map(python);
        writeln!(
            out,
            "\nyours: |d - exact| <= atol + rtol |exact|, atol = {atol}, rtol = {rtol}"
        )?;
        let proved = self.proved.filter(|proved| tolerance.is_proved(proved));
        let within = self.proved.and_then(|proved| proved.within.as_ref());
        match (proved, &self.found.failing, within) {
            (Some(_), _, _) => writeln!(
                out,
                "  the right kernel never fails it where nothing overflows{} (proved)",
                self.limits()
            )?,
            (None, Some((place, inputs)), _) => {
                writeln!(
                    out,
                    "  the right kernel fails it on {} of these operands, first on number {place} from 0 (--out writes them)",
                    self.found.right.own.unwrap_or_default()
                )?;
                if self.model.signature().products <= FEW {
                    let line = inputs.to_line(&self.model.signature());
                    writeln!(out, "  as a line: {line}")?;
                }
            }
            (None, None, Some(within)) => writeln!(
                out,
                "  the right kernel passed it on all of these, which proves nothing: atol = {} is proved",
                python(decimal(within))
            )?,
            (None, None, None) => writeln!(
                out,
                "  the right kernel passed it on all of these, which proves nothing: an atol is proved within a range, --range X"
            )?,
        }
        let wrong = self.wrong.iter().zip(&self.found.wrong);
        let missed = wrong.filter(|(_, outside)| {
            let [_, test] = self.shares(outside.own.unwrap_or_default());
            test < CAUGHT
        });
        let missed: Vec<&str> = missed.map(|(wrong, _)| wrong.name.as_str()).collect();
        match &missed[..] {
            [] => writeln!(
                out,
                "  it catches every wrong kernel of the table in {} of tests or more",
                percent(CAUGHT)
            )?,
            all => writeln!(
                out,
                "  it lets these pass in more than {} of tests: {}",
                percent(1.0 - CAUGHT),
                all.join("; ")
            )?,
        }
        Ok(())
    }

    /// The share of results that are outside, and of tests that fail for it.
    pub(super) fn shares(&self, count: u64) -> [f64; 2] {
        let share = count as f64 / self.samples as f64;
        [share, fails(share, self.elements)]
    }
}

/// The most products of operands that are shown as a line.
const FEW: u32 = 32;
/// The share of tests that fail where a tolerance is said to catch a kernel.
const CAUGHT: f64 = 0.99;

/// A number in few letters.
fn short(x: f64) -> String {
    match x {
        1e-4..1e6 => x.to_string(),
        _ => format!("{x:e}"),
    }
}

/// The chance that a test of that many results fails.
pub(super) fn fails(share: f64, elements: u64) -> f64 {
    0.0 - ((-share).ln_1p() * elements as f64).exp_m1()
}

pub(super) fn counts(of: &Outside) -> [Option<u64>; 5] {
    [
        of.proved,
        of.within,
        of.own,
        Some(of.largest),
        Some(of.bits),
    ]
}

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        0.0 => "0 %".into(),
        100.0 => "100 %".into(),
        x if x < 0.1 => format!("{x:.0e} %"),
        x if x > 99.9 => ">99.9 %".into(),
        x => format!("{x:.1} %"),
    }
}
