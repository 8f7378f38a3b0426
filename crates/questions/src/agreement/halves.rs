//! The greatest domain of a family for which something is proved, by halving.

use super::known::{DomainVerdict, Verdict};
use crate::claims::query::QueryError;

/// A search for the greatest n for which something is proved, such as that two models agree, and for
/// the next n, for which it is not. What holds for some n holds for all smaller ones.
pub(super) struct Halves {
    low: i64,
    high: i64,
    holds: Option<DomainVerdict>,
    fails: Option<DomainVerdict>,
}

impl Halves {
    pub fn new([least, most]: [i64; 2]) -> Halves {
        Halves {
            low: least - 1,
            high: most + 1,
            holds: None,
            fails: None,
        }
    }

    /// Asks about one n after the other until no n is left: it halves the range, or goes upwards by
    /// 1 if `one_by_one`. An unknown verdict counts as a failure if `is_decided`; otherwise a later
    /// call asks about that n again. If the operands have no such domain, `ask` returns `None`, and
    /// nothing holds or fails.
    pub fn narrow(
        &mut self,
        [is_decided, one_by_one]: [bool; 2],
        mut ask: impl FnMut(i64) -> Result<Option<DomainVerdict>, QueryError>,
    ) -> Result<(), QueryError> {
        let (mut below, mut above) = (self.low, self.high);
        while above - below > 1 {
            let n = if one_by_one {
                below + 1
            } else {
                below + (above - below) / 2
            };
            let Some(known) = ask(n)? else {
                (self.holds, self.fails) = (None, None);
                break;
            };
            match known.verdict {
                Verdict::Agree(_) => (below, self.low, self.holds) = (n, n, Some(known)),
                Verdict::Unknown(_) if !is_decided => above = n,
                Verdict::NotAsked => {
                    self.fails = self.fails.take().or(Some(known));
                    break;
                }
                _ => (above, self.high, self.fails) = (n, n, Some(known)),
            }
        }
        Ok(())
    }

    /// The least n that is not settled is open.
    pub fn leave_open(&mut self, open: impl FnOnce(i64) -> DomainVerdict) {
        if self.high - self.low > 1 {
            self.fails = Some(open(self.low + 1));
        }
    }

    pub fn found(self) -> Vec<DomainVerdict> {
        self.holds.into_iter().chain(self.fails).collect()
    }
}
