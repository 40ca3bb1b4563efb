//! libMobileGL.so: puts the parts together and exports GL, EGL and GLX. It has no logic of its own.

#![allow(non_snake_case)]

// GL's entry points are `no_mangle` functions of gl-entry: a dependency that is linked exports them from the library, one
// that no path names is not linked.
use gl_entry as _;
