//! Inputs that are drawn, aimed or listed.

mod cancelled;
mod changes;
mod codes;
mod crossings;
mod kinds;
mod seeds;
mod sources;
mod targets;
mod ties;
mod tosa;
