//! The errors of one kernel on all operands that were drawn, in short: their quantiles.

/// The number of steps between the least error and the greatest.
const STEPS: usize = 100;

/// Quantiles of errors, relative to the sum of magnitudes and absolute. An error is infinite where the result is not finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorQuantiles {
    /// The quantiles of errors relative to the sum of magnitudes, in rising order.
    pub relative: Vec<f64>,
    /// The quantiles of absolute errors, in rising order.
    pub absolute: Vec<f64>,
}

impl ErrorQuantiles {
    /// The quantiles of these errors, in either measure.
    pub(super) fn of(relative: Vec<f64>, absolute: Vec<f64>) -> ErrorQuantiles {
        let [relative, absolute] = [relative, absolute].map(quantiles);
        ErrorQuantiles { relative, absolute }
    }
}

/// The least of the errors, and then the least that one, two, and so on, of `STEPS` equal shares do not exceed.
fn quantiles(mut errors: Vec<f64>) -> Vec<f64> {
    errors.sort_unstable_by(f64::total_cmp);
    let Some(last) = errors.len().checked_sub(1) else {
        return errors;
    };
    let steps = STEPS.min(last).max(1);
    let places = (0..=steps).map(|step| (last * step).div_ceil(steps));
    places.map(|place| errors[place]).collect()
}
