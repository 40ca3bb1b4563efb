//! Framebuffer configurations and their choice (§3.4). The list is fixed: every backend can draw to all of them. Which of them have
//! windows is up to the display's server.

use super::below::for_system;
use super::state::{lock, pointer};
use super::types::*;
use super::{attribs, fail, succeed};
use crate::x11::{self, Visual};
use gl_enums::egl::*;
use pipe::Format;
use std::ffi::c_void;

/// X11's number for the class of visuals that windows have.
const TRUE_COLOR: EGLint = 4;

/// Number of a configuration, from 1.
pub type ConfigId = u32;

/// One configuration.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub id: ConfigId,
    pub red: u32,
    pub green: u32,
    pub blue: u32,
    pub alpha: u32,
    pub depth: u32,
    pub stencil: u32,
    pub color_format: Format,
    pub depth_stencil_format: Format,
    /// Depth of the visual that its windows have. With 32, a compositor sees the alpha channel.
    pub visual_depth: u8,
}

const fn config(id: ConfigId, alpha: u32, depth: u32, stencil: u32, visual_depth: u8) -> Config {
    Config {
        id,
        visual_depth,
        red: 8,
        green: 8,
        blue: 8,
        alpha,
        depth,
        stencil,
        // Without alpha the buffer still has a fourth channel where a backend needs one; it reads as 1.
        color_format: if alpha == 0 {
            Format::Rgb8
        } else {
            Format::Rgba8
        },
        depth_stencil_format: match (depth, stencil) {
            (0, _) => Format::None,
            (_, 0) => Format::Depth24,
            (_, _) => Format::Depth24Stencil8,
        },
    }
}

/// The list, by id.
pub const CONFIGS: [Config; 9] = [
    config(1, 8, 24, 8, 24),
    config(2, 0, 24, 8, 24),
    config(3, 8, 0, 0, 24),
    config(4, 0, 0, 0, 24),
    config(5, 8, 24, 0, 24),
    config(6, 0, 24, 0, 24),
    config(7, 8, 24, 8, 32),
    config(8, 8, 0, 0, 32),
    config(9, 8, 24, 0, 32),
];

/// What the windows of a display look like: the first visual of either depth. A display without a server has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Visuals {
    opaque: Option<Visual>,
    alpha: Option<Visual>,
}

impl Visuals {
    /// Those of a server's default screen.
    pub fn of(server: Option<&x11::Server>) -> Self {
        let Some(server) = server else {
            return Self::default();
        };
        let visuals = &server.screens[server.default_screen].visuals;
        let first = |depth| visuals.iter().find(|visual| visual.depth == depth).copied();
        Self {
            opaque: first(24),
            alpha: first(32),
        }
    }

    /// The visual of a configuration's windows.
    pub fn of_config(&self, config: &Config) -> Option<Visual> {
        match config.visual_depth {
            32 => self.alpha,
            _ => self.opaque,
        }
    }

    /// Configurations that a display with these visuals has. Those for windows with an alpha channel are there for their windows' sake.
    pub fn configs(&self) -> impl Iterator<Item = &'static Config> + use<> {
        let has_alpha = self.alpha.is_some();
        CONFIGS
            .iter()
            .filter(move |config| config.visual_depth != 32 || has_alpha)
    }
}

/// The configuration behind a handle: its id as an address.
pub fn config_of(handle: *mut c_void) -> Option<&'static Config> {
    CONFIGS
        .iter()
        .find(|config| config.id as usize == handle as usize)
}

/// Largest pbuffer side.
pub const MAX_PBUFFER: u32 = 8192;

impl Config {
    fn attribute(&self, name: EGLint, visuals: Visuals) -> Option<EGLint> {
        let visual = visuals.of_config(self);
        let size = self.red + self.green + self.blue + self.alpha;
        Some(match name {
            EGL_BUFFER_SIZE => size as EGLint,
            EGL_RED_SIZE => self.red as EGLint,
            EGL_GREEN_SIZE => self.green as EGLint,
            EGL_BLUE_SIZE => self.blue as EGLint,
            EGL_ALPHA_SIZE => self.alpha as EGLint,
            EGL_DEPTH_SIZE => self.depth as EGLint,
            EGL_STENCIL_SIZE => self.stencil as EGLint,
            EGL_CONFIG_ID => self.id as EGLint,
            EGL_CONFIG_CAVEAT | EGL_TRANSPARENT_TYPE => EGL_NONE,
            EGL_NATIVE_VISUAL_TYPE => visual.map_or(EGL_NONE, |_| TRUE_COLOR),
            EGL_NATIVE_VISUAL_ID => visual.map_or(0, |visual| visual.id as EGLint),
            EGL_COLOR_BUFFER_TYPE => EGL_RGB_BUFFER,
            EGL_RENDERABLE_TYPE | EGL_CONFORMANT => EGL_OPENGL_BIT,
            EGL_SURFACE_TYPE => EGL_PBUFFER_BIT | visual.map_or(0, |_| EGL_WINDOW_BIT),
            EGL_MAX_PBUFFER_WIDTH | EGL_MAX_PBUFFER_HEIGHT => MAX_PBUFFER as EGLint,
            EGL_MAX_PBUFFER_PIXELS => (MAX_PBUFFER * MAX_PBUFFER) as EGLint,
            EGL_LEVEL
            | EGL_SAMPLES
            | EGL_SAMPLE_BUFFERS
            | EGL_LUMINANCE_SIZE
            | EGL_ALPHA_MASK_SIZE
            | EGL_NATIVE_RENDERABLE
            | EGL_BIND_TO_TEXTURE_RGB
            | EGL_BIND_TO_TEXTURE_RGBA
            | EGL_MIN_SWAP_INTERVAL
            | EGL_TRANSPARENT_RED_VALUE
            | EGL_TRANSPARENT_GREEN_VALUE
            | EGL_TRANSPARENT_BLUE_VALUE => 0,
            EGL_MAX_SWAP_INTERVAL => 1,
            _ => return None,
        })
    }

    /// Whether the configuration meets one criterion (table 3.4); `None`: no such attribute.
    fn meets(&self, name: EGLint, wanted: EGLint, visuals: Visuals) -> Option<bool> {
        if name == EGL_MATCH_NATIVE_PIXMAP {
            return Some(wanted == EGL_NONE || wanted == EGL_DONT_CARE);
        }
        let have = self.attribute(name, visuals)?;
        if wanted == EGL_DONT_CARE {
            return Some(true);
        }
        Some(match name {
            // Ignored by the choice.
            EGL_MAX_PBUFFER_WIDTH
            | EGL_MAX_PBUFFER_HEIGHT
            | EGL_MAX_PBUFFER_PIXELS
            | EGL_NATIVE_VISUAL_ID => true,
            // Masks: all bits asked for.
            EGL_SURFACE_TYPE | EGL_RENDERABLE_TYPE | EGL_CONFORMANT => have & wanted == wanted,
            // At least.
            EGL_BUFFER_SIZE | EGL_RED_SIZE | EGL_GREEN_SIZE | EGL_BLUE_SIZE | EGL_ALPHA_SIZE
            | EGL_LUMINANCE_SIZE | EGL_ALPHA_MASK_SIZE | EGL_DEPTH_SIZE | EGL_STENCIL_SIZE
            | EGL_SAMPLES | EGL_SAMPLE_BUFFERS => have >= wanted,
            // Exact.
            _ => have == wanted,
        })
    }
}

/// All configurations that meet the criteria, best first (§3.4.1.2).
fn choose(criteria: &[(EGLint, EGLint)], visuals: Visuals) -> Option<Vec<&'static Config>> {
    let given = |name| {
        criteria
            .iter()
            .rev()
            .find(|(n, _)| *n == name)
            .map(|(_, value)| *value)
    };
    if let Some(id) = given(EGL_CONFIG_ID).filter(|id| *id != EGL_DONT_CARE) {
        // All other attributes are ignored then.
        return Some(
            visuals
                .configs()
                .filter(|config| config.id as EGLint == id)
                .collect(),
        );
    }
    let mut chosen = Vec::new();
    for config in visuals.configs() {
        let mut fits = true;
        for (name, wanted) in criteria {
            fits &= config.meets(*name, *wanted, visuals)?;
        }
        if given(EGL_SURFACE_TYPE).is_none() {
            // §3.4.1: the default is EGL_WINDOW_BIT.
            fits &= config.meets(EGL_SURFACE_TYPE, EGL_WINDOW_BIT, visuals)?;
        }
        if given(EGL_RENDERABLE_TYPE).is_none() {
            // The default is EGL_OPENGL_ES_BIT.
            fits = false;
        }
        if fits {
            chosen.push(config);
        }
    }
    let asked = |name| given(name).is_some_and(|wanted| wanted != 0 && wanted != EGL_DONT_CARE);
    chosen.sort_by_key(|config| {
        let mut color = 0;
        for (name, bits) in [
            (EGL_RED_SIZE, config.red),
            (EGL_GREEN_SIZE, config.green),
            (EGL_BLUE_SIZE, config.blue),
            (EGL_ALPHA_SIZE, config.alpha),
        ] {
            color += if asked(name) { bits } else { 0 };
        }
        let size = config.red + config.green + config.blue + config.alpha;
        (
            std::cmp::Reverse(color),
            size,
            config.depth,
            config.stencil,
            config.id,
        )
    });
    Some(chosen)
}

fn list_out(
    found: &[&Config],
    configs: *mut *mut c_void,
    size: EGLint,
    count: *mut EGLint,
) -> EGLBoolean {
    if count.is_null() {
        return fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean);
    }
    let mut written = found.len();
    if !configs.is_null() {
        written = written.min(size.max(0) as usize);
        for (i, config) in found[..written].iter().enumerate() {
            // SAFETY: rule 1: the array has `size` elements.
            unsafe { *configs.add(i) = pointer(config.id as usize) };
        }
    }
    // SAFETY: rule 1, and not null.
    unsafe { *count = written as EGLint };
    succeed(EGL_TRUE as EGLBoolean)
}

fn visuals_of(display: *mut c_void) -> Result<Visuals, EGLint> {
    match lock().displays.get(&(display as usize)) {
        None => Err(EGL_BAD_DISPLAY),
        Some(display) if !display.initialized => Err(EGL_NOT_INITIALIZED),
        Some(display) => Ok(Visuals::of(display.server.as_deref())),
    }
}

/// §3.4.1.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetConfigs(
    display: *mut c_void,
    configs: *mut *mut c_void,
    size: EGLint,
    count: *mut EGLint,
) -> EGLBoolean {
    for_system!(eglGetConfigs(display: *mut c_void, configs: *mut *mut c_void, size: EGLint, count: *mut EGLint) -> EGLBoolean);
    let visuals = match visuals_of(display) {
        Ok(visuals) => visuals,
        Err(error) => return fail(error, EGL_FALSE as EGLBoolean),
    };
    list_out(&visuals.configs().collect::<Vec<_>>(), configs, size, count)
}

/// §3.4.1.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglChooseConfig(
    display: *mut c_void,
    list: *const EGLint,
    configs: *mut *mut c_void,
    size: EGLint,
    count: *mut EGLint,
) -> EGLBoolean {
    for_system!(eglChooseConfig(display: *mut c_void, list: *const EGLint, configs: *mut *mut c_void, size: EGLint, count: *mut EGLint) -> EGLBoolean);
    let visuals = match visuals_of(display) {
        Ok(visuals) => visuals,
        Err(error) => return fail(error, EGL_FALSE as EGLBoolean),
    };
    // SAFETY: rule 1.
    let criteria = unsafe { attribs::ints(list) };
    let criteria: Vec<_> = criteria
        .into_iter()
        .map(|(name, value)| (name, value as EGLint))
        .collect();
    match choose(&criteria, visuals) {
        Some(found) => list_out(&found, configs, size, count),
        None => fail(EGL_BAD_ATTRIBUTE, EGL_FALSE as EGLBoolean),
    }
}

/// §3.4.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetConfigAttrib(
    display: *mut c_void,
    config: *mut c_void,
    name: EGLint,
    value: *mut EGLint,
) -> EGLBoolean {
    for_system!(eglGetConfigAttrib(display: *mut c_void, config: *mut c_void, name: EGLint, value: *mut EGLint) -> EGLBoolean);
    let visuals = match visuals_of(display) {
        Ok(visuals) => visuals,
        Err(error) => return fail(error, EGL_FALSE as EGLBoolean),
    };
    let Some(config) = config_of(config) else {
        return fail(EGL_BAD_CONFIG, EGL_FALSE as EGLBoolean);
    };
    let Some(have) = config.attribute(name, visuals) else {
        return fail(EGL_BAD_ATTRIBUTE, EGL_FALSE as EGLBoolean);
    };
    if value.is_null() {
        return fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean);
    }
    // SAFETY: rule 1, and not null.
    unsafe { *value = have };
    succeed(EGL_TRUE as EGLBoolean)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASK: [(EGLint, EGLint); 2] = [
        (EGL_SURFACE_TYPE, EGL_PBUFFER_BIT),
        (EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT),
    ];

    #[test]
    fn choice_with_alpha_and_depth_asked_for_puts_the_exact_fit_first() {
        let mut ask = ASK.to_vec();
        ask.extend([(EGL_RED_SIZE, 8), (EGL_ALPHA_SIZE, 8), (EGL_DEPTH_SIZE, 1)]);
        let found = choose(&ask, Visuals::default()).unwrap();
        // Smaller depth first, then smaller stencil (§3.4.1.2, rules 7 and 8).
        assert_eq!(
            (found[0].alpha, found[0].depth, found[0].stencil),
            (8, 24, 0)
        );
    }

    #[test]
    fn choice_with_windows_asked_for_finds_those_that_the_server_has_and_unknown_attributes_are_an_error()
     {
        let ask = [
            (EGL_SURFACE_TYPE, EGL_WINDOW_BIT),
            (EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT),
        ];
        assert!(choose(&ask, Visuals::default()).unwrap().is_empty());
        let opaque = Visuals {
            opaque: Some(Visual { id: 33, depth: 24 }),
            alpha: None,
        };
        for list in [&ask[..], &ask[1..]] {
            let found = choose(list, opaque).unwrap();
            assert_eq!(found.len(), 6, "windows are the default");
            assert_eq!(found[0].attribute(EGL_NATIVE_VISUAL_ID, opaque), Some(33));
        }
        let both = Visuals {
            alpha: Some(Visual { id: 77, depth: 32 }),
            ..opaque
        };
        assert_eq!(choose(&ask, both).unwrap().len(), 9);
        assert!(choose(&[(0x7FFF, 0)], both).is_none());
    }
}
