//! What several test files share: exact values and rounding, references of every algorithm, inputs,
//! and models to draw.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod arithmetic;
pub mod case;
pub mod drawn;
pub mod exact;
pub mod group_reference;
pub mod ieee_reference;
pub mod inputs;
pub mod late_reference;
pub mod reference;
pub mod spec;
pub mod terms;
pub mod unit;
pub mod unpacked;
