//! Machines: the arithmetic of units, sums, compositions and schemes; their names, keys and tables; the
//! products that two machines have in common.

pub mod algorithms;
pub mod compositions;
pub mod model;
pub mod product_pairs;
pub mod schemes;
pub mod sums;
