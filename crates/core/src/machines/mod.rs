//! Machines: the arithmetic of units, compositions and schemes; their names, keys and tables.

pub mod algorithms;
pub mod compositions;
pub mod model;
pub mod schemes;
