//! What several test programs share: exact values and rounding, references of every algorithm, inputs,
//! and models to draw.
#![allow(dead_code, reason = "each test program uses its own part")]

pub mod arithmetic;
pub mod case;
pub mod clauses;
pub mod cpu_reference;
pub mod drawn;
pub mod evidence;
pub mod exact;
#[cfg(unix)]
pub mod fake;
pub mod faulty;
pub mod garden;
pub mod gaudi_reference;
pub mod group_reference;
pub mod ieee_reference;
pub mod inputs;
pub mod installed;
pub mod integer_reference;
pub mod late_reference;
pub mod mutate;
pub mod parameters;
pub mod proofs;
pub mod quiet;
pub mod rdna_reference;
pub mod reference;
pub mod setting;
pub mod spec;
pub mod step_texts;
pub mod terms;
pub mod text;
pub mod toy;
pub mod unit;
pub mod unpacked;
