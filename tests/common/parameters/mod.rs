//! The parameters of each algorithm as data, for its reference.

mod cpu;
pub mod fda;
mod gaudi;
mod gdfs;
mod gps;
mod ieee;
mod integer;
mod late;
mod rdna;
mod sfma;

pub use cpu::{CpuDot, DotOrder, FlushedOperands, NanRule};
pub use fda::{Products, SubnormalC, ZeroRule};
pub use gaudi::{Gaudi, GaudiGeneration};
pub use gdfs::{Cancelled, Gdfs};
pub use gps::{Gps, ProductForm, Subnormals};
pub use ieee::{Ieee, Order};
pub use integer::{IntegerDot, Pairing};
pub use late::{Infinities, LateAdd, LateParams};
pub use rdna::{Generation, Rdna, StepOrder};
pub use sfma::{FmaNan, Sfma};
