//! Where the numbers of operands come from: a distribution, or numbers of one's own.

use super::distribution::{normal, uniform};
use super::reals::{cast, register, value};
use mmasmt_core::machines::algorithms::{Inputs, Operand, Signature};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The number of operands that are drawn from one stream of random numbers.
const BLOCK: u64 = 256;
/// How many numbers are drawn for one within the range, at most.
pub const MOST_DRAWN: u32 = 1000;

/// Where numbers come from. They are rounded to nearest; beyond the greatest number of a format, that
/// number is taken. Operands with block scales are such numbers divided by the scale of their block.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Always +0.
    Zero,
    /// This many times a number from -1 to 1, each as likely as any other.
    Uniform(f64),
    /// This many times a number from 0 to 1, each as likely as any other.
    Positive(f64),
    /// This many times a number of mean 0 and variance 1.
    Normal(f64),
    /// Any of these numbers, each as likely as any other.
    Of(NumberList),
}

/// Numbers of one's own, and what they are called.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberList {
    name: String,
    all: Arc<[f64]>,
}

impl NumberList {
    /// Finite numbers, at least one, with a name.
    ///
    /// # Errors
    /// A sentence that says what was expected.
    pub fn new(name: &str, all: Vec<f64>) -> Result<NumberList, String> {
        if all.is_empty() {
            return Err("expected at least one number, found none".into());
        }
        if let Some(at) = all.iter().position(|x| !x.is_finite()) {
            let found = all[at];
            return Err(format!(
                "expected finite numbers, found {found} at place {at}"
            ));
        }
        Ok(NumberList {
            name: name.into(),
            all: all.into(),
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scale, name) = match self {
            Source::Zero => return f.write_str("0"),
            Source::Of(numbers) => return f.write_str(&numbers.name),
            Source::Uniform(scale) => (scale, "uniform"),
            Source::Positive(scale) => (scale, "positive"),
            Source::Normal(scale) => (scale, "normal"),
        };
        if *scale != 1.0 {
            write!(f, "{scale}*")?;
        }
        f.write_str(name)
    }
}

impl Source {
    /// The source with this name: `0`, `normal`, `uniform`, `positive`, or `1000*normal`; `None` for
    /// any other text.
    ///
    /// # Errors
    /// If the number before `*` is no scale.
    pub fn named(text: &str) -> Result<Option<Source>, String> {
        let (scale, name) = match text.split_once('*') {
            None => (None, text),
            Some((scale, name)) => (Some(scale), name),
        };
        let of = match name.trim() {
            "0" | "zero" if scale.is_none() => return Ok(Some(Source::Zero)),
            "normal" => Source::Normal,
            "uniform" => Source::Uniform,
            "positive" => Source::Positive,
            _ => return Ok(None),
        };
        let number = scale.map_or(Ok(1.0), |scale| scale.trim().parse());
        match number {
            Ok(scale) if f64::is_finite(scale) && scale > 0.0 => Ok(Some(of(scale))),
            _ => Err(format!(
                "expected a number above 0 before `*`, found `{}`",
                excerpt(text)
            )),
        }
    }

    /// The register of the next number.
    pub fn number(&self, format: &Format, rng: &mut ChaCha8Rng) -> u64 {
        match self {
            Source::Zero => 0,
            _ => register(format, self.drawn(rng)),
        }
    }

    /// The next number, not rounded.
    fn drawn(&self, rng: &mut ChaCha8Rng) -> f64 {
        match self {
            Source::Zero => 0.0,
            Source::Uniform(scale) => scale * uniform(rng),
            Source::Positive(scale) => scale * uniform(rng).abs(),
            Source::Normal(scale) => scale * normal(rng),
            Source::Of(numbers) => numbers.all[rng.random_range(0..numbers.all.len())],
        }
    }

    /// True if no number is negative.
    pub fn is_positive(&self) -> bool {
        match self {
            Source::Zero | Source::Positive(_) => true,
            Source::Uniform(_) | Source::Normal(_) => false,
            Source::Of(numbers) => numbers.all.iter().all(|x| *x >= 0.0),
        }
    }
}

/// The sources of the factors and of `c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Sources {
    /// Of `a` and of `b`.
    pub factors: [Source; 2],
    /// Of `c`.
    pub c: Source,
    /// The greatest magnitudes of factors and of `c`, where they are limited: what is greater is drawn
    /// again.
    pub within: [Option<f64>; 2],
    /// The seed. The same seed draws the same operands.
    pub seed: u64,
}

/// Why no operands were drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The operands cannot be drawn.
    #[error("{0}")]
    Operands(String),
    /// A limit was reached.
    #[error("a limit was reached before all operands were drawn")]
    Stopped,
}

/// The operands, in words.
impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.factors;
        match a == b {
            true => write!(f, "factors {a}")?,
            false => write!(f, "a {a}, b {b}")?,
        }
        match &self.c {
            Source::Zero => f.write_str(", c = 0"),
            c => write!(f, ", c {c}"),
        }
    }
}

impl Sources {
    /// The source of operand `index`, in the order in which operands are written.
    pub fn of(&self, signature: &Signature, index: usize) -> &Source {
        match index.checked_div(signature.products as usize) {
            Some(row @ 0..2) => &self.factors[row],
            _ => &self.c,
        }
    }

    /// Checks that operands of this signature can be drawn.
    ///
    /// # Errors
    /// If these are no floating-point numbers, or have block scales and a range.
    fn fit(&self, signature: &Signature) -> Result<(), DrawError> {
        let is_limited = self.within.iter().any(Option::is_some);
        let wrong = match (signature.scales.is_some(), signature.is_integer()) {
            (true, _) if is_limited => "without block scales where they have a range",
            (_, true) => "that are floating-point numbers",
            _ => return Ok(()),
        };
        let found = format!("expected operands {wrong}, found {signature}");
        Err(DrawError::Operands(found))
    }

    /// The results of workers for `samples` operands, in the order in which these are drawn. Blocks of them
    /// are drawn side by side, each for a worker that `begin` makes, which gives one result for each of its
    /// operands; the same seed draws the same operands, whatever the number of threads.
    ///
    /// # Errors
    /// If such operands cannot be drawn, a worker fails, or a limit is reached.
    pub fn each<T: Send, F: FnMut(&[Inputs]) -> Result<Vec<T>, DrawError>>(
        &self,
        signature: &Signature,
        samples: u64,
        limits: &Limits,
        begin: impl Fn() -> F + Sync,
    ) -> Result<Vec<T>, DrawError> {
        let draw = |rng: &mut ChaCha8Rng| self.draw(signature, rng);
        self.each_drawn(signature, samples, limits, draw, begin)
    }

    /// As [`each`](Self::each), where `draw` draws the operands from these sources.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn each_drawn<T: Send, F: FnMut(&[Inputs]) -> Result<Vec<T>, DrawError>>(
        &self,
        signature: &Signature,
        samples: u64,
        limits: &Limits,
        draw: impl Fn(&mut ChaCha8Rng) -> Result<Inputs, DrawError> + Sync,
        begin: impl Fn() -> F + Sync,
    ) -> Result<Vec<T>, DrawError> {
        self.fit(signature)?;
        let of_block = |block: u64| {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            rng.set_stream(block);
            let count = BLOCK.min(samples - block * BLOCK);
            let one = |_| match limits.stopped() {
                Some(_) => Err(DrawError::Stopped),
                None => draw(&mut rng),
            };
            let drawn = (0..count).map(one).collect::<Result<Vec<_>, DrawError>>()?;
            begin()(&drawn)
        };
        let blocks: Result<Vec<_>, _> = (0..samples.div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let found = limits.run(|| of_block(block));
                found.unwrap_or(Err(DrawError::Stopped))
            })
            .collect();
        Ok(blocks?.into_iter().flatten().collect())
    }

    /// `samples` operands, those that [`each`](Self::each) gives to its workers.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn drawn(
        &self,
        signature: &Signature,
        samples: u64,
        limits: &Limits,
    ) -> Result<Vec<Inputs>, DrawError> {
        self.each(signature, samples, limits, || {
            |drawn: &[Inputs]| Ok(drawn.to_vec())
        })
    }

    /// The next operands.
    ///
    /// # Errors
    /// If hardly any number is within the range.
    pub fn draw(&self, signature: &Signature, rng: &mut ChaCha8Rng) -> Result<Inputs, DrawError> {
        let mut inputs = Inputs::zero(signature);
        let [of_a, of_b] = &self.factors;
        if let Some(scales) = signature.scales {
            for (source, row, of_blocks) in [
                (of_a, Operand::A, Operand::AScales),
                (of_b, Operand::B, Operand::BScales),
            ] {
                let format = signature.row(row).map_or(signature.a, |row| row.format);
                let mut of_row = Vec::new();
                for elements in inputs.row_mut(row).chunks_mut(scales.block as usize) {
                    let numbers: Vec<f64> = elements.iter().map(|_| source.drawn(rng)).collect();
                    let (codes, scale) = cast(&numbers, &format, &scales.format);
                    elements.copy_from_slice(&codes);
                    of_row.push(scale);
                }
                inputs.row_mut(of_blocks).copy_from_slice(&of_row);
            }
            inputs.c = self.c.number(&signature.c, rng);
            return Ok(inputs);
        }
        let [factor, c] = self.within;
        let mut next = |source: &Source, format: &Format, most: Option<f64>| {
            let Some(most) = most else {
                return Ok(source.number(format, rng));
            };
            let mut drawn = (0..MOST_DRAWN).map(|_| source.number(format, rng));
            let found = drawn.find(|register| value(format, *register).abs() <= most);
            found.ok_or_else(|| {
                DrawError::Operands(format!(
                    "expected a range that one in {MOST_DRAWN} drawn numbers is in, found none of {source} within {most:e} in {format}"
                ))
            })
        };
        for k in 0..inputs.a.len() {
            inputs.a[k] = next(of_a, &signature.a, factor)?;
            inputs.b[k] = next(of_b, &signature.b, factor)?;
        }
        inputs.c = next(&self.c, &signature.c, c)?;
        Ok(inputs)
    }
}
