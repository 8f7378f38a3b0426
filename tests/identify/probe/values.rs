//! Values to registers: what the tests' inputs are made of.

use mmasmt_numbers::float::{Dyadic, Format, parse_value};
use num_bigint::BigInt;
use proptest::prelude::*;

/// Every finite number of a narrow format has its register.
#[test]
fn registers_of_values_in_narrow_formats() {
    for format in Format::ALL
        .into_iter()
        .filter(|format| format.width() <= 16)
    {
        for register in 0..1u64 << format.width() {
            let Some(value) = Dyadic::of(&format, register) else {
                continue;
            };
            let zero = format.magnitude(register) == 0;
            let expected = if zero { 0 } else { register };
            assert_eq!(
                value.register(&format),
                Some(expected),
                "{format} {register:x}"
            );
        }
    }
}

proptest! {
    /// As the reader of the command line has it, for values of all formats and of none.
    #[test]
    fn registers_are_those_of_the_parser(mantissa in -(1i64 << 26)..1 << 26, exponent in -170i64..140) {
        let value = Dyadic::new(BigInt::from(mantissa), exponent);
        for format in [Format::F16, Format::BF16, Format::TF32, Format::F32, Format::F64, Format::E4M3, Format::E2M1] {
            let parsed = parse_value(&format, &value.to_string()).ok();
            prop_assert_eq!(value.register(&format), parsed);
        }
    }

    #[test]
    fn sums_and_shifts(x in any::<i32>(), y in any::<i32>(), places in -20i64..20) {
        let number = |x: i32| Dyadic::new(BigInt::from(x), 0);
        let sum = Dyadic::new(BigInt::from(i64::from(x) + i64::from(y)), 0);
        prop_assert_eq!(number(x).plus(&number(y)), sum);
        prop_assert_eq!(number(x).shifted(places).shifted(-places), number(x));
        prop_assert_eq!(number(x).negated().is_negative(), x > 0);
    }
}
