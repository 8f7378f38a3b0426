//! Finds the rounding mode from eight results (Xie et al. §III-E, Tables I and II; Li et al.
//! Figure 1).

use crate::identify::probe::asker::{PlacedTerm, TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, number};
use crate::identify::probe::test::{Reading, named};
use crate::identify::probe::unread::{ReadingFailure, undecided};
use mmasmt_numbers::float::Dyadic;

/// A rounding mode, with the rule for ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Up,
    Down,
    Zero,
    Away,
    NearestUp,
    NearestDown,
    NearestZero,
    NearestAway,
    NearestEven,
    NearestOdd,
    Odd,
}

/// For each mode in Table I of MMA-Sim: whether rounding increases the magnitude of +0.75, of
/// +0.25, of -0.75, and of -0.25 units.
const DIRECTED: [(Mode, [bool; 4]); 4] = [
    (Mode::Up, [true, true, false, false]),
    (Mode::Down, [false, false, true, true]),
    (Mode::Zero, [false; 4]),
    (Mode::Away, [true; 4]),
];
const NEAREST: [bool; 4] = [true, false, true, false];

/// For each mode in Table II of MMA-Sim: whether rounding increases the magnitude of +0.5, +1.5,
/// -0.5, and -1.5 units, which are ties above an even and above an odd number of units. For 1 +
/// 1.5u with ties up, the paper prints 1 + u, but rounding up gives 1 + 2u.
const TIES: [(Mode, [bool; 4]); 6] = [
    (Mode::NearestUp, [true, true, false, false]),
    (Mode::NearestDown, [false, false, true, true]),
    (Mode::NearestZero, [false; 4]),
    (Mode::NearestAway, [true; 4]),
    (Mode::NearestEven, [false, true, false, true]),
    (Mode::NearestOdd, [true, false, true, false]),
];

impl Mode {
    /// The abbreviation of the mode in MMA-Sim.
    pub(super) fn name(self) -> &'static str {
        match self {
            Mode::Up => "RU",
            Mode::Down => "RD",
            Mode::Zero => "RZ",
            Mode::Away => "RA",
            Mode::NearestUp => "RNU",
            Mode::NearestDown => "RND",
            Mode::NearestZero => "RNZ",
            Mode::NearestAway => "RNA",
            Mode::NearestEven => "RNE",
            Mode::NearestOdd => "RNO",
            Mode::Odd => "RO",
        }
    }

    /// The name of the mode in Table IV of FTTN.
    pub(super) fn fttn_name(self) -> &'static str {
        match self {
            Mode::Zero => "truncate",
            Mode::NearestEven => "RTN-TE",
            Mode::Up => "up",
            Mode::Down => "down",
            other => other.name(),
        }
    }

    /// The answer of Fasi et al. for `what`, where all ways to nearest are one; undecided for modes
    /// that the paper does not know.
    pub(super) fn in_fasi(self, what: &str) -> Reading {
        let (name, shows) = match self {
            Mode::Zero => ("RZ", "is rounded toward zero"),
            Mode::Up => ("RU", "is rounded up"),
            Mode::Down => ("RD", "is rounded down"),
            Mode::Away | Mode::Odd => {
                return undecided(format!("{what} is rounded away from zero, or to odd"));
            }
            _ => ("RN", "is rounded to nearest"),
        };
        named(name, format!("{what} {shows}"))
    }

    /// The predicate of a sentence that describes the mode.
    pub(super) fn shows(self) -> &'static str {
        match self {
            Mode::Up => "is rounded toward +infinity",
            Mode::Down => "is rounded toward -infinity",
            Mode::Zero => "is cut: rounded toward zero",
            Mode::Away => "is rounded away from zero",
            Mode::NearestUp => "is rounded to nearest, ties toward +infinity",
            Mode::NearestDown => "is rounded to nearest, ties toward -infinity",
            Mode::NearestZero => "is rounded to nearest, ties toward zero",
            Mode::NearestAway => "is rounded to nearest, ties away from zero",
            Mode::NearestEven => "is rounded to nearest, ties to even",
            Mode::NearestOdd => "is rounded to nearest, ties to odd",
            Mode::Odd => "is rounded to odd: the neighbour whose last bit is 1",
        }
    }

    /// The mode in which the magnitude grows in exactly those cases, out of eight, for which
    /// `grows` is true; `None` if there is no such mode.
    fn of(grows: [bool; 8]) -> Option<Mode> {
        let (directed, ties) = grows.split_at(4);
        let find = |table: &[(Mode, [bool; 4])], row: &[bool]| {
            let found = table.iter().find(|(_, known)| known == row);
            found.map(|(mode, _)| *mode)
        };
        if directed == NEAREST {
            return find(&TIES, ties);
        }
        // Rounding to odd: above an even number of units every magnitude grows, above an odd number
        // none does.
        if (directed, ties) == (&[true; 4], &[true, false, true, false]) {
            return Some(Mode::Odd);
        }
        // A directed mode rounds ties in the same direction as all other values of the same sign.
        find(&DIRECTED, directed).filter(|_| {
            let same = [directed[0], directed[0], directed[2], directed[2]];
            ties == same
        })
    }
}

/// For each of the eight cases, in the order of Tables I and II: the number of quarters of a unit
/// that it adds to an even number of units.
pub(super) const QUARTERS: [i64; 8] = [3, 1, -3, -1, 2, 6, -2, -6];

/// Eight inputs whose exact results lie between two neighbours, in the order of [`QUARTERS`].
pub(super) struct QuarterCases {
    cases: Vec<ModeCase>,
}

/// The number of an input, and the two neighbours of its exact result: first the neighbour of
/// lesser magnitude, then the neighbour of greater magnitude. Both have the sign of the result.
pub(super) struct ModeCase {
    pub(super) id: usize,
    pub(super) low: Dyadic,
    pub(super) high: Dyadic,
}

impl QuarterCases {
    /// Adds an input for each of [`QUARTERS`]. Its summands are `terms(quarters)`, whose exact sum
    /// has the magnitude `base + |quarters| * 2^unit / 4` and the sign of `quarters`. `base` is 0
    /// or an even multiple of `2^unit`.
    pub(super) fn ask(
        asker: &mut TestInputs<'_>,
        base: &Dyadic,
        unit: i64,
        terms: impl Fn(i64) -> Vec<PlacedTerm>,
    ) -> Result<Self, FormatMisfit> {
        let cases = QUARTERS.map(|quarters| {
            let id = asker.add(&terms(quarters))?;
            let low = base.plus(&number(quarters.abs() / 4, unit));
            Ok(ModeCase::new(id, low, unit, quarters < 0))
        });
        let cases = cases.into_iter().collect::<Result<_, FormatMisfit>>()?;
        Ok(QuarterCases { cases })
    }

    /// The eight cases `cases`, whose inputs were added before.
    pub(super) fn of(cases: Vec<ModeCase>) -> Self {
        QuarterCases { cases }
    }

    /// The mode that the results show.
    pub(super) fn read(&self, results: &TestResults<'_>) -> Result<Mode, ReadingFailure> {
        let why = "the results follow no one rounding mode: bits are cut before the others are rounded, or something is rounded twice";
        let mode = self.pattern(results)?;
        mode.ok_or_else(|| ReadingFailure::Undecided(why.into()))
    }

    /// True if no result was rounded.
    pub(super) fn is_exact(&self, results: &TestResults<'_>) -> bool {
        self.cases.iter().zip(QUARTERS).all(|(case, quarters)| {
            let ModeCase { id, low, high } = case;
            let quarter = high.minus(low).shifted(-2);
            let quarters = (0..quarters.abs() % 4).map(|_| &quarter);
            let exact = quarters.fold(low.clone(), |sum, quarter| sum.plus(quarter));
            results.is(*id, &exact).unwrap_or(false)
        })
    }

    /// The mode that the results show; `None` if they show no known mode.
    pub(super) fn pattern(
        &self,
        results: &TestResults<'_>,
    ) -> Result<Option<Mode>, ReadingFailure> {
        let mut grows = [false; 8];
        for (grows, case) in grows.iter_mut().zip(&self.cases) {
            let ModeCase { id, low, high } = case;
            *grows = match results.one_of(*id, &[low, high]) {
                Ok(at) => at == 1,
                Err(_) => {
                    // The tolerance is four units: a sum of a few terms has no larger rounding
                    // error.
                    let tolerance = high.minus(low).shifted(2);
                    let why = "sums are rounded to another unit where they are smaller or larger";
                    return Err(results.near(*id, low, &tolerance, why));
                }
            };
        }
        Ok(Mode::of(grows))
    }
}

impl ModeCase {
    /// A case between `low` and `low + 2^unit`, or between their negatives if `negative`.
    pub(super) fn new(id: usize, low: Dyadic, unit: i64, negative: bool) -> Self {
        let high = low.plus(&number(1, unit));
        let (low, high) = if negative {
            (low.negated(), high.negated())
        } else {
            (low, high)
        };
        ModeCase { id, low, high }
    }
}
