//! What proves that two ways of telling the same state agree: pictures, shadows, recordings. It must not share code with
//! the tracker.
#![forbid(unsafe_code)]

pub mod images;
