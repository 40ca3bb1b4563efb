//! Framebuffer configurations and visuals ("Configuration Management", "Backwards Compatibility"). They are EGL's, each with two buffers and with one.

use super::attribs;
use super::state::open;
use super::types::*;
use crate::egl::{self, Config, MAX_PBUFFER};
use crate::x11::{Server, Visual, xlib};
use gl_enums::glx::*;
use std::ffi::{c_int, c_void};

/// Number of a configuration, from 1.
pub type ConfigId = u32;

/// Added to the id where there is one buffer only.
const SINGLE: ConfigId = 0x20;

/// A configuration.
#[derive(Clone, Copy, Debug)]
pub struct FbConfig {
    pub id: ConfigId,
    pub base: &'static Config,
    pub double_buffered: bool,
}

/// The configuration of an id.
pub fn config(id: ConfigId) -> Option<FbConfig> {
    let base = egl::CONFIGS.iter().find(|base| base.id == id & !SINGLE)?;
    Some(FbConfig {
        id,
        base,
        double_buffered: id & SINGLE == 0,
    })
}

/// The configuration behind a handle: its id as an address.
pub fn config_of(handle: GlxFbConfig) -> Option<FbConfig> {
    config(ConfigId::try_from(handle as usize).ok()?)
}

/// The visual of a configuration's windows on a screen. Those with one buffer have one of their own, so that a visual says how many.
pub fn visual_of(server: &Server, screen: usize, config: &FbConfig) -> Option<Visual> {
    let visuals = &server.screens.get(screen)?.visuals;
    let mut fitting = visuals
        .iter()
        .filter(|visual| visual.depth == config.base.visual_depth);
    match config.double_buffered {
        true => fitting.next().copied(),
        false => fitting.nth(1).copied(),
    }
}

/// The configuration that a visual stands for: with everything that its windows can have.
pub fn config_of_visual(server: &Server, screen: usize, id: u32) -> Option<FbConfig> {
    let visuals = &server.screens.get(screen)?.visuals;
    let visual = visuals.iter().find(|visual| visual.id == id)?;
    let base = match visual.depth {
        32 => 7,
        _ => 1,
    };
    let single = config(base | SINGLE)?;
    match visual_of(server, screen, &single) {
        Some(own) if own.id == id => Some(single),
        Some(_) | None => config(base),
    }
}

/// The configurations of a screen.
pub fn configs(server: &Server, screen: usize) -> Vec<FbConfig> {
    let ids = egl::CONFIGS
        .iter()
        .flat_map(|base| [base.id, base.id | SINGLE]);
    ids.filter_map(config)
        .filter(|config| visual_of(server, screen, config).is_some())
        .collect()
}

/// An attribute of a configuration (table 3.1); `None`: there is no such attribute.
fn attribute(config: &FbConfig, visual: Visual, screen: usize, name: c_int) -> Option<c_int> {
    let base = config.base;
    let size = base.red + base.green + base.blue + base.alpha;
    Some(match name {
        GLX_USE_GL | GLX_RGBA | GLX_X_RENDERABLE => TRUE,
        GLX_FBCONFIG_ID => config.id as c_int,
        GLX_BUFFER_SIZE => size as c_int,
        GLX_DOUBLEBUFFER => c_int::from(config.double_buffered),
        GLX_RED_SIZE => base.red as c_int,
        GLX_GREEN_SIZE => base.green as c_int,
        GLX_BLUE_SIZE => base.blue as c_int,
        GLX_ALPHA_SIZE => base.alpha as c_int,
        GLX_DEPTH_SIZE => base.depth as c_int,
        GLX_STENCIL_SIZE => base.stencil as c_int,
        GLX_RENDER_TYPE => GLX_RGBA_BIT,
        GLX_DRAWABLE_TYPE => GLX_WINDOW_BIT | GLX_PBUFFER_BIT,
        GLX_X_VISUAL_TYPE => GLX_TRUE_COLOR,
        GLX_CONFIG_CAVEAT | GLX_TRANSPARENT_TYPE => GLX_NONE,
        GLX_VISUAL_ID => visual.id as c_int,
        GLX_SCREEN => screen as c_int,
        GLX_MAX_PBUFFER_WIDTH | GLX_MAX_PBUFFER_HEIGHT => MAX_PBUFFER as c_int,
        GLX_MAX_PBUFFER_PIXELS => (MAX_PBUFFER * MAX_PBUFFER) as c_int,
        GLX_LEVEL
        | GLX_STEREO
        | GLX_AUX_BUFFERS
        | GLX_ACCUM_RED_SIZE
        | GLX_ACCUM_GREEN_SIZE
        | GLX_ACCUM_BLUE_SIZE
        | GLX_ACCUM_ALPHA_SIZE
        | GLX_SAMPLE_BUFFERS
        | GLX_SAMPLES
        | GLX_TRANSPARENT_INDEX_VALUE
        | GLX_TRANSPARENT_RED_VALUE
        | GLX_TRANSPARENT_GREEN_VALUE
        | GLX_TRANSPARENT_BLUE_VALUE
        | GLX_TRANSPARENT_ALPHA_VALUE
        | GLX_FRAMEBUFFER_SRGB_CAPABLE_ARB => 0,
        GLX_SWAP_METHOD_OML => GLX_SWAP_UNDEFINED_OML,
        _ => return None,
    })
}

/// Whether a configuration meets one criterion (table 3.4); `None`: there is no such attribute.
fn meets(have: c_int, name: c_int, wanted: c_int) -> bool {
    if wanted == GLX_DONT_CARE {
        return true;
    }
    match name {
        // Ignored by the choice.
        GLX_MAX_PBUFFER_WIDTH
        | GLX_MAX_PBUFFER_HEIGHT
        | GLX_MAX_PBUFFER_PIXELS
        | GLX_SCREEN
        | GLX_VISUAL_ID
        | GLX_USE_GL => true,
        // Masks: all bits asked for.
        GLX_DRAWABLE_TYPE | GLX_RENDER_TYPE => have & wanted == wanted,
        // At least.
        GLX_BUFFER_SIZE | GLX_RED_SIZE | GLX_GREEN_SIZE | GLX_BLUE_SIZE | GLX_ALPHA_SIZE
        | GLX_DEPTH_SIZE | GLX_STENCIL_SIZE | GLX_AUX_BUFFERS | GLX_ACCUM_RED_SIZE
        | GLX_ACCUM_GREEN_SIZE | GLX_ACCUM_BLUE_SIZE | GLX_ACCUM_ALPHA_SIZE
        | GLX_SAMPLE_BUFFERS | GLX_SAMPLES => have >= wanted,
        // Exact, where a transparent pixel's values matter only with one.
        GLX_TRANSPARENT_INDEX_VALUE
        | GLX_TRANSPARENT_RED_VALUE
        | GLX_TRANSPARENT_GREEN_VALUE
        | GLX_TRANSPARENT_BLUE_VALUE
        | GLX_TRANSPARENT_ALPHA_VALUE => true,
        _ => have == wanted,
    }
}

/// All configurations of a screen that meet the criteria, best first ("Configuration Management"). `None`: an unknown attribute.
fn choose(
    candidates: &[(FbConfig, Visual)],
    screen: usize,
    criteria: &[(c_int, c_int)],
) -> Option<Vec<(FbConfig, Visual)>> {
    let given = |name| {
        criteria
            .iter()
            .rev()
            .find(|(n, _)| *n == name)
            .map(|(_, value)| *value)
    };
    if let Some(id) = given(GLX_FBCONFIG_ID).filter(|id| *id != GLX_DONT_CARE) {
        // All other attributes are ignored then.
        let found = candidates.iter().filter(|(c, _)| c.id as c_int == id);
        return Some(found.copied().collect());
    }
    let mut chosen = Vec::new();
    for (config, visual) in candidates {
        let mut fits = true;
        for (name, wanted) in criteria {
            let have = attribute(config, *visual, screen, *name)?;
            fits &= meets(have, *name, *wanted);
        }
        if fits {
            chosen.push((*config, *visual));
        }
    }
    let asked = |name| given(name).is_some_and(|wanted| wanted > 0);
    chosen.sort_by_key(|(config, visual)| {
        let base = config.base;
        let mut color = 0;
        for (name, bits) in [
            (GLX_RED_SIZE, base.red),
            (GLX_GREEN_SIZE, base.green),
            (GLX_BLUE_SIZE, base.blue),
            (GLX_ALPHA_SIZE, base.alpha),
        ] {
            color += if asked(name) { bits } else { 0 };
        }
        // Larger where asked for, none where not.
        let depth = match asked(GLX_DEPTH_SIZE) {
            true => u32::MAX - base.depth,
            false => base.depth,
        };
        (
            std::cmp::Reverse(color),
            base.red + base.green + base.blue + base.alpha,
            config.double_buffered,
            depth,
            base.stencil,
            // A window that a compositor mixes with what is behind it is for those who ask for its visual.
            (visual.depth, config.id),
        )
    });
    Some(chosen)
}

fn candidates(server: &Server, screen: usize) -> Vec<(FbConfig, Visual)> {
    configs(server, screen)
        .into_iter()
        .filter_map(|config| Some((config, visual_of(server, screen, &config)?)))
        .collect()
}

/// An array that XFree takes; null where it is empty.
fn array_out(found: &[(FbConfig, Visual)], count: *mut c_int) -> *mut GlxFbConfig {
    if !count.is_null() {
        // SAFETY: rule 1, and not null.
        unsafe { *count = found.len() as c_int };
    }
    if found.is_empty() {
        return std::ptr::null_mut();
    }
    let size = std::mem::size_of::<GlxFbConfig>();
    // SAFETY: XFree is free.
    let array = unsafe { libc::malloc(size * found.len()) }.cast::<GlxFbConfig>();
    if !array.is_null() {
        for (i, (config, _)) in found.iter().enumerate() {
            // SAFETY: just allocated with this many elements.
            unsafe { *array.add(i) = config.id as usize as GlxFbConfig };
        }
    }
    array
}

/// "Configuration Management".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetFBConfigs(
    display: Display,
    screen: c_int,
    count: *mut c_int,
) -> *mut GlxFbConfig {
    let found = open(display).map(|server| candidates(&server, screen as usize));
    array_out(&found.unwrap_or_default(), count)
}

/// "Configuration Management".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXChooseFBConfig(
    display: Display,
    screen: c_int,
    list: *const c_int,
    count: *mut c_int,
) -> *mut GlxFbConfig {
    // SAFETY: rule 1.
    let mut criteria = unsafe { attribs::pairs(list) };
    // Defaults that exclude anything (table 3.4).
    for default in [
        (GLX_LEVEL, 0),
        (GLX_STEREO, 0),
        (GLX_DRAWABLE_TYPE, GLX_WINDOW_BIT),
        (GLX_RENDER_TYPE, GLX_RGBA_BIT),
    ] {
        if !criteria.iter().any(|(name, _)| *name == default.0) {
            criteria.push(default);
        }
    }
    let found = open(display).and_then(|server| {
        let screen = screen as usize;
        choose(&candidates(&server, screen), screen, &criteria)
    });
    array_out(&found.unwrap_or_default(), count)
}

/// "Configuration Management".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetFBConfigAttrib(
    display: Display,
    config: GlxFbConfig,
    name: c_int,
    value: *mut c_int,
) -> c_int {
    let Some(server) = open(display) else {
        return GLX_NO_EXTENSION;
    };
    let screen = server.default_screen;
    let Some(config) = config_of(config) else {
        return GLX_BAD_VISUAL;
    };
    let Some(visual) = visual_of(&server, screen, &config) else {
        return GLX_BAD_VISUAL;
    };
    let Some(have) = attribute(&config, visual, screen, name) else {
        return GLX_BAD_ATTRIBUTE;
    };
    if value.is_null() {
        return GLX_BAD_VALUE;
    }
    // SAFETY: rule 1, and not null.
    unsafe { *value = have };
    0
}

/// The XVisualInfo of a visual, for XFree; null: the application's server has no such visual.
fn visual_info(display: Display, screen: usize, visual: Visual) -> *mut xlib::XVisualInfo {
    let none = std::ptr::null_mut();
    let Some(xlib) = xlib::xlib() else {
        return none;
    };
    let template = xlib::XVisualInfo {
        visual: std::ptr::null_mut(),
        visualid: visual.id.into(),
        screen: screen as c_int,
        depth: 0,
        class: 0,
        red_mask: 0,
        green_mask: 0,
        blue_mask: 0,
        colormap_size: 0,
        bits_per_rgb: 0,
    };
    let mask = xlib::VISUAL_ID_MASK | xlib::VISUAL_SCREEN_MASK;
    let mut count = 0;
    // SAFETY: rule 1.
    unsafe { (xlib.get_visual_info)(display, mask, &raw const template, &raw mut count) }
}

/// "Configuration Management".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetVisualFromFBConfig(
    display: Display,
    config: GlxFbConfig,
) -> *mut c_void {
    let found = open(display).and_then(|server| {
        let screen = server.default_screen;
        let visual = visual_of(&server, screen, &config_of(config)?)?;
        Some(visual_info(display, screen, visual))
    });
    found.unwrap_or(std::ptr::null_mut()).cast()
}

/// "Backwards Compatibility".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXChooseVisual(
    display: Display,
    screen: c_int,
    list: *const c_int,
) -> *mut c_void {
    let none = std::ptr::null_mut();
    // SAFETY: rule 1.
    let mut criteria = unsafe { attribs::visual(list) };
    // "Backwards Compatibility": colour index, one buffer, mono and level 0 unless asked otherwise.
    for name in [GLX_RGBA, GLX_DOUBLEBUFFER, GLX_STEREO, GLX_LEVEL] {
        if !criteria.iter().any(|(n, _)| *n == name) {
            criteria.push((name, 0));
        }
    }
    let found = open(display).and_then(|server| {
        let screen = screen as usize;
        // A visual stands for one configuration.
        let whole: Vec<_> = candidates(&server, screen)
            .into_iter()
            .filter(|(config, visual)| {
                config_of_visual(&server, screen, visual.id).is_some_and(|own| own.id == config.id)
            })
            .collect();
        let (_, visual) = *choose(&whole, screen, &criteria)?.first()?;
        Some(visual_info(display, screen, visual))
    });
    found.unwrap_or(none).cast()
}

/// "Backwards Compatibility".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetConfig(
    display: Display,
    info: *mut c_void,
    name: c_int,
    value: *mut c_int,
) -> c_int {
    let Some(server) = open(display) else {
        return GLX_NO_EXTENSION;
    };
    if info.is_null() || value.is_null() {
        return GLX_BAD_VALUE;
    }
    // SAFETY: rule 1, and not null.
    let info = unsafe { &*info.cast::<xlib::XVisualInfo>() };
    let (screen, id) = (info.screen as usize, info.visualid as u32);
    let found = config_of_visual(&server, screen, id).zip(server.visual(id));
    let answer = match (found, name) {
        (None, GLX_USE_GL) => Some(FALSE),
        // "Backwards Compatibility": a visual without GL has no other attribute.
        (None, _) => return GLX_BAD_VISUAL,
        // The types of GLX_EXT_visual_info are as those of configurations.
        (Some((config, visual)), name) => attribute(&config, visual, screen, name),
    };
    let Some(answer) = answer else {
        return GLX_BAD_ATTRIBUTE;
    };
    // SAFETY: rule 1, and not null.
    unsafe { *value = answer };
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<(FbConfig, Visual)> {
        let visual = |config: &FbConfig| Visual {
            id: 0x21 + u32::from(!config.double_buffered),
            depth: config.base.visual_depth,
        };
        let ids = egl::CONFIGS
            .iter()
            .flat_map(|base| [base.id, base.id | SINGLE]);
        ids.filter_map(config)
            .map(|config| (config, visual(&config)))
            .collect()
    }

    #[test]
    fn choice_of_what_window_toolkits_ask_for_is_the_exact_fit() {
        let ask = [
            (GLX_RENDER_TYPE, GLX_RGBA_BIT),
            (GLX_RED_SIZE, 8),
            (GLX_ALPHA_SIZE, 8),
            (GLX_DEPTH_SIZE, 24),
            (GLX_STENCIL_SIZE, 8),
            (GLX_DOUBLEBUFFER, TRUE),
        ];
        let found = choose(&all(), 0, &ask).unwrap();
        let (config, visual) = found[0];
        assert_eq!((config.base.id, config.double_buffered), (1, true));
        assert_eq!(visual.depth, 24, "a compositor mixes nothing unless asked");
    }

    #[test]
    fn choice_prefers_one_buffer_and_no_depth_unless_asked_and_refuses_unknown_attributes() {
        let found = choose(&all(), 0, &[]).unwrap();
        let (config, _) = found[0];
        assert!(!config.double_buffered, "table 3.4");
        assert_eq!((config.base.alpha, config.base.depth), (0, 0));
        assert!(choose(&all(), 0, &[(0x7FFF, 1)]).is_none());
        assert!(choose(&all(), 0, &[(GLX_STEREO, 1)]).unwrap().is_empty());
        assert!(choose(&all(), 0, &[(GLX_SAMPLES, 4)]).unwrap().is_empty());
    }
}
