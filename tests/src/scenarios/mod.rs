//! The list of scenarios: one row each, with the lanes that it runs on. A second list must not exist.
//!
//! A row that runs on `gles_bare` defends something that is emulated there.

pub mod basics;
pub mod buffers;
pub mod built_ins;
pub mod compatibility;
pub mod compressed;
pub mod contents;
pub mod contexts;
pub mod errors;
pub mod framebuffer;
pub mod identity;
pub mod programs;
pub mod queries;
pub mod readback;
pub mod render_state;
pub mod textures;
pub mod transform_feedback;
pub mod vertex_input;

/// Passes the list to `$consumer!`: `$( $file:ident::$name:ident [$($lane:ident)*]; )*`.
#[macro_export]
macro_rules! each_scenario {
    ($consumer:ident) => {
        $consumer! {
            basics::triangle [gles vulkan gles_bare null];
            basics::clear_then_read_pixels [gles vulkan];
            basics::clear_order [gles vulkan];
            basics::in_pass_clear [gles vulkan];
            basics::pass_order [gles vulkan];
            basics::orientation [gles vulkan gles_bare];
            basics::frag_coord_origin [gles vulkan];
        basics::frag_coord_conventions [gles vulkan];
            basics::default_scissor_follows_surface [gles vulkan];
            basics::scenario_isolation [gles vulkan];
        built_ins::depth_range_built_in [gles vulkan];
        built_ins::frag_coord_follows_the_framebuffer [gles vulkan];
        built_ins::rectangle_textures [gles vulkan];
        render_state::blend_toggle_storm [gles vulkan null];
        render_state::cso_eviction [gles vulkan];
        render_state::scissor_zero_rejects_all [gles vulkan];
        render_state::framebuffer_srgb_and_depth_clamp [gles vulkan gles_bare];
        render_state::primitive_restart [gles vulkan gles_bare];
        render_state::depth_and_stencil [gles vulkan];
        render_state::cull_and_front_face [gles vulkan];
        render_state::color_mask_per_buffer [gles vulkan];
        render_state::cso_content_addressing [gles vulkan];
        render_state::logic_op [gles vulkan];
        render_state::viewport_and_scissor_move [gles vulkan];
        buffers::buffer_respecify_null_then_sub_data [gles vulkan];
        buffers::deleted_bound_buffer [gles vulkan];
        buffers::upload_order [gles vulkan];
        buffers::cross_frame_buffer [gles vulkan];
        buffers::flush_explicit_offsets [gles vulkan];
        buffers::copy_buffer_overlap [gles vulkan];
        buffers::map_reads_what_was_written [gles vulkan];
        vertex_input::vertex_array_enable_disable [gles vulkan null];
        vertex_input::vertex_attrib_binding [gles vulkan];
        vertex_input::attribute_arrays [gles vulkan];
        queries::occlusion_counter_bits [gles vulkan];
        vertex_input::element_buffer_belongs_to_vao [gles vulkan];
        vertex_input::current_attrib_defaults [gles vulkan];
        vertex_input::multi_draw [gles vulkan gles_bare];
        vertex_input::base_vertex_and_base_instance [gles vulkan gles_bare];
        framebuffer::draw_buffers_permutation [gles vulkan];
        framebuffer::depth_only_fbo [gles vulkan];
        framebuffer::blit_matrix [gles vulkan];
        framebuffer::attachment_changes_between_draws [gles vulkan];
        textures::texture_upload_between_draws [gles vulkan];
        textures::pixel_store_sweep [gles vulkan];
        textures::mipmap_completeness [gles vulkan];
        textures::sampled_set_staleness [gles vulkan null];
        textures::texture_params_without_a_sampler_view [gles vulkan];
        textures::storage_ignores_format_and_type [gles vulkan];
        textures::sampler_state_moves [gles vulkan];
        compressed::compressed_blocks_and_parts [gles vulkan];
        compressed::compressed_families [gles vulkan];
        compressed::compressed_by_the_library [gles vulkan];
        compressed::compressed_errors [gles vulkan null];
        programs::names_that_became_keywords [gles vulkan];
        programs::integers_where_floats_are_expected [gles vulkan];
        programs::uniform_initialisers [gles vulkan];
        programs::uniform_block_instance_names [gles vulkan];
        programs::shared_uniforms_across_stages [gles vulkan];
        programs::uniform_arrays_of_structs [gles vulkan];
        programs::relink_stage_set [gles vulkan];
        programs::link_errors_text [gles];
        programs::uniforms_belong_to_their_program [gles vulkan];
        readback::bgra_readback [gles vulkan gles_bare];
        readback::pack_buffer_readback [gles vulkan];
        readback::depth_stencil_readback [gles vulkan gles_bare];
        errors::one_error_per_call [gles vulkan null];
        errors::no_error_side_effects [gles vulkan];
        errors::get_string_lists [gles vulkan null];
        errors::debug_output [gles];
        errors::advertised_limits [gles vulkan gles_bare];
        contexts::per_thread_current [gles vulkan];
        contexts::surfaceless_current [gles vulkan];
        contexts::two_contexts_interleaved [gles vulkan];
        contexts::shared_context_change [gles vulkan];
        contexts::make_current_none [gles vulkan];
        transform_feedback::transform_feedback_captures [gles vulkan null];
        compatibility::client_vertex_arrays [gles vulkan];
        compatibility::names_that_became_keywords_120 [gles vulkan];
        compatibility::shadow_2d_and_explicit_lod_120 [gles vulkan];
        compatibility::legacy_extension_string [gles vulkan];
        contents::blank_attachments [gles vulkan];
        contents::blank_textures [gles vulkan];
        contents::blank_buffers [gles vulkan];
        identity::handle_recycle_buffers [gles vulkan];
        identity::handle_recycle_textures [gles vulkan];
        identity::handle_recycle_programs [gles vulkan];
        identity::handle_recycle_vertex_arrays [gles vulkan];
        }
    };
}
