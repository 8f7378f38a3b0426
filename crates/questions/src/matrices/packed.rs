//! A matrix B that several products share: what is computed of it alone is kept, up to a number of bytes.

use mmasmt_core::batch::PreparedSide;
use mmasmt_core::machines::model::Model;
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// What was computed of a matrix B for dot-adds of one unit. It belongs to the registers of that matrix:
/// a matrix with other registers needs another one.
pub struct PackedMatrix {
    unit: Model,
    most: usize,
    bytes: AtomicUsize,
    parts: RwLock<FxHashMap<PartKey, Arc<PackedPart>>>,
}

/// The first column, and the first place of k.
type PartKey = [usize; 2];

/// What was computed of some columns of B at some places of k, which are all finite numbers.
pub(super) struct PackedPart {
    columns: Range<usize>,
    places: Vec<usize>,
    pub(super) right: PreparedSide,
}

impl fmt::Debug for PackedMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes for {}", self.bytes(), self.unit)
    }
}

impl PackedMatrix {
    /// Nothing yet, and at most so many bytes later, for products by the model.
    pub fn new(model: &Model, most: usize) -> Option<PackedMatrix> {
        Some(PackedMatrix {
            unit: model.inside().ok()?,
            most,
            bytes: AtomicUsize::new(0),
            parts: RwLock::default(),
        })
    }

    /// The bytes that are kept.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether it is for dot-adds of this unit.
    pub(super) fn is_of(&self, unit: &Model) -> bool {
        self.unit.computes_as(unit)
    }

    /// The part that is kept for these columns and these places of k.
    pub(super) fn part(&self, columns: &Range<usize>, places: &[usize]) -> Option<Arc<PackedPart>> {
        let parts = self.parts.read().unwrap_or_else(PoisonError::into_inner);
        let part = parts.get(&[columns.start, *places.first()?])?;
        (part.columns == *columns && part.places == places).then(|| Arc::clone(part))
    }

    /// Keeps what was computed, unless that would be too much.
    pub(super) fn keep(&self, columns: &Range<usize>, places: &[usize], right: PreparedSide) {
        let Some(first) = places.first() else {
            return;
        };
        let bytes = right.bytes();
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > self.most {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            return;
        }
        let part = PackedPart {
            columns: columns.clone(),
            places: places.to_vec(),
            right,
        };
        let mut parts = self.parts.write().unwrap_or_else(PoisonError::into_inner);
        let before = parts.insert([columns.start, *first], Arc::new(part));
        let before = before.map_or(0, |before| before.right.bytes());
        self.bytes.fetch_sub(before, Ordering::Relaxed);
    }
}
