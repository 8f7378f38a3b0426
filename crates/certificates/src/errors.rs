//! The conclusion that the result differs from the exact sum by at most an amount, as long as nothing overflowed.

use crate::amounts::Amount;
use crate::atoms::Scaled;
use crate::places::Places;
use crate::steps::Step;
use crate::unit::Unit;
use crate::{Fails, need};
use serde_json::Value;

pub(crate) fn check(unit: &Unit<'_>, result: &Step, amount: &Value) -> Fails<()> {
    let domain = unit.domain;
    let claimed = Amount::read(amount, "error")?;
    let bound = result
        .bound
        .as_ref()
        .ok_or("nothing is known of an error")?;
    need(bound.has_c || domain.most_c.is_zero(), || {
        "the bound leaves out c".into()
    })?;
    let all = Places::range(0, domain.products);
    let has_all = bound.products.is_same_but(&all, &domain.zero_products);
    need(has_all, || "the bound leaves out a product".into())?;
    let is_scaled = !domain.has_scales || bound.scaled == Scaled::Yes || bound.products.is_empty();
    need(is_scaled, || {
        "the bound is that of products without scales".into()
    })?;
    let (error, _) = bound.first()?;
    need(error.is_at_most(&claimed, domain, bound.scaled), || {
        format!("expected an error of {error}, found {claimed}").to_lowercase()
    })
}
