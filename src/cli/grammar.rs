//! The grammar of assumptions, as `--help` shows it.

/// The grammar of `--assume`, for `--help`.
pub(super) const DOMAINS: &str = "\
Assumptions (--assume), with commas between them:
  [OPERANDS] finite | normal | subnormal | zero | nonzero | positive | negative
  [OPERANDS] exp LOW..HIGH   the exponent is one of these, both included: of 1 it is 0
  [OPERANDS] bits COUNT      significands of at most so many bits, the leading one included
  [OPERANDS] in FORMAT       finite numbers that FORMAT (f16, e4m3, fp4, ...) has too
  OPERANDS = VALUE           bits (0x3c00), a C99 hex float or a decimal
OPERANDS are a, b, c, sa, sb, factors (a and b) or all (without a name), with [2], [1..] or [0..4] behind them
for some: `c = 0, a[1..] zero, factors exp -3..5, all bits 4`.";
