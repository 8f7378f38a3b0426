//! One product and `c`, which leave less than the least normal number: where results are flushed, a zero that has a sign or none.

use super::question::Question;
use crate::float::{Dyadic, Format};
use crate::vectors::Inputs;

/// Such inputs of the question's domain, the same each time; few.
pub(super) fn cancelled(question: &Question) -> impl Iterator<Item = Inputs> {
    let (signature, domain) = (question.signature(), question.domain());
    let (a, b, c) = (signature.a, signature.b, signature.c);
    let least = i64::from(signature.d.min_exponent());
    let power = |format: &Format, exponent: i64| Dyadic::new(1.into(), exponent).register(format);
    let count = signature.products as usize;
    let positions = [0, count.saturating_sub(1)];
    let signs = [[false, true], [true, false]];
    // The product is the least normal number, or twice that; c is of the other sign, and a quarter above, or half.
    let all = positions.into_iter().flat_map(move |position| {
        let each = signs
            .into_iter()
            .flat_map(|signs| [0, 1].map(|up| (signs, up)));
        each.map(move |(signs, up)| (position, signs, up))
    });
    let inputs = move |(position, [of_product, of_c], up): (usize, [bool; 2], i64)| {
        let half = (least + up).div_euclid(2);
        let factors = [power(&a, half)?, power(&b, least + up - half)?];
        let added = Dyadic::new((5 + up).into(), least - 2).register(&c)?;
        let mut inputs = Inputs::zero(&signature);
        *inputs.a.get_mut(position)? = a.signed(of_product, a.magnitude(factors[0]));
        *inputs.b.get_mut(position)? = factors[1];
        inputs.c = c.signed(of_c, c.magnitude(added));
        Some(domain.fixed_bits(&inputs))
    };
    let is_plain = !signature.is_integer() && signature.scales.is_none();
    let all = all.filter(move |_| is_plain).filter_map(inputs);
    all.filter(move |inputs| domain.contains(inputs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::property::Domain;

    /// The pairwise sum of one unit ends with +0, whose sum with a flushed -0 is +0; the other adds `c` last.
    #[test]
    fn flushed_zeros_of_two_signs_are_found() {
        let model = |text: &str| Model::parse(text).unwrap();
        let left = model("gps:K=4,G=2,in=bf16,repeat=8");
        let right = model("cpu:K=32,in=bf16,order=even-odd");
        let domain = Domain::parse("a[1..] zero, b[1..] zero", &left.signature()).unwrap();
        let question = Question::difference(&left, &right, Some(&domain)).unwrap();
        let all: Vec<Inputs> = cancelled(&question).collect();
        // Four of the first product, and c alone four times.
        assert_eq!(all.len(), 8);
        let results = |inputs: &Inputs| {
            [&left, &right].map(|model| model.simulator().evaluate(inputs).unwrap())
        };
        let found = all.iter().map(results).find(|[x, y]| x != y);
        assert_eq!(found, Some([0, 0x8000_0000]));
    }
}
