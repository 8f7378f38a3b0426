//! Programs that are kept: those of the last models that this process has multiplied matrices with,
//! so that many small products make the programs of their model once.

use super::hoisted::SidePrograms;
use crate::machines::model::Model;
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The number of models whose programs are kept.
const MOST_MODELS: usize = 32;

/// The most products of a model whose programs are kept: those of larger models take much memory,
/// and little of the time of a product.
const MOST_PRODUCTS: u32 = 512;

/// The most sets of programs that wait for the next product of a model.
const MOST_IDLE: usize = 64;

/// The programs of one model for products of matrices, made once it pays.
#[derive(Default)]
pub struct ProgramCache {
    /// The number of dot-adds that were asked for so far.
    asked: AtomicUsize,
    /// The programs; the inner `None` says that the model has none.
    made: OnceLock<Option<Vec<SidePrograms>>>,
    /// Programs with their columns, which no product uses now.
    idle: Mutex<Vec<Vec<SidePrograms>>>,
}

/// The programs of one model, with columns for one thread; they go back to [`ProgramCache`] at the end.
pub struct ProgramLoan {
    programs: Vec<SidePrograms>,
    kept: Arc<ProgramCache>,
}

static MODELS: Mutex<VecDeque<(Model, Arc<ProgramCache>)>> = Mutex::new(VecDeque::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProgramCache {
    /// What is kept for the model; something new for a model of very many products.
    pub fn of(model: &Model) -> Arc<ProgramCache> {
        if model.signature().products > MOST_PRODUCTS {
            return Arc::default();
        }
        let mut models = locked(&MODELS);
        let place = models.iter().position(|(one, _)| one.computes_as(model));
        let kept = place.and_then(|place| models.remove(place));
        let kept = kept.unwrap_or_else(|| (model.clone(), Arc::default()));
        models.push_front(kept.clone());
        models.truncate(MOST_MODELS);
        kept.1
    }

    /// Counts dot-adds that are asked for, and returns how many were in all.
    pub fn count(&self, dot_adds: usize) -> usize {
        let before = self.asked.fetch_add(dot_adds, Ordering::Relaxed);
        before.saturating_add(dot_adds)
    }

    /// The programs of the model, which are made if they are not there yet; `None` if the model has
    /// no programs.
    pub fn programs(self: &Arc<ProgramCache>, model: &Model) -> Option<ProgramLoan> {
        let made = self.made.get_or_init(|| SidePrograms::all(model));
        made.as_ref()?;
        self.lend()
    }

    fn lend(self: &Arc<ProgramCache>) -> Option<ProgramLoan> {
        let idle = locked(&self.idle).pop();
        let programs = idle.or_else(|| self.made.get()?.clone())?;
        let kept = Arc::clone(self);
        Some(ProgramLoan { programs, kept })
    }
}

impl Clone for ProgramLoan {
    fn clone(&self) -> Self {
        let other = self.kept.lend();
        other.unwrap_or_else(|| ProgramLoan {
            programs: self.programs.clone(),
            kept: Arc::clone(&self.kept),
        })
    }
}

impl Drop for ProgramLoan {
    fn drop(&mut self) {
        let mut idle = locked(&self.kept.idle);
        if idle.len() < MOST_IDLE {
            idle.push(std::mem::take(&mut self.programs));
        }
    }
}

impl Deref for ProgramLoan {
    type Target = [SidePrograms];

    fn deref(&self) -> &[SidePrograms] {
        &self.programs
    }
}

impl DerefMut for ProgramLoan {
    fn deref_mut(&mut self) -> &mut [SidePrograms] {
        &mut self.programs
    }
}
