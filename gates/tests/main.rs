//! The gates. A rule's function takes data, so that its control can feed it a planted fault; the control's name is the
//! gate's with `_control`. A failure says what to run.
#![forbid(unsafe_code)]

mod arms;
mod controls;
mod dirty_surface;
mod documents;
mod edges;
mod generated;
mod headers;
mod inputs;
mod layout;
mod ledger;
mod purity;
mod render_state;
mod residual;
mod shipping;
mod sources;
mod spec_refs;
mod strays;
