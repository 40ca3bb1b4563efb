//! What the backends share: twin tables, deferred deletion, readback packing, index rewriting. It calls no driver.

#![forbid(unsafe_code)]

pub mod clear_color;
pub mod deferred;
#[cfg(feature = "identity-table")]
pub mod identity_table;
pub mod indices;
pub mod readback;
pub mod slot_table;
pub mod twins;

pub use deferred::Deferred;
#[cfg(feature = "identity-table")]
pub use identity_table::IdentityTable;
pub use slot_table::SlotTable;
pub use twins::{TwinKey, TwinTable, Twins};
