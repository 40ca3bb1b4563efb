//! The dirty surface: every mutator of state and the version or generation that it must bump. A gate compares this list with the
//! sources; the random-sequence test shows that the list is enough.

/// One mutator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutator {
    /// `file::function`.
    pub name: &'static str,
    /// Names of versions and generations, as their fields are called.
    pub bumps: &'static [&'static str],
}

macro_rules! dirty_surface {
    ($($name:literal => [$($bump:literal),*];)*) => {
        /// The list.
        pub const MUTATORS: &[Mutator] = &[$(Mutator { name: $name, bumps: &[$($bump),*] }),*];
    };
}

dirty_surface! {
    "buffer::set_storage" => ["serial", "storage_serial", "any_buffer_change"];
    "buffer::write" => ["serial", "any_buffer_change"];
    "buffer::mark_gpu_written" => ["serial", "any_buffer_change"];
    "render_state::update_pipeline" => ["version", "pipeline_version"];
    "render_state::update_dynamic" => ["version"];
    "program::link_program" => ["link_version", "any_program_change"];
    "program::use_program" => ["program"];
    "executable::write_constants" => ["constants_version", "any_program_change"];
    "executable::set_sampler_units" => ["bindings_version", "any_program_change"];
    "executable::set_image_units" => ["bindings_version", "any_program_change"];
    "executable::set_uniform_block_binding" => ["bindings_version", "any_program_change"];
    "executable::set_storage_block_binding" => ["bindings_version", "any_program_change"];
}
