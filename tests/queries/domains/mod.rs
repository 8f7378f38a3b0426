//! Domains: what is assumed of operands.

mod code_set;
mod exponents;
mod inhabited;
mod listed;
mod part;
mod place;
mod registers;
