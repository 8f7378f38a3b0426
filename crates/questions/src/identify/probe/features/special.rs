//! Special values (Xie et al. §III-F): -0 and NaN.

use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{FormatMisfit, ProbeSum};
use crate::identify::probe::test::{ReadingRule, flag, named};
use mmasmt_numbers::float::{Format, NanCode};

/// Asks if a sum of which all terms are -0 is -0, with `-0 + (+0 * -0) + ...`.
pub(super) fn negative_zero(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    let formats = [signature.b, signature.c, signature.d];
    if let Some(without) = formats.iter().find(|format| !format.has_negative_zero()) {
        return Err(FormatMisfit(format!("{without} has no -0")));
    }
    let mut sum = ProbeSum::new(signature).c_register(signature.c.sign_mask());
    for k in 0..asker.products() {
        sum = sum.registers(k, 0, signature.b.sign_mask())?;
    }
    let id = asker.push(sum.inputs());
    let minus = signature.d.sign_mask();
    Ok(Box::new(move |results| match results.register(id)? {
        0 => flag(false, "", "a sum of nothing but -0 is +0"),
        register if register == minus => flag(true, "a sum of nothing but -0 is -0", ""),
        _ => Err(results.unexpected(id)),
    }))
}

/// Returns a rule that reads the code of a NaN, which the result number `id` must be.
fn nan(id: usize, format: Format, what: &'static str) -> Result<ReadingRule, FormatMisfit> {
    Ok(Box::new(move |results| {
        let register = results.register(id)?;
        if !format.is_nan(register) {
            return Err(results.unexpected(id));
        }
        let code = [NanCode::Ones, NanCode::Quiet];
        let is_code = |code: &&NanCode| format.nan(**code) == register & !format.sign_mask();
        let negative = register & format.sign_mask() != 0;
        let name = match (code.iter().find(is_code), negative) {
            (Some(NanCode::Ones), false) => "all ones",
            (Some(NanCode::Ones), true) => "all ones, with the sign",
            (Some(_), false) => "quiet",
            (Some(_), true) => "quiet, with the sign",
            (None, _) => "with a payload",
        };
        let bits = format!("{register:0digits$x}", digits = format.digits());
        named(bits.clone(), format!("{what} is the NaN {bits}: {name}"))
    }))
}

/// The register of infinity; an error if the format has no infinity.
pub(super) fn infinity(format: &Format) -> Result<u64, FormatMisfit> {
    if format.has_infinity() {
        Ok(format.infinity())
    } else {
        Err(FormatMisfit(format!("{format} has no infinity")))
    }
}

/// The NaN that a product gives: asks for `0 * inf`.
pub(super) fn nan_of_product(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    let sum = ProbeSum::new(signature).registers(0, 0, infinity(&signature.b)?)?;
    let id = asker.push(sum.inputs());
    nan(id, signature.d, "0 * inf")
}

/// The NaN that a sum gives: asks for `inf - inf`, as two products.
pub(super) fn nan_of_sum(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let signature = asker.signature;
    let plus = infinity(&signature.b)?;
    let one = signature.a.one();
    let sum = ProbeSum::new(signature).registers(0, one, plus)?;
    let sum = sum.registers(1, one, plus | signature.b.sign_mask())?;
    let id = asker.push(sum.inputs());
    nan(id, signature.d, "inf - inf")
}
