//! What the device offers and what of it we use: the only place that asks for an extension or feature. Hidden ones look absent.

use ash::vk;
use std::ffi::CStr;

/// Extensions and features to ignore (`MOBILEGL_VULKAN_HIDE`): names, or a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HideList {
    names: Vec<String>,
}

/// What phones with Vulkan 1.1 commonly lack; a test lane, since desktop drivers have nearly everything.
const MOBILE_VK11: &[&str] = &[
    "VK_EXT_depth_clip_control",
    "VK_EXT_depth_clip_enable",
    "VK_EXT_provoking_vertex",
    "VK_EXT_index_type_uint8",
    "VK_EXT_primitive_topology_list_restart",
    "VK_EXT_custom_border_color",
    "VK_EXT_multi_draw",
    "VK_EXT_transform_feedback",
    "VK_KHR_draw_indirect_count",
    "VK_KHR_push_descriptor",
    "wideLines",
    "logicOp",
    "fillModeNonSolid",
    "dualSrcBlend",
    "depthClamp",
    "alphaToOne",
    "multiViewport",
    "shaderFloat64",
    "D24_UNORM_S8_UINT",
];

impl HideList {
    /// Names separated by commas or spaces; `mobile-vk11` stands for what such devices lack.
    pub fn parse(text: &str) -> Self {
        let mut names = Vec::new();
        for word in text
            .split([',', ' ', ';'])
            .map(str::trim)
            .filter(|w| !w.is_empty())
        {
            match word {
                "mobile-vk11" => names.extend(MOBILE_VK11.iter().map(|n| (*n).to_owned())),
                name => names.push(name.to_owned()),
            }
        }
        Self { names }
    }

    /// Whether `name` is to be ignored.
    pub fn hides(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }
}

macro_rules! extensions {
    ($($(#[$doc:meta])* $field:ident = $name:literal, needs $feature:ident, lost $lost:literal;)*) => {
        /// Device extensions in use.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Extensions { $($(#[$doc])* pub $field: bool,)* }

        impl Extensions {
            /// Names of those in use, for device creation.
            pub fn names(&self) -> Vec<&'static CStr> {
                let mut names = Vec::new();
                $(if self.$field { names.push(const { match CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => panic!("a name with one NUL at its end"),
                } }); })*
                names
            }

            /// What is absent, and what is lost by it (rows that lose nothing are left out).
            pub fn missing(&self) -> Vec<(String, String)> {
                let mut missing = Vec::new();
                $(if !self.$field && !$lost.is_empty() { missing.push(($name.to_owned(), $lost.to_owned())); })*
                missing
            }

            /// Decided from what the device lists and what its feature structures say.
            fn decide(listed: impl Fn(&str) -> bool, has: &ExtensionFeatures) -> Self {
                Self { $($field: listed($name) && has.$feature(),)* }
            }
        }
    };
}

extensions! {
    /// Passes without render pass objects. The backend has no other way to draw.
    dynamic_rendering = "VK_KHR_dynamic_rendering", needs dynamic_rendering, lost "the Vulkan backend as a whole";
    depth_stencil_resolve = "VK_KHR_depth_stencil_resolve", needs always, lost "";
    create_renderpass2 = "VK_KHR_create_renderpass2", needs always, lost "";
    depth_clip_control = "VK_EXT_depth_clip_control", needs depth_clip_control, lost "";
    depth_clip_enable = "VK_EXT_depth_clip_enable", needs depth_clip_enable, lost "";
    provoking_vertex = "VK_EXT_provoking_vertex", needs provoking_vertex, lost "flat shading takes the first vertex of a primitive, not the last";
    index_type_uint8 = "VK_EXT_index_type_uint8", needs index_type_uint8, lost "";
    vertex_attribute_divisor = "VK_EXT_vertex_attribute_divisor", needs vertex_attribute_divisor, lost "instanced attributes with a divisor above 1";
    line_rasterization = "VK_EXT_line_rasterization", needs bresenham_lines, lost "the pixels that OpenGL prescribes for lines: they are those of rectangles";
    list_restart = "VK_EXT_primitive_topology_list_restart", needs list_restart, lost "";
    custom_border_color = "VK_EXT_custom_border_color", needs custom_border_color, lost "border colours other than transparent black, black and white";
    draw_indirect_count = "VK_KHR_draw_indirect_count", needs always, lost "";
    transform_feedback = "VK_EXT_transform_feedback", needs transform_feedback, lost "transform feedback";
    primitives_generated = "VK_EXT_primitives_generated_query", needs primitives_generated, lost "";
    image_format_list = "VK_KHR_image_format_list", needs always, lost "";
    /// Only together with the instance's extensions for windows.
    swapchain = "VK_KHR_swapchain", needs always, lost "windows";
    mirror_clamp = "VK_KHR_sampler_mirror_clamp_to_edge", needs always, lost "GL_MIRROR_CLAMP_TO_EDGE";
}

/// What the feature structures of the extensions say.
#[derive(Clone, Copy, Debug, Default)]
struct ExtensionFeatures {
    dynamic_rendering: bool,
    depth_clip_control: bool,
    depth_clip_enable: bool,
    provoking_vertex: bool,
    index_type_uint8: bool,
    vertex_attribute_divisor: bool,
    list_restart: bool,
    bresenham_lines: bool,
    custom_border_color: bool,
    transform_feedback: bool,
    primitives_generated: bool,
}

impl ExtensionFeatures {
    fn always(&self) -> bool {
        true
    }
    fn dynamic_rendering(&self) -> bool {
        self.dynamic_rendering
    }
    fn depth_clip_control(&self) -> bool {
        self.depth_clip_control
    }
    fn depth_clip_enable(&self) -> bool {
        self.depth_clip_enable
    }
    fn provoking_vertex(&self) -> bool {
        self.provoking_vertex
    }
    fn index_type_uint8(&self) -> bool {
        self.index_type_uint8
    }
    fn vertex_attribute_divisor(&self) -> bool {
        self.vertex_attribute_divisor
    }
    fn bresenham_lines(&self) -> bool {
        self.bresenham_lines
    }
    fn list_restart(&self) -> bool {
        self.list_restart
    }
    fn custom_border_color(&self) -> bool {
        self.custom_border_color
    }
    fn primitives_generated(&self) -> bool {
        self.primitives_generated
    }
    fn transform_feedback(&self) -> bool {
        self.transform_feedback
    }
}

macro_rules! core_features {
    ($($field:ident = $vk:ident $name:literal, lost $lost:literal;)*) => {
        /// Core features in use.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct CoreFeatures { $(pub $field: bool,)* }

        impl CoreFeatures {
            fn decide(has: &vk::PhysicalDeviceFeatures, hide: &HideList) -> Self {
                Self { $($field: has.$vk == vk::TRUE && !hide.hides($name),)* }
            }

            /// The structure that asks for them.
            pub fn request(&self) -> vk::PhysicalDeviceFeatures {
                vk::PhysicalDeviceFeatures { $($vk: vk::Bool32::from(self.$field),)* ..Default::default() }
            }

            /// What is absent, and what is lost by it.
            pub fn missing(&self) -> Vec<(String, String)> {
                let mut missing = Vec::new();
                $(if !self.$field && !$lost.is_empty() { missing.push(($name.to_owned(), $lost.to_owned())); })*
                missing
            }
        }
    };
}

core_features! {
    robust_buffer_access = robust_buffer_access "robustBufferAccess", lost "";
    full_draw_index_uint32 = full_draw_index_uint32 "fullDrawIndexUint32", lost "";
    image_cube_array = image_cube_array "imageCubeArray", lost "cube map arrays";
    independent_blend = independent_blend "independentBlend", lost "blend state per draw buffer";
    geometry_shader = geometry_shader "geometryShader", lost "geometry shaders, layered rendering";
    tessellation_shader = tessellation_shader "tessellationShader", lost "tessellation";
    sample_rate_shading = sample_rate_shading "sampleRateShading", lost "shading per sample";
    dual_src_blend = dual_src_blend "dualSrcBlend", lost "dual-source blending";
    logic_op = logic_op "logicOp", lost "glLogicOp";
    multi_draw_indirect = multi_draw_indirect "multiDrawIndirect", lost "";
    draw_indirect_first_instance = draw_indirect_first_instance "drawIndirectFirstInstance", lost "a base instance in indirect draws";
    depth_clamp = depth_clamp "depthClamp", lost "GL_DEPTH_CLAMP";
    depth_bias_clamp = depth_bias_clamp "depthBiasClamp", lost "";
    fill_mode_non_solid = fill_mode_non_solid "fillModeNonSolid", lost "glPolygonMode with lines or points";
    wide_lines = wide_lines "wideLines", lost "lines wider than one pixel";
    large_points = large_points "largePoints", lost "points larger than one pixel";
    alpha_to_one = alpha_to_one "alphaToOne", lost "GL_SAMPLE_ALPHA_TO_ONE";
    multi_viewport = multi_viewport "multiViewport", lost "several viewports";
    sampler_anisotropy = sampler_anisotropy "samplerAnisotropy", lost "anisotropic filtering";
    occlusion_query_precise = occlusion_query_precise "occlusionQueryPrecise", lost "exact GL_SAMPLES_PASSED";
    pipeline_statistics_query = pipeline_statistics_query "pipelineStatisticsQuery", lost "GL_PRIMITIVES_GENERATED";
    vertex_pipeline_stores_and_atomics = vertex_pipeline_stores_and_atomics "vertexPipelineStoresAndAtomics", lost "image and storage writes in vertex stages";
    fragment_stores_and_atomics = fragment_stores_and_atomics "fragmentStoresAndAtomics", lost "image and storage writes in fragment shaders";
    shader_tessellation_and_geometry_point_size = shader_tessellation_and_geometry_point_size "shaderTessellationAndGeometryPointSize", lost "";
    shader_image_gather_extended = shader_image_gather_extended "shaderImageGatherExtended", lost "textureGatherOffsets";
    shader_storage_image_extended_formats = shader_storage_image_extended_formats "shaderStorageImageExtendedFormats", lost "some image unit formats";
    shader_storage_image_multisample = shader_storage_image_multisample "shaderStorageImageMultisample", lost "multisample images in shaders";
    shader_storage_image_read_without_format = shader_storage_image_read_without_format "shaderStorageImageReadWithoutFormat", lost "";
    shader_storage_image_write_without_format = shader_storage_image_write_without_format "shaderStorageImageWriteWithoutFormat", lost "";
    shader_uniform_buffer_array_dynamic_indexing = shader_uniform_buffer_array_dynamic_indexing "shaderUniformBufferArrayDynamicIndexing", lost "";
    shader_sampled_image_array_dynamic_indexing = shader_sampled_image_array_dynamic_indexing "shaderSampledImageArrayDynamicIndexing", lost "";
    shader_storage_buffer_array_dynamic_indexing = shader_storage_buffer_array_dynamic_indexing "shaderStorageBufferArrayDynamicIndexing", lost "";
    shader_storage_image_array_dynamic_indexing = shader_storage_image_array_dynamic_indexing "shaderStorageImageArrayDynamicIndexing", lost "";
    shader_clip_distance = shader_clip_distance "shaderClipDistance", lost "gl_ClipDistance";
    shader_cull_distance = shader_cull_distance "shaderCullDistance", lost "gl_CullDistance";
    shader_float64 = shader_float64 "shaderFloat64", lost "double precision in shaders";
    shader_int64 = shader_int64 "shaderInt64", lost "";
}

/// Everything that paths are chosen by.
#[derive(Clone, Debug, Default)]
pub struct Features {
    pub ext: Extensions,
    pub core: CoreFeatures,
    /// gl_BaseVertex, gl_BaseInstance, gl_DrawID.
    pub draw_parameters: bool,
    /// Restart in patch lists too.
    pub patch_restart: bool,
    /// Border colours whose format need not be told.
    pub border_color_without_format: bool,
    /// Lines with coverage, as GL_LINE_SMOOTH asks for.
    pub smooth_lines: bool,
    /// Lines are rectangles where asked for, as multisampling has them.
    pub rectangular_lines: bool,
    /// A zero divisor is allowed.
    pub zero_divisor: bool,
    pub geometry_streams: bool,
    /// GL_PRIMITIVES_GENERATED counts under GL_RASTERIZER_DISCARD too.
    pub generated_with_discard: bool,
    /// What the hide list took away beyond names of extensions and core features (format names).
    pub hide: HideList,
}

impl Features {
    /// Asks the device.
    #[allow(unsafe_code)]
    pub fn query(
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        hide: &HideList,
    ) -> Result<Self, vk::Result> {
        // SAFETY: rule 3 – the physical device came from this living instance.
        let listed = unsafe { instance.enumerate_device_extension_properties(physical)? };
        let listed: Vec<String> = listed
            .iter()
            .filter_map(|e| Some(e.extension_name_as_c_str().ok()?.to_str().ok()?.to_owned()))
            .collect();
        let listed = |name: &str| listed.iter().any(|l| l == name) && !hide.hides(name);

        let mut dynamic = vk::PhysicalDeviceDynamicRenderingFeatures::default();
        let mut clip_control = vk::PhysicalDeviceDepthClipControlFeaturesEXT::default();
        let mut clip_enable = vk::PhysicalDeviceDepthClipEnableFeaturesEXT::default();
        let mut provoking = vk::PhysicalDeviceProvokingVertexFeaturesEXT::default();
        let mut uint8 = vk::PhysicalDeviceIndexTypeUint8FeaturesEXT::default();
        let mut divisor = vk::PhysicalDeviceVertexAttributeDivisorFeaturesEXT::default();
        let mut lines = vk::PhysicalDeviceLineRasterizationFeaturesEXT::default();
        let mut restart = vk::PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT::default();
        let mut border = vk::PhysicalDeviceCustomBorderColorFeaturesEXT::default();
        let mut xfb = vk::PhysicalDeviceTransformFeedbackFeaturesEXT::default();
        let mut generated = vk::PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT::default();
        let mut parameters = vk::PhysicalDeviceShaderDrawParametersFeatures::default();
        let mut all = vk::PhysicalDeviceFeatures2::default()
            .push_next(&mut dynamic)
            .push_next(&mut clip_control)
            .push_next(&mut clip_enable)
            .push_next(&mut provoking)
            .push_next(&mut uint8)
            .push_next(&mut divisor)
            .push_next(&mut lines)
            .push_next(&mut restart)
            .push_next(&mut border)
            .push_next(&mut xfb)
            .push_next(&mut generated)
            .push_next(&mut parameters);
        // SAFETY: rule 4 – the chain is made of the locals above; structures of absent extensions are left untouched.
        unsafe { instance.get_physical_device_features2(physical, &mut all) };
        let core = CoreFeatures::decide(&all.features, hide);
        let has = ExtensionFeatures {
            dynamic_rendering: dynamic.dynamic_rendering == vk::TRUE,
            depth_clip_control: clip_control.depth_clip_control == vk::TRUE,
            depth_clip_enable: clip_enable.depth_clip_enable == vk::TRUE,
            provoking_vertex: provoking.provoking_vertex_last == vk::TRUE,
            index_type_uint8: uint8.index_type_uint8 == vk::TRUE,
            vertex_attribute_divisor: divisor.vertex_attribute_instance_rate_divisor == vk::TRUE,
            bresenham_lines: lines.bresenham_lines == vk::TRUE,
            list_restart: restart.primitive_topology_list_restart == vk::TRUE,
            custom_border_color: border.custom_border_colors == vk::TRUE,
            transform_feedback: xfb.transform_feedback == vk::TRUE,
            primitives_generated: generated.primitives_generated_query == vk::TRUE
                && xfb.transform_feedback == vk::TRUE
                && listed("VK_EXT_transform_feedback"),
        };
        let ext = Extensions::decide(listed, &has);
        Ok(Self {
            ext,
            core,
            draw_parameters: parameters.shader_draw_parameters == vk::TRUE
                && !hide.hides("shaderDrawParameters"),
            smooth_lines: ext.line_rasterization && lines.smooth_lines == vk::TRUE,
            rectangular_lines: ext.line_rasterization && lines.rectangular_lines == vk::TRUE,
            patch_restart: ext.list_restart
                && restart.primitive_topology_patch_list_restart == vk::TRUE,
            border_color_without_format: ext.custom_border_color
                && border.custom_border_color_without_format == vk::TRUE,
            zero_divisor: ext.vertex_attribute_divisor
                && divisor.vertex_attribute_instance_rate_zero_divisor == vk::TRUE,
            geometry_streams: ext.transform_feedback && xfb.geometry_streams == vk::TRUE,
            generated_with_discard: ext.primitives_generated
                && generated.primitives_generated_query_with_rasterizer_discard == vk::TRUE,
            hide: hide.clone(),
        })
    }

    /// What is absent and what is lost by it.
    pub fn missing(&self) -> Vec<(String, String)> {
        let mut missing = self.ext.missing();
        missing.extend(self.core.missing());
        if !self.smooth_lines {
            missing.push((
                "smoothLines".to_owned(),
                "GL_LINE_SMOOTH has no effect".to_owned(),
            ));
        }
        if !self.draw_parameters {
            missing.push((
                "shaderDrawParameters".to_owned(),
                "gl_InstanceID, gl_BaseVertex, gl_BaseInstance and gl_DrawID".to_owned(),
            ));
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hide_list_with_profile_hides_its_names_and_others() {
        let hide = HideList::parse("mobile-vk11, VK_EXT_robustness2");
        assert!(hide.hides("VK_EXT_depth_clip_control") && hide.hides("VK_EXT_robustness2"));
        assert!(!hide.hides("VK_KHR_dynamic_rendering"));
    }
}
