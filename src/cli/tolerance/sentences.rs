//! What `tolerance` says, in sentences: what is proved, what a test may paste, and what somebody's tolerance lets pass.

use super::report::{TestTolerance, ToleranceReport};
use super::words::{decimal, fails, in_f64, percent, python, short};
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::claims::bounds::ScaleBound;
use mmasmt_questions::errors::tolerance::Range;
use mmasmt_questions::inputs::Source;

/// The most products of operands that are shown as a line.
const FEW: u32 = 32;
/// The share of tests that fail where a tolerance is said to catch a kernel.
const CAUGHT: f64 = 0.99;

/// What the letter of a scale stands for.
const SCALE: &str = "G the greatest product of the two scales of a block";

impl ToleranceReport<'_> {
    /// Lines to paste into a test, where `d` is what is tested and `exact` the product in f64.
    pub(super) fn paste(&self) -> Vec<String> {
        let signature = self.model.signature();
        let Some(proved) = self.proved.filter(|_| in_f64(&signature)) else {
            return Vec::new();
        };
        let beside = proved.beside_f64(&signature, self.range);
        let number = |x: &Dyadic| python(decimal(x));
        let r = number(&beside.relative);
        let t = absolute(&beside.absolute, beside.of_scales.as_ref(), " * ");
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
    pub(super) fn limits(&self) -> String {
        match self.range {
            None => String::new(),
            Some(Range { factors, c: 0.0 }) => format!(", |a|, |b| <= {}", short(factors)),
            Some(Range { factors, c }) => {
                let [factors, c] = [factors, c].map(short);
                format!(", |a|, |b| <= {factors}, |c| <= {c}")
            }
        }
    }

    /// What is proved: the sentence before the bounds, and a line for each of them.
    pub(super) fn proved_lines(&self) -> (String, Vec<String>) {
        let Some(proved) = self.proved else {
            let none = "proved: nothing, as no bound is known for this model; what follows is of random operands alone";
            return (none.into(), Vec::new());
        };
        let head = format!(
            "proved where nothing overflows{}; S is the sum of the magnitudes of c and all products:",
            self.limits()
        );
        let r = python(decimal(&proved.relative));
        let of_normal = proved.of_scales_of_normal.as_ref();
        let normal = absolute(&proved.absolute_of_normal, of_normal, " ");
        let t = absolute(&proved.absolute, proved.of_scales.as_ref(), " ");
        let meaning = |is_meant: bool| match is_meant {
            true => format!(", {SCALE}"),
            false => String::new(),
        };
        let of_first = meaning(of_normal.is_some());
        let mut lines = vec![format!("error <= {r} S + {normal}{of_first}")];
        if normal != t {
            let of_second = meaning(of_normal.is_none() && proved.of_scales.is_some());
            lines.push(format!(
                "with subnormal factors: error <= {r} S + {t}{of_second}"
            ));
        }
        lines.push(format!("if no term is negative: rtol = {r}, atol = {t}"));
        lines.push(match (&proved.within, self.range) {
            (Some(within), _) => {
                format!("otherwise: rtol = 0, atol = {}", python(decimal(within)))
            }
            (None, Some(_)) => "otherwise: no atol, as a result may overflow".into(),
            (None, None) => "otherwise: an atol follows from a range of operands, --range X".into(),
        });
        lines.push("no rtol alone can be proved: where terms cancel, the error may be far larger than the result".into());
        (head, lines)
    }

    /// The sentence above the lines to paste; `None` if there are none.
    pub(super) fn paste_head(&self) -> Option<String> {
        let scales = self.model.signature().scales;
        let scaled = match (scales, self.proved?.of_scales.as_ref()) {
            (None, _) => String::new(),
            (Some(_), None) => ", a and b times their scales".into(),
            (Some(_), Some(_)) => format!(", a and b times their scales, {SCALE}"),
        };
        (!self.paste().is_empty()).then(|| {
            format!(
                "for a test, where all of d, a, b, c are in f64{scaled}, and so is exact, the product of a and b plus c:"
            )
        })
    }

    /// Whether the right kernel may fail somebody's test, and which wrong kernels pass it: the sentence that says the
    /// test, and a line for each answer; `None` if there is no such test.
    pub(super) fn own_lines(&self) -> Option<(String, Vec<String>)> {
        let TestTolerance { numbers, tolerance } = self.own?;
        let [atol, rtol] = numbers.map(python);
        let head =
            format!("yours: |d - exact| <= atol + rtol |exact|, atol = {atol}, rtol = {rtol}");
        let proved = self.proved.filter(|proved| tolerance.is_proved(proved));
        let within = self.proved.and_then(|proved| proved.within.as_ref());
        let mut lines = Vec::new();
        match (proved, &self.found.failing, within) {
            (Some(_), _, _) => lines.push(format!(
                "the right kernel never fails it where nothing overflows{} (proved)",
                self.limits()
            )),
            (None, Some((place, inputs)), _) => {
                lines.push(format!(
                    "the right kernel fails it on {} of these operands, first on number {place} from 0 (--out writes them)",
                    self.found.right.own.unwrap_or_default()
                ));
                if self.model.signature().products <= FEW {
                    let line = inputs.to_line(&self.model.signature());
                    lines.push(format!("as a line: {line}"));
                }
            }
            (None, None, Some(within)) => lines.push(format!(
                "the right kernel passed it on all of these, which proves nothing: atol = {} is proved",
                python(decimal(within))
            )),
            (None, None, None) => lines.push(
                "the right kernel passed it on all of these, which proves nothing: an atol is proved within a range, --range X"
                    .into(),
            ),
        }
        let wrong = self.wrong.iter().zip(&self.found.wrong);
        let missed = wrong.filter(|(_, outside)| {
            let [_, test] = self.shares(outside.own.unwrap_or_default());
            test < CAUGHT
        });
        let missed: Vec<&str> = missed.map(|(wrong, _)| wrong.name.as_str()).collect();
        lines.push(match &missed[..] {
            [] => format!(
                "it catches every wrong kernel of the table in {} of tests or more",
                percent(CAUGHT)
            ),
            all => format!(
                "it lets these pass in more than {} of tests: {}",
                percent(1.0 - CAUGHT),
                all.join("; ")
            ),
        });
        Some((head, lines))
    }

    /// The share of results that are outside, and of tests that fail for it.
    pub(super) fn shares(&self, count: u64) -> [f64; 2] {
        let share = count as f64 / self.samples as f64;
        [share, fails(share, self.elements)]
    }
}

/// The part of a bound that is added, for all finite factors; where it grows with the scales, `times` stands between its
/// factor and their product.
fn absolute(all: &Dyadic, of_scales: Option<&ScaleBound>, times: &str) -> String {
    let number = |x: &Dyadic| python(decimal(x));
    match of_scales {
        None => number(all),
        Some(bound) => {
            let [relative, constant] = [&bound.relative, &bound.constant].map(number);
            format!("{relative}{times}G + {constant}")
        }
    }
}
