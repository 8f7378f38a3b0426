//! Cases of operands: every number is in one, and halves are all of a case.

use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::claims::exactness::{halves, last_binade, least_code};

/// Every number of a format of at most 8 bits lies in exactly one binade, and all numbers of a
/// binade other than that of zero have the same exponent.
#[test]
fn binades_have_all_numbers_once() {
    let formats = Format::ALL.into_iter();
    let small = formats.filter(|format| format.width() <= 8 && !format.is_integer());
    for format in small {
        let mut next = 0;
        for binade in 0..=last_binade(&format) {
            let beyond = least_code(&format, binade + 1).min(format.max_finite() + 1);
            assert!(next < beyond, "{format:?}: {binade}");
            let exponent = |code: u64| {
                let value = Dyadic::of(&format, format.signed(false, code)).unwrap();
                let bits = value.mantissa().magnitude().bits();
                (bits > 0).then(|| value.exponent() + bits as i64)
            };
            let exponents: Vec<_> = (next..beyond).map(exponent).collect();
            assert!(exponents.iter().all(|other| *other == exponents[0]));
            next = beyond;
        }
        assert_eq!(next, format.max_finite() + 1, "{format:?}");
    }
}

#[test]
fn halves_are_all_of_a_case() {
    let mut open = vec![[0..=4, 2..=12]];
    let mut cells = Vec::new();
    while let Some(case) = open.pop() {
        match halves(case.clone()) {
            Some(both) => open.extend(both),
            None => cells.push(case.map(|range| *range.start())),
        }
    }
    cells.sort_unstable();
    let all = (0..=4).flat_map(|a| (2..=12).map(move |b| [a, b]));
    assert_eq!(cells, all.collect::<Vec<[u32; 2]>>());
}
