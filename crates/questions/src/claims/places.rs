//! Sets of products, by the numbers of these.

/// Products: from the first to the last one of each range, in rising order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(Vec<[usize; 2]>);

impl Places {
    pub fn one(place: usize) -> Places {
        Places(vec![[place; 2]])
    }

    pub(in crate::claims) fn ranges(&self) -> impl Iterator<Item = [usize; 2]> {
        self.0.iter().copied()
    }

    /// All products of both, and whether some are of both.
    pub fn joined(&self, other: &Places) -> (Places, bool) {
        let (mut x, mut y) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut all: Vec<[usize; 2]> = Vec::new();
        let mut have_shared = false;
        loop {
            let next = match (x.peek(), y.peek()) {
                (Some(left), Some(right)) if left[0] <= right[0] => x.next(),
                (_, Some(_)) => y.next(),
                _ => x.next(),
            };
            let Some(&[first, last]) = next else {
                return (Places(all), have_shared);
            };
            match all.last_mut() {
                Some(before) if first <= before[1] + 1 => {
                    have_shared |= first <= before[1];
                    before[1] = before[1].max(last);
                }
                _ => all.push([first, last]),
            }
        }
    }
}
