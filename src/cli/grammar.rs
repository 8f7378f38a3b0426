//! The grammar of assumptions, as `--help` shows it.

/// The grammar of `--where`, for `--help`.
pub(super) const DOMAINS: &str = "\
Assumptions (--where), with commas between them:
  [OPERANDS] finite | normal | zero-or-normal | subnormal | nonzero | positive | negative
  [OPERANDS] zero            +0 or -0; `= 0` is +0 alone
  [OPERANDS] exp LOW..HIGH   exponents from LOW to HIGH, both included; 1 has the exponent 0
  [OPERANDS] bits COUNT      significands of at most COUNT bits, the leading one included
  [OPERANDS] in FORMAT       finite numbers that FORMAT (f16, e4m3, fp4, ...) has too
  [OPERANDS] from LOW..HIGH  integers from LOW to HIGH, both included
  OPERANDS = VALUE           bits (0x3c00), a C99 hex float or a decimal
  OPERANDS = [-]OPERANDS     the same registers, or those of the negatives: `a[1..] = a[0], b = a`
OPERANDS are a, b, c, sa, sb, factors (a and b) or all; without OPERANDS all are meant. A name with
[2], [1..] or [0..4] after it means some of them: `c = 0, a[1..] zero, factors exp -3..5, all bits 4`.";

#[cfg(test)]
mod tests {
    use super::DOMAINS;
    use mmasmt_questions::claims::property::WORDS;

    #[test]
    fn the_help_names_every_word_that_the_parser_takes() {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '-';
        let said: Vec<_> = DOMAINS.split(|letter| !is_part(letter)).collect();
        for word in WORDS {
            assert!(said.contains(&word.name), "{}", word.name);
        }
    }
}
