//! Answers about internal formats.

use crate::c_memory;
use crate::cx::Cx;
use crate::validate::internal_format::Answer;
use gl_state::GlError;

pub fn get_internalformativ(_: &mut Cx<'_>, (answer, out): Answer) -> Result<(), GlError> {
    // SAFETY: c_memory's rule: the command writes at most bufSize numbers.
    unsafe { c_memory::write_all(out, &answer) };
    Ok(())
}
