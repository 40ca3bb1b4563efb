//! One module per chapter: checks the C arguments of a command against the context. It must change nothing.
