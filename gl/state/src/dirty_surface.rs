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
    "buffer::end_mapping" => ["mappings"];
    "buffer::write" => ["serial", "any_buffer_change"];
    "buffer::mark_gpu_written" => ["serial", "any_buffer_change"];
    "program::link_program" => ["link_version", "any_program_change"];
    "program::use_program" => ["program"];
    "executable::write_constants" => ["constants_version", "any_program_change"];
    "executable::write_state" => ["constants_version", "any_program_change"];
    "executable::set_sampler_units" => ["bindings_version", "any_program_change"];
    "executable::set_image_units" => ["bindings_version", "any_program_change"];
    "executable::set_uniform_block_binding" => ["bindings_version", "any_program_change"];
    "executable::set_storage_block_binding" => ["bindings_version", "any_program_change"];
    "buffer::map_buffer" => ["mappings"];
    "buffer::unmap_buffer" => ["mappings", "serial", "any_buffer_change"];
    "persistent_map::note_persistent_writes" => ["serial", "any_buffer_change"];
    "buffer_bindings::bind_buffer" => ["indirect_bindings"];
    "buffer_bindings::bind_index_buffer" => ["index_buffer"];
    "buffer_bindings::bind_indexed" => ["buffer_bindings", "stream_output"];
    "vertex_array::bind_vertex_array" => ["any_vao_attribute", "index_buffer"];
    "vertex_array::set_attrib" => ["elements_version", "any_vao_attribute"];
    "vertex_array::set_binding_layout" => ["elements_version", "any_vao_attribute"];
    "vertex_array::set_binding_buffer" => ["buffers_version", "any_vao_attribute"];
    "vertex_array::set_client_spans" => ["any_vao_attribute"];
    "vertex_array::set_current_value" => ["attrib_defaults"];
    "framebuffer::bind_framebuffer" => ["any_framebuffer_attachment"];
    "framebuffer::attach" => ["version", "any_framebuffer_attachment"];
    "framebuffer::set_draw_buffers" => ["version", "any_framebuffer_attachment"];
    "framebuffer::set_read_buffer" => ["version", "any_framebuffer_attachment"];
    "framebuffer::set_default" => ["version", "any_framebuffer_attachment"];
    "framebuffer::set_storage" => ["serial", "any_renderbuffer_change"];
    "pixel_store::set_pack" => ["pixel_pack"];
    "patch::set_patch" => ["patch"];
    "render_state::set_pipeline" => ["version", "pipeline_version"];
    "render_state::set_dynamic" => ["version"];
    "sampler::set_param" => ["serial", "any_texture_params"];
    "texture_units::active_texture" => ["texture_bindings"];
    "texture_units::bind_texture" => ["texture_bindings"];
    "texture_units::bind_sampler" => ["texture_bindings"];
    "texture_images::set_image" => ["shape_serial", "content_serial", "any_texture_content"];
    "texture_images::set_storage" => ["shape_serial", "content_serial", "any_texture_content"];
    "texture_images::set_buffer" => ["shape_serial", "content_serial", "any_texture_content"];
    "texture_images::write_region" => ["content_serial", "any_texture_content"];
    "texture_images::mark_gpu_written" => ["content_serial", "any_texture_content"];
    "texture_images::set_param" => ["params_serial", "any_texture_params", "shape_serial", "any_texture_content"];
}

/// Mutators that bump through another one: `(mutator, the one that does it)`.
pub const THROUGH: &[(&str, &str)] = &[
    ("buffer::unmap_buffer", "buffer::write"),
    ("persistent_map::note_persistent_writes", "buffer::write"),
];
