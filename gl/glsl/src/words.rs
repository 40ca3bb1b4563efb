//! The tables of words whose meaning changed between GLSL versions. It must not hold any logic but look-ups.

/// Put before every name of the shader's own that would mean something to the compiler; reflection takes it off again.
pub const RENAMED: &str = "mgk_";

/// Words that are keywords (or reserved) for the compiler, and the version in which they became so for GLSL.
/// Before that version a shader may use them as names. `u32::MAX`: never a GLSL word.
const KEYWORDS: &[(&str, u32)] = &[
    ("centroid", 120),
    ("invariant", 120),
    ("lowp", 120),
    ("mediump", 120),
    ("highp", 120),
    ("precision", 120),
    ("mat2x2", 120),
    ("mat2x3", 120),
    ("mat2x4", 120),
    ("mat3x2", 120),
    ("mat3x3", 120),
    ("mat3x4", 120),
    ("mat4x2", 120),
    ("mat4x3", 120),
    ("mat4x4", 120),
    ("smooth", 130),
    ("flat", 130),
    ("noperspective", 130),
    ("uint", 130),
    ("uvec2", 130),
    ("uvec3", 130),
    ("uvec4", 130),
    ("switch", 110),
    ("case", 130),
    ("common", 130),
    ("partition", 130),
    ("active", 130),
    ("superp", 130),
    ("filter", 140),
    ("layout", 140),
    ("isampler1D", 130),
    ("isampler2D", 130),
    ("isampler3D", 130),
    ("isamplerCube", 130),
    ("isampler1DArray", 130),
    ("isampler2DArray", 130),
    ("usampler1D", 130),
    ("usampler2D", 130),
    ("usampler3D", 130),
    ("usamplerCube", 130),
    ("usampler1DArray", 130),
    ("usampler2DArray", 130),
    ("sampler1DArray", 130),
    ("sampler2DArray", 130),
    ("sampler1DArrayShadow", 130),
    ("sampler2DArrayShadow", 130),
    ("samplerCubeShadow", 130),
    ("samplerBuffer", 140),
    ("isamplerBuffer", 140),
    ("usamplerBuffer", 140),
    ("isampler2DRect", 140),
    ("usampler2DRect", 140),
    ("sampler2DMS", 150),
    ("isampler2DMS", 150),
    ("usampler2DMS", 150),
    ("sampler2DMSArray", 150),
    ("isampler2DMSArray", 150),
    ("usampler2DMSArray", 150),
    ("sample", 400),
    ("patch", 400),
    ("precise", 400),
    ("subroutine", 400),
    ("double", 400),
    ("dvec2", 400),
    ("dvec3", 400),
    ("dvec4", 400),
    ("dmat2", 400),
    ("dmat3", 400),
    ("dmat4", 400),
    ("dmat2x2", 400),
    ("dmat2x3", 400),
    ("dmat2x4", 400),
    ("dmat3x2", 400),
    ("dmat3x3", 400),
    ("dmat3x4", 400),
    ("dmat4x2", 400),
    ("dmat4x3", 400),
    ("dmat4x4", 400),
    ("samplerCubeArray", 400),
    ("samplerCubeArrayShadow", 400),
    ("isamplerCubeArray", 400),
    ("usamplerCubeArray", 400),
    ("coherent", 420),
    ("volatile", 420),
    ("restrict", 420),
    ("readonly", 420),
    ("writeonly", 420),
    ("atomic_uint", 420),
    ("resource", 420),
    ("image1D", 420),
    ("image2D", 420),
    ("image3D", 420),
    ("image2DRect", 420),
    ("imageCube", 420),
    ("imageBuffer", 420),
    ("image1DArray", 420),
    ("image2DArray", 420),
    ("imageCubeArray", 420),
    ("image2DMS", 420),
    ("image2DMSArray", 420),
    ("iimage1D", 420),
    ("iimage2D", 420),
    ("iimage3D", 420),
    ("iimage2DRect", 420),
    ("iimageCube", 420),
    ("iimageBuffer", 420),
    ("iimage1DArray", 420),
    ("iimage2DArray", 420),
    ("iimageCubeArray", 420),
    ("iimage2DMS", 420),
    ("iimage2DMSArray", 420),
    ("uimage1D", 420),
    ("uimage2D", 420),
    ("uimage3D", 420),
    ("uimage2DRect", 420),
    ("uimageCube", 420),
    ("uimageBuffer", 420),
    ("uimage1DArray", 420),
    ("uimage2DArray", 420),
    ("uimageCubeArray", 420),
    ("uimage2DMS", 420),
    ("uimage2DMSArray", 420),
    ("buffer", 430),
    ("shared", 430),
    ("sampler", u32::MAX),
    ("samplerShadow", u32::MAX),
    ("subpassInput", u32::MAX),
    ("subpassInputMS", u32::MAX),
    ("isubpassInput", u32::MAX),
    ("usubpassInput", u32::MAX),
    ("demote", u32::MAX),
    ("inline", u32::MAX),
    ("vector", u32::MAX),
    ("noinline", u32::MAX),
    ("tileImageEXT", u32::MAX),
    ("resourceheap", u32::MAX),
    ("samplerheap", u32::MAX),
    ("texture1D", u32::MAX),
    ("texture2D", u32::MAX),
    ("texture3D", u32::MAX),
    ("textureCube", u32::MAX),
    ("texture2DRect", u32::MAX),
    ("texture1DArray", u32::MAX),
    ("texture2DArray", u32::MAX),
    ("textureCubeArray", u32::MAX),
    ("textureBuffer", u32::MAX),
    ("texture2DMS", u32::MAX),
    ("texture2DMSArray", u32::MAX),
    ("itexture1D", u32::MAX),
    ("itexture2D", u32::MAX),
    ("itexture3D", u32::MAX),
    ("itextureCube", u32::MAX),
    ("utexture1D", u32::MAX),
    ("utexture2D", u32::MAX),
    ("utexture3D", u32::MAX),
    ("utextureCube", u32::MAX),
];

/// The version since which the compiler's keyword `word` is one in GLSL.
pub fn keyword_since(word: &str) -> Option<u32> {
    KEYWORDS
        .iter()
        .find(|(k, _)| *k == word)
        .map(|(_, since)| *since)
}

/// Built-in functions that came after 1.10. A shader of an older version may define functions of these names.
const FUNCTIONS: &[(&str, u32)] = &[
    ("transpose", 120),
    ("outerProduct", 120),
    ("sinh", 130),
    ("cosh", 130),
    ("tanh", 130),
    ("asinh", 130),
    ("acosh", 130),
    ("atanh", 130),
    ("trunc", 130),
    ("round", 130),
    ("roundEven", 130),
    ("modf", 130),
    ("isnan", 130),
    ("isinf", 130),
    ("textureSize", 130),
    ("texelFetch", 130),
    ("textureOffset", 130),
    ("textureGrad", 130),
    ("textureProj", 130),
    ("textureLod", 130),
    ("textureLodOffset", 130),
    ("texture", 130),
    ("texelFetchOffset", 130),
    ("inverse", 140),
    ("determinant", 150),
    ("floatBitsToInt", 330),
    ("floatBitsToUint", 330),
    ("intBitsToFloat", 330),
    ("uintBitsToFloat", 330),
    ("fma", 400),
    ("frexp", 400),
    ("ldexp", 400),
    ("packUnorm2x16", 400),
    ("packUnorm4x8", 400),
    ("packSnorm4x8", 400),
    ("unpackUnorm2x16", 400),
    ("unpackUnorm4x8", 400),
    ("unpackSnorm4x8", 400),
    ("bitfieldExtract", 400),
    ("bitfieldInsert", 400),
    ("bitfieldReverse", 400),
    ("bitCount", 400),
    ("findLSB", 400),
    ("findMSB", 400),
    ("uaddCarry", 400),
    ("usubBorrow", 400),
    ("umulExtended", 400),
    ("imulExtended", 400),
    ("textureGather", 400),
    ("textureGatherOffset", 400),
    ("textureGatherOffsets", 400),
    ("textureQueryLod", 400),
    ("interpolateAtCentroid", 400),
    ("interpolateAtSample", 400),
    ("interpolateAtOffset", 400),
    ("packHalf2x16", 420),
    ("unpackHalf2x16", 420),
    ("packSnorm2x16", 420),
    ("unpackSnorm2x16", 420),
    ("memoryBarrier", 420),
    ("imageLoad", 420),
    ("imageStore", 420),
    ("imageSize", 430),
    ("textureQueryLevels", 430),
    ("atomicAdd", 430),
    ("barrier", 400),
];

/// The version that brought the built-in function `name`, if that is after 1.10.
pub fn function_since(name: &str) -> Option<u32> {
    FUNCTIONS
        .iter()
        .find(|(f, _)| *f == name)
        .map(|(_, since)| *since)
}

/// What an old texture function is called now. `shadow*` have helpers (they return a vec4).
pub fn texture_function(name: &str) -> Option<&'static str> {
    let base = name
        .strip_suffix("ARB")
        .or_else(|| name.strip_suffix("EXT"))
        .unwrap_or(name);
    Some(match base {
        "texture1D" | "texture2D" | "texture3D" | "textureCube" | "texture1DArray"
        | "texture2DArray" | "texture2DRect" => "texture",
        "texture1DProj" | "texture2DProj" | "texture3DProj" | "texture2DRectProj" => "textureProj",
        "texture1DLod" | "texture2DLod" | "texture3DLod" | "textureCubeLod"
        | "texture1DArrayLod" | "texture2DArrayLod" => "textureLod",
        "texture1DProjLod" | "texture2DProjLod" | "texture3DProjLod" => "textureProjLod",
        "texture1DGrad" | "texture2DGrad" | "texture3DGrad" | "textureCubeGrad"
        | "texture2DRectGrad" => "textureGrad",
        "texture1DProjGrad"
        | "texture2DProjGrad"
        | "texture3DProjGrad"
        | "texture2DRectProjGrad" => "textureProjGrad",
        _ => return None,
    })
}

/// The helpers of the `shadow*` family: old name, sampler type, coordinate type, modern function, extra parameters.
pub struct Shadow {
    pub name: &'static str,
    pub sampler: &'static str,
    pub coord: &'static str,
    pub modern: &'static str,
    pub extra: Option<&'static str>,
}

const fn shadow(
    name: &'static str,
    sampler: &'static str,
    coord: &'static str,
    modern: &'static str,
    extra: Option<&'static str>,
) -> Shadow {
    Shadow {
        name,
        sampler,
        coord,
        modern,
        extra,
    }
}

pub const SHADOW: &[Shadow] = &[
    shadow("shadow1D", "sampler1DShadow", "vec3", "texture", None),
    shadow("shadow2D", "sampler2DShadow", "vec3", "texture", None),
    shadow(
        "shadow1DArray",
        "sampler1DArrayShadow",
        "vec3",
        "texture",
        None,
    ),
    shadow(
        "shadow2DArray",
        "sampler2DArrayShadow",
        "vec4",
        "texture",
        None,
    ),
    shadow(
        "shadow2DRect",
        "sampler2DRectShadow",
        "vec3",
        "texture",
        None,
    ),
    shadow(
        "shadow2DRectProj",
        "sampler2DRectShadow",
        "vec4",
        "textureProj",
        None,
    ),
    shadow(
        "shadow1DProj",
        "sampler1DShadow",
        "vec4",
        "textureProj",
        None,
    ),
    shadow(
        "shadow2DProj",
        "sampler2DShadow",
        "vec4",
        "textureProj",
        None,
    ),
    shadow(
        "shadow1DLod",
        "sampler1DShadow",
        "vec3",
        "textureLod",
        Some("float"),
    ),
    shadow(
        "shadow1DArrayLod",
        "sampler1DArrayShadow",
        "vec3",
        "textureLod",
        Some("float"),
    ),
    shadow(
        "shadow2DLod",
        "sampler2DShadow",
        "vec3",
        "textureLod",
        Some("float"),
    ),
    shadow(
        "shadow1DProjLod",
        "sampler1DShadow",
        "vec4",
        "textureProjLod",
        Some("float"),
    ),
    shadow(
        "shadow2DProjLod",
        "sampler2DShadow",
        "vec4",
        "textureProjLod",
        Some("float"),
    ),
    shadow(
        "shadow1DGrad",
        "sampler1DShadow",
        "vec3",
        "textureGrad",
        Some("float, float"),
    ),
    shadow(
        "shadow2DGrad",
        "sampler2DShadow",
        "vec3",
        "textureGrad",
        Some("vec2, vec2"),
    ),
    shadow(
        "shadow1DProjGrad",
        "sampler1DShadow",
        "vec4",
        "textureProjGrad",
        Some("float, float"),
    ),
    shadow(
        "shadow2DProjGrad",
        "sampler2DShadow",
        "vec4",
        "textureProjGrad",
        Some("vec2, vec2"),
    ),
    shadow(
        "shadow2DRectGrad",
        "sampler2DRectShadow",
        "vec3",
        "textureGrad",
        Some("vec2, vec2"),
    ),
    shadow(
        "shadow2DRectProjGrad",
        "sampler2DRectShadow",
        "vec4",
        "textureProjGrad",
        Some("vec2, vec2"),
    ),
];

/// The helper for a `shadow*` call, with `EXT` and `ARB` suffixes.
pub fn shadow_function(name: &str) -> Option<&'static Shadow> {
    let base = name
        .strip_suffix("ARB")
        .or_else(|| name.strip_suffix("EXT"))
        .unwrap_or(name);
    SHADOW.iter().find(|s| s.name == base)
}

/// Built-in variables and functions that only the compatibility profile has.
const COMPATIBILITY: &[&str] = &[
    "gl_Vertex",
    "gl_Normal",
    "gl_Color",
    "gl_SecondaryColor",
    "gl_FogCoord",
    "gl_FrontColor",
    "gl_BackColor",
    "gl_FrontSecondaryColor",
    "gl_BackSecondaryColor",
    "gl_TexCoord",
    "gl_FogFragCoord",
    "gl_ClipVertex",
    "gl_NormalMatrix",
    "gl_NormalScale",
    "gl_ClipPlane",
    "gl_Point",
    "gl_FrontMaterial",
    "gl_BackMaterial",
    "gl_LightSource",
    "gl_LightModel",
    "gl_FrontLightModelProduct",
    "gl_BackLightModelProduct",
    "gl_FrontLightProduct",
    "gl_BackLightProduct",
    "gl_TextureEnvColor",
    "gl_Fog",
    "gl_MaxLights",
    "gl_MaxClipPlanes",
    "gl_MaxTextureUnits",
    "gl_MaxTextureCoords",
    "ftransform",
];
const COMPATIBILITY_PREFIXES: &[&str] = &[
    "gl_MultiTexCoord",
    "gl_ModelViewMatrix",
    "gl_ProjectionMatrix",
    "gl_ModelViewProjectionMatrix",
    "gl_TextureMatrix",
    "gl_EyePlane",
    "gl_ObjectPlane",
];

pub fn is_compatibility(name: &str) -> bool {
    COMPATIBILITY.contains(&name) || COMPATIBILITY_PREFIXES.iter().any(|p| name.starts_with(p))
}

/// Built-ins of the language that this translation does not have yet.
pub fn is_missing(name: &str) -> bool {
    matches!(
        name,
        "gl_SecondaryFragColorEXT" | "gl_SecondaryFragDataEXT" | "gl_LastFragData"
    )
}

/// The name that the shader used, for each part of a path such as `mgk_sample[0].mgk_buffer`.
pub fn original(path: &str) -> String {
    if !path.contains(RENAMED) {
        return path.to_owned();
    }
    path.split('.')
        .map(|part| part.strip_prefix(RENAMED).unwrap_or(part))
        .collect::<Vec<_>>()
        .join(".")
}
