//! Questions about models: `distinguish`, `prove`, and an oracle of their answers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/mod.rs"]
mod common;

mod atlas;
mod attempt;
mod bias;
mod bounds;
mod bounds_on_domains;
mod certificates;
mod compare;
mod domains;
mod drawing;
mod drawn_units;
mod error_bounds;
mod error_claims;
mod exact_sums;
mod falls;
mod flags;
mod integers;
mod largest;
mod matrix;
mod number_scripts;
mod oracle;
mod pairs;
mod parts;
mod proofs;
mod properties;
mod schemes;
mod scripts;
mod search;
mod shares;
mod stagewise;
mod tolerance;
mod two_machines;
mod usual_operands;
mod worst;
