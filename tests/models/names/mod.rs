//! Names of machines and of instructions.

mod instructions;
mod own;
mod products;
