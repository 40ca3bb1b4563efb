//! What the opened driver may be asked for: built once from version, extensions and the list of hidden ones.
//! It must never look at a function pointer: under GLVND every name has one.

use std::collections::BTreeSet;

/// Extensions to ignore, by name, or all of them (profile `bare-es32`): desktop drivers have what phones lack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HideList {
    names: BTreeSet<String>,
    all: bool,
}

/// Hides every extension: what the specification of ES 3.2 guarantees is all that is left.
pub const PROFILE_BARE_ES32: &str = "bare-es32";

impl HideList {
    /// From names and profiles, separated by commas or spaces.
    pub fn parse(text: &str) -> Self {
        let mut list = Self::default();
        for word in text.split([',', ' ', ';']).filter(|word| !word.is_empty()) {
            if word == PROFILE_BARE_ES32 {
                list.all = true;
            } else {
                list.names.insert(word.to_owned());
            }
        }
        list
    }

    /// Whether `extension` is to be ignored.
    pub fn hides(&self, extension: &str) -> bool {
        self.all || self.names.contains(extension)
    }
}

macro_rules! features {
    ($($(#[$doc:meta])* $field:ident: [$($ext:literal),*] lost $lost:literal;)*) => {
        /// One flag per optional ability of the driver.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Features {
            /// `GL_VERSION` as (major, minor).
            pub version: (u32, u32),
            $($(#[$doc])* pub $field: bool,)*
        }

        impl Features {
            /// From the driver's strings, minus what is hidden. Any one of a row's extensions grants the ability.
            pub fn new<'a>(version: (u32, u32), extensions: impl Iterator<Item = &'a str>, hide: &HideList) -> Self {
                let mut features = Self { version, ..Self::default() };
                for extension in extensions.filter(|name| !hide.hides(name)) {
                    match extension {
                        $($($ext => features.$field = true,)*)*
                        _ => {}
                    }
                }
                features
            }

            /// What is lacking and what is lost by it.
            pub fn missing(&self) -> Vec<(String, String)> {
                let mut missing = Vec::new();
                $(if !self.$field {
                    missing.push(([$($ext),*][0].to_owned(), $lost.to_owned()));
                })*
                // No extension of ES brings these.
                for (what, lost) in NEVER {
                    missing.push(((*what).to_owned(), (*lost).to_owned()));
                }
                missing
            }
        }
    };
}

/// What no ES driver has.
const NEVER: &[(&str, &str)] = &[
    (
        "GL_SAMPLES_PASSED",
        "occlusion counters have no bits and answer 0 or 1: ES only knows whether any sample passed",
    ),
    (
        "fp64",
        "double-precision vertex attributes are narrowed; shaders with doubles do not translate",
    ),
    (
        "GL_TEXTURE_LOD_BIAS",
        "the bias of samplers is ignored; a shader's own bias works",
    ),
    (
        "GL_FIRST_VERTEX_CONVENTION",
        "flat attributes always come from a primitive's last vertex",
    ),
    (
        "GL_SAMPLE_ALPHA_TO_ONE",
        "has no effect, as switching GL_MULTISAMPLE off",
    ),
    (
        "GL_LINE_SMOOTH",
        "smooth lines and polygons are drawn without smoothing",
    ),
];

features! {
    base_instance: ["GL_EXT_base_instance"] lost "draws with a base instance fetch instanced attributes through shifted buffer offsets";
    buffer_storage: ["GL_EXT_buffer_storage"] lost "streams are mapped per upload instead of once";
    clip_control: ["GL_EXT_clip_control"] lost "glClipControl other than the default is ignored";
    clip_distance: ["GL_EXT_clip_cull_distance", "GL_APPLE_clip_distance"] lost "gl_ClipDistance does not clip";
    depth_clamp: ["GL_EXT_depth_clamp"] lost "GL_DEPTH_CLAMP has no effect";
    dual_source: ["GL_EXT_blend_func_extended"] lost "dual-source blending: programs with a second source do not link";
    texture_view: ["GL_EXT_texture_view", "GL_OES_texture_view"] lost "glTextureView is refused, and the extension is not advertised";
    viewport_array: ["GL_OES_viewport_array", "GL_NV_viewport_array"] lost "only viewport 0 is used";
    framebuffer_fetch: ["GL_EXT_shader_framebuffer_fetch"] lost "glLogicOp: GL_COLOR_LOGIC_OP has no effect (GL 4.6 §17.3.9)";
    srgb_write_control: ["GL_EXT_sRGB_write_control"] lost "writes to sRGB framebuffers are always encoded";
    timer_query: ["GL_EXT_disjoint_timer_query"] lost "timer queries answer 0";
    norm16: ["GL_EXT_texture_norm16"] lost "16-bit normalized formats are kept as half floats: 11 bits of precision";
    polygon_mode: ["GL_NV_polygon_mode"] lost "glPolygonMode other than GL_FILL is ignored";
    polygon_offset_clamp: ["GL_EXT_polygon_offset_clamp"] lost "glPolygonOffsetClamp does not clamp";
    multi_draw_indirect: ["GL_EXT_multi_draw_indirect"] lost "multi-draws from buffers are looped";
    float_linear: ["GL_OES_texture_float_linear"] lost "32-bit float textures are not filtered";
    float_blend: ["GL_EXT_float_blend"] lost "32-bit float targets do not blend";
    geometry_point_size: ["GL_EXT_geometry_point_size", "GL_OES_geometry_point_size"] lost "points from a geometry stage have size 1";
    tessellation_point_size: ["GL_EXT_tessellation_point_size", "GL_OES_tessellation_point_size"] lost "points from a tessellation stage have size 1";
    noperspective: ["GL_NV_shader_noperspective_interpolation"] lost "noperspective is emulated: vertices multiply by w, fragments divide; captured outputs cannot be noperspective";
    anisotropy: ["GL_EXT_texture_filter_anisotropic"] lost "anisotropic filtering is off";
    render_snorm: ["GL_EXT_render_snorm"] lost "signed normalized formats are no render targets";
    image_formats: ["GL_NV_image_formats"] lost "image units take the formats of ES 3.2 only";
    color_buffer_float: ["GL_EXT_color_buffer_float", "GL_EXT_color_buffer_half_float"] lost "float render targets are those of ES 3.2";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_extension_is_no_feature() {
        let names = ["GL_EXT_depth_clamp", "GL_EXT_clip_control"];
        let features = Features::new(
            (3, 2),
            names.into_iter(),
            &HideList::parse("GL_EXT_clip_control"),
        );
        assert!(features.depth_clamp && !features.clip_control);
    }

    #[test]
    fn bare_profile_hides_everything_and_says_what_is_lost() {
        let features = Features::new(
            (3, 2),
            ["GL_EXT_depth_clamp"].into_iter(),
            &HideList::parse(PROFILE_BARE_ES32),
        );
        assert!(!features.depth_clamp);
        assert!(
            features
                .missing()
                .iter()
                .any(|(what, _)| what == "GL_EXT_depth_clamp")
        );
    }
}
