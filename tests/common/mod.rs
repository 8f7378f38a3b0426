//! What several test files share: exact values and rounding, inputs, and models to draw.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod arithmetic;
pub mod case;
pub mod exact;
pub mod inputs;
pub mod reference;
pub mod unit;
pub mod unpacked;
