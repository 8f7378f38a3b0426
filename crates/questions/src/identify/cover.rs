//! Minimum test cover: finds the fewest inputs that separate all models that the pool separates.
//! Also finds models that are hard to separate.

use super::answers::{Partition, together};
use mmasmt_numbers::base::limits::{Limits, work};

/// The chosen columns, and whether they are proved to be the fewest in the pool.
pub struct Cover {
    pub chosen: Vec<usize>,
    pub proved: bool,
    /// The partition by all columns.
    pub all: Partition,
}

/// The number of steps after which the search is given up.
const STEPS: usize = 300_000;
/// The search goes through pairs of models, the hardest first. If there are many pairs, it takes a
/// sample of less than twice this many.
const PAIRS: usize = 4096;
/// The cost of reading one model's answer, in the unit of [`work`]: the bytes of the nodes that
/// could be made in the same time.
const LOOK: u64 = 8;

/// The fewest of `columns` that split the models into the same parts as all columns do. Each column
/// holds the answers of all models to one input. A greedy choice is followed by an exact search for
/// fewer columns. If a limit stops the greedy choice, the cover is every column that splits a part
/// left by the columns before it.
pub fn cover(models: usize, columns: &[Vec<u64>], limits: &Limits) -> Cover {
    let mut all = Partition::whole(models);
    let mut splitting = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let before = all.parts;
        all.refine(column);
        if all.parts > before {
            splitting.push(index);
        }
    }
    let begun = limits.run(|| {
        let best = greedy(models, columns, all.parts);
        (best, hardest_pairs(&all, columns))
    });
    let Ok((mut best, pairs)) = begun else {
        return Cover {
            chosen: splitting,
            proved: false,
            all,
        };
    };
    let mut search = CoverSearch {
        columns,
        goal: all.parts,
        pairs,
        steps: STEPS,
        limits,
    };
    while best.len() > 1 {
        let mut chosen = Vec::new();
        let room = best.len() - 1;
        if search.extend(&Partition::whole(models), &mut chosen, room) {
            best = chosen;
        } else {
            break;
        }
    }
    Cover {
        chosen: best,
        proved: search.steps > 0,
        all,
    }
}

fn greedy(models: usize, columns: &[Vec<u64>], goal: u32) -> Vec<usize> {
    let mut chosen = Vec::new();
    let mut partition = Partition::whole(models);
    while partition.parts < goal {
        let left = |column: &Vec<u64>| {
            // The cost includes sorting the keys.
            work(LOOK * column.len() as u64 * u64::from(models.max(2).ilog2()));
            let keys = partition.part.iter().zip(column);
            together(&mut keys.collect::<Vec<_>>())
        };
        let Some(best) = (0..columns.len()).min_by_key(|&index| left(&columns[index])) else {
            break;
        };
        partition.refine(&columns[best]);
        chosen.push(best);
    }
    chosen
}

/// Pairs of models in different parts of `all`, the pool's partition. Each pair comes with the
/// columns that separate its models; the pairs with the fewest columns come first.
pub fn hardest_pairs(all: &Partition, columns: &[Vec<u64>]) -> Vec<([usize; 2], Vec<usize>)> {
    // One model represents each part.
    let firsts: Vec<usize> = all.members().iter().map(|members| members[0]).collect();
    let mut pairs: Vec<([usize; 2], Vec<usize>)> = Vec::new();
    let stride = (firsts.len() * firsts.len() / (2 * PAIRS)).max(1);
    let both = firsts.iter().enumerate();
    let both = both.flat_map(|(index, x)| firsts[index + 1..].iter().map(move |y| [*x, *y]));
    for [x, y] in both.step_by(stride) {
        work((stride + columns.len()) as u64);
        let tell = (0..columns.len()).filter(|&index| columns[index][x] != columns[index][y]);
        pairs.push(([x, y], tell.collect()));
    }
    pairs.sort_by_key(|(_, tell)| tell.len());
    pairs
}

struct CoverSearch<'x> {
    columns: &'x [Vec<u64>],
    goal: u32,
    pairs: Vec<([usize; 2], Vec<usize>)>,
    steps: usize,
    limits: &'x Limits,
}

impl CoverSearch<'_> {
    /// Completes `chosen` to a cover with at most `room` more columns; returns whether that is
    /// possible.
    fn extend(&mut self, partition: &Partition, chosen: &mut Vec<usize>, room: usize) -> bool {
        if partition.parts == self.goal {
            return true;
        }
        if room == 0 || self.steps == 0 {
            return false;
        }
        let together = |[x, y]: [usize; 2]| partition.part[x] == partition.part[y];
        let open = self.pairs.iter().position(|(pair, _)| together(*pair));
        // If the search has no unseparated pair left but some models are still together, any column
        // may be the missing one.
        let tries = match open {
            Some(pair) => self.pairs[pair].1.clone(),
            None => (0..self.columns.len()).collect(),
        };
        for column in tries {
            self.steps = self.steps.saturating_sub(1);
            if self.limits.stopped().is_some() {
                self.steps = 0;
            }
            if self.steps == 0 {
                return false;
            }
            let mut finer = partition.clone();
            finer.refine(&self.columns[column]);
            if finer.parts == partition.parts {
                continue;
            }
            chosen.push(column);
            if self.extend(&finer, chosen, room - 1) {
                return true;
            }
            chosen.pop();
        }
        false
    }
}

/// The most models in a group for which `hard_to_tell` looks.
const GROUP: usize = 5;

/// A group of at most `GROUP` models of which every two are separated by some column, but that few
/// columns, or none, separate all at once.
pub(super) fn hard_to_tell(models: usize, columns: &[Vec<u64>]) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    // The columns that give every chosen model a different answer.
    let mut left: Vec<&Vec<u64>> = columns.iter().collect();
    while chosen.len() < models.min(GROUP) && !left.is_empty() {
        let tells = |column: &&&Vec<u64>, model: usize| {
            chosen.iter().all(|&other| column[other] != column[model])
        };
        let count = |model: usize| {
            work((left.len() * chosen.len()) as u64);
            left.iter().filter(|column| tells(column, model)).count()
        };
        // Skips a model that no column separates from one of the chosen models.
        let told = |model: usize, other| {
            work(columns.len() as u64);
            columns.iter().any(|column| column[model] != column[other])
        };
        let others = (0..models).filter(|&model| chosen.iter().all(|&other| told(model, other)));
        let Some(next) = others.min_by_key(|&model| count(model)) else {
            break;
        };
        left.retain(|column| chosen.iter().all(|&other| column[other] != column[next]));
        chosen.push(next);
    }
    chosen
}
