//! The analysis of exactness: what it proves holds, and ends where inputs refute it.

mod cases;
mod integers;
mod last_bits;
mod sets;
mod small;
mod soundness;
