//! Properties: what is compared for a claim.

mod inputs;
mod orders;
mod products;
mod raised;
mod sums;
