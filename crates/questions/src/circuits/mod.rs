//! Circuits: models as text for other tools, and external designs as models.

pub mod designs;
pub mod export;
