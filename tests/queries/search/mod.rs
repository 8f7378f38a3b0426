//! Steps of a search, each by itself.

mod enumerate;
mod free_products;
mod judge;
mod lemmas;
mod ranges;
mod stages;
