//! The part of `mobilegl` that runs nothing: the search for the subsystems that must be pushed, or pulled, for a program to go wrong.
//! Tests plant faults and judge its answers.
#![forbid(unsafe_code)]

pub mod search;
