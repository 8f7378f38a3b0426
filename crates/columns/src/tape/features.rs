//! Compilation of each operation for the vector instructions of the processor that runs it.
//!
//! The operations are safe and the same for all processors. The compiler makes further versions of
//! each operation, which may use wider registers. To call such a version is `unsafe`, as the
//! processor must have those registers. This module tests which features the processor has, and no
//! other module can make a [`Routine`] for features that the processor lacks.
#![allow(
    unsafe_code,
    reason = "a function for processor features is called, after the processor was asked for them"
)]

use super::columns::Memory;
use super::double_vectors::DoubleVector;
#[cfg(not(target_arch = "x86_64"))]
use super::double_vectors::PortableDoubles;
#[cfg(target_arch = "x86_64")]
use super::double_vectors::{Avx2Doubles, Avx512Doubles, Sse2Doubles};
use super::narrow::Groups;
use super::step::{ColumnOperation, DoubleOperation, TapeStep, VectorOperation};
use super::vectors::FloatVector;
#[cfg(not(target_arch = "x86_64"))]
use super::vectors::PortableVector;
#[cfg(target_arch = "x86_64")]
use super::vectors::{Avx2, Avx512, Sse2};
use mmasmt_numbers::bits::HostOperations;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// The vector instructions of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Features {
    /// The instructions that every processor of the target has: SSE2 or NEON.
    Baseline,
    /// AVX2, FMA, BMI1, BMI2 and LZCNT.
    Avx2,
    /// AVX-512 F, BW, DQ, VL and CD, besides the features of `Avx2`.
    Avx512,
}

static KNOWN: OnceLock<Features> = OnceLock::new();

impl Features {
    /// The features of this processor, limited by [`at_most`](Self::at_most).
    #[inline(always)]
    pub fn detected() -> Features {
        *KNOWN.get_or_init(Features::found)
    }

    /// Limits the features that this process uses from now on, to measure their effect. Returns the
    /// features in use: they are not limited if they were already detected before this call.
    pub fn at_most(self) -> Features {
        *KNOWN.get_or_init(|| self.min(Features::found()))
    }

    fn found() -> Features {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx2 = has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("lzcnt");
            let avx512 = has!("avx512f")
                && has!("avx512bw")
                && has!("avx512dq")
                && has!("avx512vl")
                && has!("avx512cd");
            if avx2 && avx512 {
                return Features::Avx512;
            }
            if avx2 {
                return Features::Avx2;
            }
        }
        Features::Baseline
    }

    /// The IEEE 754 operations for which these features have instructions.
    pub fn host_operations(self) -> HostOperations {
        match self {
            Features::Baseline if cfg!(target_arch = "aarch64") => HostOperations::All,
            // Every x86-64 processor has SSE2; processors without SSE2 compute in registers of 80
            // bits.
            Features::Baseline if cfg!(target_arch = "x86_64") => HostOperations::Unfused,
            Features::Baseline => HostOperations::None,
            Features::Avx2 | Features::Avx512 => HostOperations::All,
        }
    }

    /// The sets of features that this processor can run, the smallest first.
    pub fn available() -> Vec<Features> {
        match Self::detected() {
            Features::Baseline => vec![Features::Baseline],
            Features::Avx2 => vec![Features::Baseline, Features::Avx2],
            Features::Avx512 => vec![Features::Baseline, Features::Avx2, Features::Avx512],
        }
    }
}

/// An operation that was compiled for features that this processor has.
#[derive(Clone, Copy)]
pub(super) struct Routine(unsafe fn(&mut Memory, &TapeStep));

impl Routine {
    /// The operation `O`, compiled for `features`. If the processor has fewer features, the
    /// operation is compiled for the features that it has.
    pub(super) fn of<O: ColumnOperation>(features: Features) -> Routine {
        match features.min(Features::detected()) {
            #[cfg(target_arch = "x86_64")]
            Features::Avx512 => Routine(avx512::<O>),
            #[cfg(target_arch = "x86_64")]
            Features::Avx2 => Routine(avx2::<O>),
            _ => Routine(baseline::<O>),
        }
    }

    /// The same for an operation over vector registers.
    pub(super) fn over_vectors<O: VectorOperation>(features: Features) -> Routine {
        match features.min(Features::detected()) {
            #[cfg(target_arch = "x86_64")]
            Features::Avx512 => Routine(avx512::<RegisterOperation<O, Avx512>>),
            #[cfg(target_arch = "x86_64")]
            Features::Avx2 => Routine(avx2::<RegisterOperation<O, Avx2>>),
            #[cfg(target_arch = "x86_64")]
            Features::Baseline => Routine(baseline::<RegisterOperation<O, Sse2>>),
            #[cfg(not(target_arch = "x86_64"))]
            _ => Routine(baseline::<RegisterOperation<O, PortableVector>>),
        }
    }

    /// The same for an operation over vector registers of `f64`.
    pub(super) fn over_doubles<O: DoubleOperation>(features: Features) -> Routine {
        match features.min(Features::detected()) {
            #[cfg(target_arch = "x86_64")]
            Features::Avx512 => Routine(avx512::<OverDoubles<O, Avx512Doubles>>),
            #[cfg(target_arch = "x86_64")]
            Features::Avx2 => Routine(avx2::<OverDoubles<O, Avx2Doubles>>),
            #[cfg(target_arch = "x86_64")]
            Features::Baseline => Routine(baseline::<OverDoubles<O, Sse2Doubles>>),
            #[cfg(not(target_arch = "x86_64"))]
            _ => Routine(baseline::<OverDoubles<O, PortableDoubles>>),
        }
    }

    #[inline(always)]
    pub(super) fn run(self, memory: &mut Memory, step: &TapeStep) {
        // SAFETY: only `of` makes routines, for features that `detected` found in this processor;
        // the function has no other condition.
        unsafe { (self.0)(memory, step) }
    }
}

/// Work to be compiled for the vector instructions of a processor. Like a [`ColumnOperation`], an
/// implementation is inlined into one function for each set of features.
pub(super) trait Work {
    type Result;
    fn done(self) -> Self::Result;
}

impl Features {
    /// Does the work with these features. If the processor has fewer features, does the work with
    /// the features that it has.
    #[inline(always)]
    pub(super) fn with<W: Work>(self, work: W) -> W::Result {
        #[cfg(target_arch = "x86_64")]
        {
            let has = Features::detected();
            if self == Features::Avx512 && has == Features::Avx512 {
                // SAFETY: the processor has these features; the function has no other condition.
                return unsafe { with_avx512(work) };
            }
            if self != Features::Baseline && has != Features::Baseline {
                // SAFETY: the processor has these features; the function has no other condition.
                return unsafe { with_avx2(work) };
            }
        }
        work.done()
    }
}

/// Work over vector registers and strips of `S` columns, which four registers of `f32` hold.
pub(super) trait VectorWork {
    fn done<V: Groups, const S: usize>(self);
}

impl Features {
    /// True if these features have registers for strips.
    pub(super) fn has_strips(self) -> bool {
        cfg!(target_arch = "x86_64") && self.min(Features::detected()) != Features::Baseline
    }

    /// Does the work with these features, or with those that the processor has; nothing if they have no
    /// registers for strips.
    pub(super) fn with_strips<W: VectorWork>(self, work: W) {
        match self.min(Features::detected()) {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has these features; the function has no other condition.
            Features::Avx512 => unsafe { strips_avx512(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: likewise.
            Features::Avx2 => unsafe { strips_avx2(work) },
            _ => debug_assert!(false, "no registers for strips"),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt")]
fn strips_avx2<W: VectorWork>(work: W) {
    work.done::<Avx2, { 4 * <Avx2 as FloatVector>::WIDTH }>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn strips_avx512<W: VectorWork>(work: W) {
    work.done::<Avx512, { 4 * <Avx512 as FloatVector>::WIDTH }>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt")]
fn with_avx2<W: Work>(work: W) -> W::Result {
    work.done()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn with_avx512<W: Work>(work: W) -> W::Result {
    work.done()
}

/// An operation over vector registers of one kind.
struct RegisterOperation<O, V>(PhantomData<(O, V)>);

impl<O: VectorOperation, V: FloatVector> ColumnOperation for RegisterOperation<O, V> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        O::run::<V>(memory, step);
    }
}

/// An operation over vector registers of `f64` of one kind.
struct OverDoubles<O, V>(PhantomData<(O, V)>);

impl<O: DoubleOperation, V: DoubleVector> ColumnOperation for OverDoubles<O, V> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        O::run::<V>(memory, step);
    }
}

fn baseline<O: ColumnOperation>(memory: &mut Memory, step: &TapeStep) {
    O::run(memory, step);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt")]
fn avx2<O: ColumnOperation>(memory: &mut Memory, step: &TapeStep) {
    O::run(memory, step);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn avx512<O: ColumnOperation>(memory: &mut Memory, step: &TapeStep) {
    O::run(memory, step);
}
