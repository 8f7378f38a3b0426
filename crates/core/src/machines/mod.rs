//! Machines: what units, compositions and schemes compute; their names, keys and tables.

pub mod algorithms;
pub mod compositions;
pub mod model;
pub mod schemes;
