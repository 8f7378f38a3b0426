//! Parts of the search for inputs that tell models apart, each by itself.

mod answers;
mod changes;
mod classes;
mod cover;
mod family;
mod hill_climb;
mod lower_bound;
mod named;
mod nearest;
mod score;
mod threads;
mod tree;
mod values;
mod zero_signs;
