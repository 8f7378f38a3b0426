//! Bits of constants that assertions fix or make equal, such as `(= ((_ extract 15 10) x) #b001110)`:
//! they are put in, so that no solver has to find them.

use super::graph::{Id, ScriptOperation};
use super::kind::ScriptSort;
use super::script::Script;
use mmasmt_numbers::bits::{Bv, Input};
use rustc_hash::FxHashSet;

/// The number of a bit among those of all constants; the first two are 0 and 1.
type Bit = usize;
const VALUES: [Bit; 2] = [0, 1];
/// The most operations inside of each other, and the most bits, of a side of an equality.
const DEEPEST: u32 = 200;
const WIDEST: u32 = 1024;

/// Some bits of a constant, from the lowest of them on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// Bits that are fixed.
    Value { bits: u64, width: u32 },
    /// Bits of a free input, from `low` on.
    Free { input: u32, low: u32, width: u32 },
}

/// The constants of a script in terms of the bits that its assertions leave free.
pub(super) struct FixedConstants {
    /// For each constant its pieces, the lowest first.
    constants: Vec<Vec<Piece>>,
    /// The widths of the free inputs.
    widths: Vec<u32>,
}

/// Which bits are the same.
struct BitClasses(Vec<Bit>);

impl BitClasses {
    fn root(&mut self, mut bit: Bit) -> Bit {
        while self.0[bit] != bit {
            self.0[bit] = self.0[self.0[bit]];
            bit = self.0[bit];
        }
        bit
    }

    /// Makes two bits the same. Assertions that make 0 and 1 the same are false, which they stay.
    fn join(&mut self, left: Bit, right: Bit) {
        let [left, right] = [left, right].map(|bit| self.root(bit));
        let (first, second) = (left.min(right), left.max(right));
        if !VALUES.contains(&second) {
            self.0[second] = first;
        }
    }
}

impl FixedConstants {
    /// What the assertions fix, each of which holds.
    pub fn of(script: &Script) -> FixedConstants {
        let mut starts = Vec::new();
        let mut count = VALUES.len();
        for (_, width) in script.constants() {
            starts.push(count);
            count += width as usize;
        }
        let mut same = BitClasses((0..count).collect());
        let mut left = script.assertions.clone();
        let mut seen = FxHashSet::default();
        while let Some(id) = left.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = script.graph.node(id);
            match (&node.operation, &node.operands[..]) {
                (ScriptOperation::Applied("and", _), all) => left.extend(all),
                (ScriptOperation::Applied("=", _), [one, other]) => {
                    let both = [*one, *other].map(|id| bits(script, &starts, id, DEEPEST));
                    if let [Some(one), Some(other)] = both {
                        let pairs = one.into_iter().zip(other);
                        pairs.for_each(|(one, other)| same.join(one, other));
                    }
                }
                (ScriptOperation::Applied("not", _), [one]) => {
                    if let Some([bit]) = bits(script, &starts, *one, DEEPEST).as_deref() {
                        same.join(VALUES[0], *bit);
                    }
                }
                _ => {
                    if let Some([bit]) = bits(script, &starts, id, DEEPEST).as_deref() {
                        same.join(VALUES[1], *bit);
                    }
                }
            }
        }
        FixedConstants::made(script, &starts, &mut same)
    }

    fn made(script: &Script, starts: &[usize], same: &mut BitClasses) -> FixedConstants {
        // For each bit that is free, its input and its place there: bits beside each other share one.
        let mut places: Vec<Option<(u32, u32)>> = vec![None; same.0.len()];
        let mut widths: Vec<u32> = Vec::new();
        for ((_, width), start) in script.constants().zip(starts) {
            let mut before = None;
            let of_constant = places.iter_mut().enumerate().skip(*start);
            for (bit, place) in of_constant.take(width as usize) {
                before = match (same.root(bit) == bit, before) {
                    (false, _) => None,
                    (true, None) => {
                        widths.push(1);
                        Some((widths.len() as u32 - 1, 0))
                    }
                    (true, Some((input, last))) => {
                        widths[input as usize] += 1;
                        Some((input, last + 1))
                    }
                };
                *place = before;
            }
        }
        let constants = script.constants().zip(starts);
        let constants = constants.map(|((_, width), start)| {
            let mut pieces: Vec<Piece> = Vec::new();
            for bit in *start..start + width as usize {
                let root = same.root(bit);
                let next = match places[root] {
                    Some((input, low)) => Piece::Free {
                        input,
                        low,
                        width: 1,
                    },
                    None => Piece::Value {
                        bits: root as u64,
                        width: 1,
                    },
                };
                let is_joined = pieces.last_mut().is_some_and(|last| last.joins(next));
                if !is_joined {
                    pieces.push(next);
                }
            }
            pieces
        });
        FixedConstants {
            constants: constants.collect(),
            widths,
        }
    }

    /// The inputs that are free.
    pub fn inputs(&self) -> Vec<Input> {
        let input = |(index, width): (u32, &u32)| Input {
            index,
            width: *width,
            name: format!("y{index}"),
        };
        (0..).zip(&self.widths).map(input).collect()
    }

    /// The constants, of the free inputs.
    pub fn constants<B: Bv>(&self, inputs: &[B]) -> Vec<B> {
        let piece = |piece: &Piece| match *piece {
            Piece::Value { bits, width } => B::lit(width, bits),
            Piece::Free { input, low, width } => {
                let input = &inputs[input as usize];
                match width == input.width() {
                    true => input.clone(),
                    false => input.extract(low + width - 1, low),
                }
            }
        };
        let whole = |pieces: &Vec<Piece>| {
            let high = pieces.iter().map(piece);
            high.reduce(|low, high| high.concat(&low))
        };
        self.constants.iter().filter_map(whole).collect()
    }
}

impl Piece {
    /// Adds a bit to this piece, if it is the next one of its input, or both are fixed.
    fn joins(&mut self, next: Piece) -> bool {
        match (self, next) {
            (Piece::Value { bits, width }, Piece::Value { bits: more, .. }) => {
                *bits |= more << *width;
                *width += 1;
                true
            }
            (
                Piece::Free { input, low, width },
                Piece::Free {
                    input: other,
                    low: place,
                    ..
                },
            ) if *input == other && *low + *width == place => {
                *width += 1;
                true
            }
            _ => false,
        }
    }
}

/// The bits of a node, the lowest first, if each is one of a constant, or is 0 or 1.
fn bits(script: &Script, starts: &[usize], id: Id, depth: u32) -> Option<Vec<Bit>> {
    let node = script.graph.node(id);
    if depth == 0 || node.kind.bits()? > WIDEST {
        return None;
    }
    let of = |operand: usize| bits(script, starts, node.operands[operand], depth - 1);
    match (&node.operation, node.kind) {
        (ScriptOperation::Constant(number), ScriptSort::Word(_) | ScriptSort::Truth) => {
            let start = starts[*number];
            Some((start..start + node.kind.bits()? as usize).collect())
        }
        (ScriptOperation::Truth(truth), _) => Some(vec![VALUES[usize::from(*truth)]]),
        (ScriptOperation::Word(word), ScriptSort::Word(width)) => {
            let bit = |place: u32| VALUES[usize::from(word.bit(place.into()))];
            Some((0..width).map(bit).collect())
        }
        (ScriptOperation::Applied("extract", indices), _) => match indices[..] {
            [high, low] => Some(of(0)?.get(low as usize..=high as usize)?.to_vec()),
            _ => None,
        },
        (ScriptOperation::Applied("concat", _), _) => {
            let mut joined = of(1)?;
            joined.extend(of(0)?);
            Some(joined)
        }
        (ScriptOperation::Applied("zero_extend", _), ScriptSort::Word(width)) => {
            let mut extended = of(0)?;
            extended.resize(width as usize, VALUES[0]);
            Some(extended)
        }
        _ => None,
    }
}
