//! The answer of `tolerance --matrices`, as text and as JSON.

use super::report::TestTolerance;
use super::words::{about, above, percent, python};
use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::json::{Cost, NamedModel};
use crate::cli::output::{PROGRAM, bits};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::errors::tolerance::{MatrixTolerance, OutsideElements};
use mmasmt_questions::matrices::Matrix;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// The most elements that the answer names.
const MOST_NAMED: usize = 1000;

/// The answer of `tolerance --matrices`.
pub(super) struct MatricesReport<'x> {
    model: &'x Model,
    found: &'x MatrixTolerance,
    own: Option<&'x TestTolerance>,
    /// The model's own results that are outside.
    right: OutsideElements,
    result: Option<MatrixVerdict>,
    start: Instant,
}

/// A result that is judged: its file, and the elements that are outside.
struct MatrixVerdict {
    name: String,
    matrix: Matrix,
    outside: OutsideElements,
}

/// `mmasmt tolerance --matrices`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct MatricesAnswer<'x> {
    #[serde(flatten)]
    model: NamedModel,
    /// The number of products of an element.
    k: u32,
    /// Rows and columns of the product.
    shape: [usize; 2],
    /// Bounds of the elements, rounded up; null if none is known.
    bound: Option<SizesOfElements>,
    /// The number of elements without a bound: an overflow may go unseen there.
    unbounded: usize,
    /// Errors of the model's results.
    error: Option<SizesOfElements>,
    yours: Option<YoursOfElements>,
    result: Option<ResultObject<'x>>,
    cost: Cost,
}

/// Sizes of all elements that have one.
#[derive(Serialize, JsonSchema)]
struct SizesOfElements {
    least: f64,
    median: f64,
    greatest: f64,
}

/// The tolerance of one's own test.
#[derive(Serialize, JsonSchema)]
struct YoursOfElements {
    atol: f64,
    rtol: f64,
    /// The number of elements whose bound is within it.
    covered: usize,
    /// The model's results that fail it.
    outside: OutsidePlaces,
}

/// Elements that are outside of something: how many, and the first thousand as rows and columns from 0.
#[derive(Serialize, JsonSchema)]
struct OutsidePlaces {
    count: usize,
    places: Vec<[usize; 2]>,
}

/// A result of one's own.
#[derive(Serialize, JsonSchema)]
struct ResultObject<'x> {
    file: &'x str,
    /// Outside of what is proved: no kernel with the steps of the model gives these.
    proved: OutsidePlaces,
    /// Outside of the tolerance of one's own test; null without one.
    yours: Option<OutsidePlaces>,
    /// With other bits than the model's.
    bits: OutsidePlaces,
}

impl<'x> MatricesReport<'x> {
    pub(super) fn new(
        model: &'x Model,
        found: &'x MatrixTolerance,
        own: Option<&'x TestTolerance>,
        result: Option<(String, Matrix)>,
        start: Instant,
    ) -> Self {
        let tolerance = own.map(|own| &own.tolerance);
        let right = found.right();
        let right = right.map(|right| found.outside(&right, tolerance));
        MatricesReport {
            model,
            found,
            own,
            right: right.unwrap_or_default(),
            result: result.map(|(name, matrix)| MatrixVerdict {
                outside: found.outside(&matrix, tolerance),
                name,
                matrix,
            }),
            start,
        }
    }

    /// Refuted if an element of the result is outside of what is proved; unknown if no bound is known.
    pub(super) fn status(&self) -> Status {
        let is_outside = |judged: &MatrixVerdict| !judged.outside.proved.is_empty();
        match self.result.as_ref().is_some_and(is_outside) {
            true => Status::No,
            false if self.unbounded() == self.found.elements.len() => Status::Unknown,
            false => Status::Yes,
        }
    }

    fn unbounded(&self) -> usize {
        let elements = self.found.elements.iter();
        elements.filter(|element| element.bound.is_none()).count()
    }

    fn bounds(&self) -> Option<SizesOfElements> {
        let elements = self.found.elements.iter();
        sizes(elements.filter_map(|element| element.bound.as_ref().map(above)))
    }

    fn errors(&self) -> Option<SizesOfElements> {
        let elements = self.found.elements.iter().enumerate();
        sizes(elements.filter_map(|(place, element)| {
            self.found
                .error(place, element.right)
                .map(|error| about(&error))
        }))
    }

    fn place(&self, place: usize) -> [usize; 2] {
        let columns = self.found.shape[1].max(1);
        [place / columns, place % columns]
    }

    fn places(&self, all: &[usize]) -> OutsidePlaces {
        let named = all.iter().take(MOST_NAMED);
        OutsidePlaces {
            count: all.len(),
            places: named.map(|place| self.place(*place)).collect(),
        }
    }

    pub(super) fn answer(&self) -> MatricesAnswer<'_> {
        let own = self.own;
        MatricesAnswer {
            model: NamedModel::of(self.model),
            k: self.model.signature().products,
            shape: self.found.shape,
            bound: self.bounds(),
            unbounded: self.unbounded(),
            error: self.errors(),
            yours: own.map(|own| YoursOfElements {
                atol: own.numbers[0],
                rtol: own.numbers[1],
                covered: self.found.covered(&own.tolerance),
                outside: self.places(&self.right.own),
            }),
            result: self.result.as_ref().map(|judged| ResultObject {
                file: &judged.name,
                proved: self.places(&judged.outside.proved),
                yours: own.map(|_| self.places(&judged.outside.own)),
                bits: self.places(&judged.outside.bits),
            }),
            cost: Cost::of_own(self.start.elapsed().as_secs_f64(), 0),
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let [rows, columns] = self.found.shape;
        let count = self.found.elements.len();
        writeln!(out, "{}: {}\n", self.model, self.model.signature())?;
        writeln!(
            out,
            "{count} elements, {rows} x {columns}, for the exponents that these matrices have\n"
        )?;
        writeln!(out, "                  least     median   greatest")?;
        let bounds = self.bounds();
        for (name, sizes) in [("bound", &bounds), ("model's error", &self.errors())] {
            if let Some(sizes) = sizes {
                let [least, median, greatest] = [sizes.least, sizes.median, sizes.greatest];
                writeln!(
                    out,
                    "  {name:<13}  {least:>9.2e}  {median:>9.2e}  {greatest:>9.2e}"
                )?;
            }
        }
        match (bounds, self.unbounded()) {
            (None, _) => writeln!(
                out,
                "\nproved: nothing, as no bound is known for this model"
            )?,
            (Some(_), 0) => {}
            (Some(_), some) => writeln!(
                out,
                "\n{some} elements have no bound, as a sum may overflow there"
            )?,
        }
        if let Some(own) = self.own {
            self.write_own(own, out)?;
        }
        if let Some(judged) = &self.result {
            self.write_result(judged, out)?;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?;
        Ok(())
    }

    fn write_own(&self, own: &TestTolerance, out: &mut dyn Write) -> Result<(), Error> {
        let [atol, rtol] = own.numbers.map(python);
        let count = self.found.elements.len();
        let covered = self.found.covered(&own.tolerance);
        writeln!(
            out,
            "\nyours: |d - exact| <= atol + rtol |exact|, atol = {atol}, rtol = {rtol}"
        )?;
        writeln!(
            out,
            "  a kernel with the steps of the model, in whatever order of products, never fails it on {covered} of {count} elements (proved)"
        )?;
        self.write_count(out, &self.right.own, "of the model's results fail it")
    }

    fn write_result(&self, judged: &MatrixVerdict, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(
            out,
            "\n{}: {} elements",
            judged.name,
            self.found.elements.len()
        )?;
        let outside = &judged.outside;
        self.write_count(out, &outside.proved, "are outside of what is proved")?;
        if let Some(first) = outside.proved.first() {
            let element = &self.found.elements[*first];
            let [row, column] = self.place(*first);
            let d = judged.matrix.get(row, column);
            let number = Dyadic::of(&self.found.format, d).map(|d| python(about(&d)));
            let number = number.unwrap_or_else(|| "no finite number".into());
            let bound = element.bound.as_ref().map_or(0.0, above);
            writeln!(
                out,
                "  there d = {} ({number}), exact {}, bound {bound:.3e}",
                bits(&self.found.format, d),
                python(about(&element.exact.value)),
            )?;
        }
        if self.own.is_some() {
            self.write_count(out, &outside.own, "fail your test")?;
        }
        self.write_count(
            out,
            &outside.bits,
            "have other bits than the model's results",
        )
    }

    /// Writes how many elements something is said of, and the first of them.
    fn write_count(&self, out: &mut dyn Write, places: &[usize], what: &str) -> Result<(), Error> {
        let share = places.len() as f64 / self.found.elements.len().max(1) as f64;
        let first = places.first().map_or(String::new(), |first| {
            let [row, column] = self.place(*first);
            format!(" ({}), first ({row}, {column})", percent(share))
        });
        writeln!(out, "  {} {what}{first}", places.len())?;
        Ok(())
    }
}

fn sizes(numbers: impl Iterator<Item = f64>) -> Option<SizesOfElements> {
    let mut all: Vec<f64> = numbers.collect();
    all.sort_unstable_by(f64::total_cmp);
    Some(SizesOfElements {
        least: *all.first()?,
        median: *all.get((all.len() - 1) / 2)?,
        greatest: *all.last()?,
    })
}
