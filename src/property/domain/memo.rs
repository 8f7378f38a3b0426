//! What a predicate says of registers that it was asked about before: samples ask about the same few again and again.

use crate::float::Format;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// Wider registers are too many to remember: 64 KiB.
const WIDEST: u32 = 16;

const UNKNOWN: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;

/// The answers for registers of the first narrow format that was asked about.
#[derive(Debug, Default)]
pub(super) struct Memo(OnceLock<(Format, Box<[AtomicU8]>)>);

impl Memo {
    /// What `asked` says of the register, which is asked once.
    pub fn holds(&self, format: &Format, register: u64, asked: impl FnOnce() -> bool) -> bool {
        if format.width() > WIDEST {
            return asked();
        }
        let (of, known) = self.0.get_or_init(|| {
            let unknown = || AtomicU8::new(UNKNOWN);
            let known = std::iter::repeat_with(unknown).take(1 << format.width());
            (*format, known.collect())
        });
        let known = match known.get(register as usize) {
            Some(known) if of == format => known,
            _ => return asked(),
        };
        match known.load(Ordering::Relaxed) {
            UNKNOWN => {
                let holds = asked();
                known.store(if holds { TRUE } else { FALSE }, Ordering::Relaxed);
                holds
            }
            answer => answer == TRUE,
        }
    }
}

/// A copy remembers nothing.
impl Clone for Memo {
    fn clone(&self) -> Self {
        Memo::default()
    }
}

/// What is remembered makes no difference.
impl PartialEq for Memo {
    fn eq(&self, _: &Memo) -> bool {
        true
    }
}

impl Eq for Memo {}

#[cfg(test)]
mod tests {
    use super::Memo;
    use crate::float::Format;
    use std::cell::Cell;

    #[test]
    fn a_register_of_one_narrow_format_is_asked_once() {
        let (memo, count) = (Memo::default(), Cell::new(0));
        let is_odd = |memo: &Memo, format: &Format, register: u64| {
            memo.holds(format, register, || {
                count.set(count.get() + 1);
                register % 2 == 1
            })
        };
        for _ in 0..3 {
            for register in [0, 1, 2, 0xffff] {
                assert_eq!(is_odd(&memo, &Format::F16, register), register % 2 == 1);
            }
        }
        assert_eq!(count.take(), 4);
        // Of other formats, and by a copy, it is asked again.
        for format in [Format::BF16, Format::F32] {
            assert!(is_odd(&memo, &format, 1) && is_odd(&memo, &format, 1));
        }
        assert!(!is_odd(&memo.clone(), &Format::F16, 2));
        assert_eq!(count.take(), 5);
    }
}
