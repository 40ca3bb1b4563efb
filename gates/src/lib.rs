//! What must hold when a phase ends lies in `tests/`, one file per rule, each with a control that plants a fault. There is no
//! code to use here.
#![forbid(unsafe_code)]
