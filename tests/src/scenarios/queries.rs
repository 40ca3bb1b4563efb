//! Queries: what counters say of themselves and what they count. Conditional rendering is no subject here.

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;

const SAMPLES_PASSED: u32 = 0x8914;
const QUERY_COUNTER_BITS: u32 = 0x8864;

/// Rule: an occlusion counter with bits counts the samples that pass; one without holds "no useful information"
/// (GL 4.6 core §4.2.3), but still says whether there were any.
/// Broken: on ES, which knows only of any, the counter said that it had 64 bits and answered 1.
pub unsafe fn occlusion_counter_bits(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    let mut bits = -1;
    gl.raw
        .glGetQueryiv(SAMPLES_PASSED, QUERY_COUNTER_BITS, &raw mut bits);
    assert!(bits == 0 || bits >= 7, "{bits} bits");
    for (rect, wanted) in [(LEFT, 32), (WHOLE, 64), ([2.0, 2.0, 3.0, 3.0], 0)] {
        let query = gl.create_query().expect("glGenQueries");
        gl.begin_query(SAMPLES_PASSED, query);
        painter.fill(gl, rect, RED);
        gl.end_query(SAMPLES_PASSED);
        let seen = gl.get_query_parameter_u32(query, glow::QUERY_RESULT);
        if gl.lane().draws() {
            assert_eq!(seen != 0, wanted != 0, "whether any of {wanted} passed");
            assert!(bits == 0 || seen == wanted, "{seen} of {wanted} passed");
        }
        gl.delete_query(query);
    }
}
