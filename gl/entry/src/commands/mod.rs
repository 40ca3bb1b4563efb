//! One module per chapter: carries out a command whose arguments `validate` has approved. It checks no arguments.
pub mod present;
