//! Circuits: models as text for other tools, and designs of others as models.

pub mod designs;
pub mod export;
