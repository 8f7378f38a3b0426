//! The tables `../../../../models/*.toml`: the instructions of every architecture, with their
//! models and their evidence.

mod added;
mod built_in;
mod evidence;
mod find;
mod lists;
mod own_names;
pub mod products;
mod read;
mod row;
mod state;
mod unknown;
mod usual;

pub use added::{add_tables, add_tables_of_environment};
pub use find::{find_architecture, find_row, find_unknown};
pub(super) use find::{look_up, meant, sparsity_of};
pub use lists::{architectures, conversions, described, libraries, table_texts, unmodelled};
pub use own_names::names_are_own;
pub use read::read_table;
pub use row::{Architecture, Row, Translation};
pub use unknown::UnknownArithmetic;
pub use usual::{have_same_formats, usual_row, usual_rows};
