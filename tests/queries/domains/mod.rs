//! Domains: what is assumed of operands.

mod classes;
mod exponents;
mod inhabited;
mod integers;
mod listed;
mod numbers;
mod part;
mod place;
mod registers;
