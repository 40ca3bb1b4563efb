//! Checks of viewports, scissors and depth ranges (GL 4.6 §13.8.1, §17.3.2). It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use pipe::render_state::{DepthRange, MAX_VIEWPORTS, Viewport, WindowRect};
use std::ops::Range;

/// The viewports `first .. first + count`. GL 4.6 §13.8.1: INVALID_VALUE if first + count is greater than MAX_VIEWPORTS.
fn viewports(first: GLuint, count: GLsizei) -> Result<Range<usize>, GlError> {
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value("count < 0"))?;
    let first = first as usize;
    if first + count > MAX_VIEWPORTS {
        return Err(GlError::invalid_value("first + count > GL_MAX_VIEWPORTS"));
    }
    Ok(first..first + count)
}

fn one_viewport(index: GLuint) -> Result<Range<usize>, GlError> {
    if index as usize >= MAX_VIEWPORTS {
        return Err(GlError::invalid_value("index >= GL_MAX_VIEWPORTS"));
    }
    Ok(index as usize..index as usize + 1)
}

/// New values for a run of viewports: one for all, or as many as there are.
#[derive(Clone, Debug)]
pub struct PerViewport<T: 'static> {
    pub range: Range<usize>,
    pub values: Values<T>,
}

/// As [`PerViewport`] says.
#[derive(Clone, Debug)]
pub enum Values<T: 'static> {
    Same(T),
    Each([T; MAX_VIEWPORTS]),
}

impl<T: Copy> PerViewport<T> {
    fn every(value: T) -> Self {
        Self {
            range: 0..MAX_VIEWPORTS,
            values: Values::Same(value),
        }
    }

    /// Puts the values where they belong.
    pub fn apply(&self, to: &mut [T; MAX_VIEWPORTS]) {
        match &self.values {
            Values::Same(value) => to[self.range.clone()].fill(*value),
            Values::Each(values) => {
                to[self.range.clone()].copy_from_slice(&values[..self.range.len()]);
            }
        }
    }
}

fn scissor_rect(x: i32, y: i32, width: i32, height: i32) -> Result<WindowRect, GlError> {
    // GL 4.6 §17.3.2: INVALID_VALUE if width or height is negative.
    if width < 0 || height < 0 {
        return Err(GlError::invalid_value("width or height < 0"));
    }
    Ok(WindowRect {
        x,
        y,
        width,
        height,
    })
}

pub fn scissor(
    _: &Cx<'_>,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> Result<PerViewport<WindowRect>, GlError> {
    scissor_rect(x, y, width, height).map(PerViewport::every)
}

pub fn scissor_indexed(
    _: &Cx<'_>,
    index: GLuint,
    left: GLint,
    bottom: GLint,
    width: GLsizei,
    height: GLsizei,
) -> Result<PerViewport<WindowRect>, GlError> {
    Ok(PerViewport {
        range: one_viewport(index)?,
        values: Values::Same(scissor_rect(left, bottom, width, height)?),
    })
}

pub fn scissor_indexedv(
    cx: &Cx<'_>,
    index: GLuint,
    v: *const GLint,
) -> Result<PerViewport<WindowRect>, GlError> {
    // An index is a run of one; the checks are the array's.
    one_viewport(index)?;
    scissor_arrayv(cx, index, 1, v)
}

pub fn scissor_arrayv(
    _: &Cx<'_>,
    first: GLuint,
    count: GLsizei,
    v: *const GLint,
) -> Result<PerViewport<WindowRect>, GlError> {
    let range = viewports(first, count)?;
    // SAFETY: c_memory's rule: four numbers a rectangle.
    let numbers = unsafe { c_memory::slice(v, range.len() * 4) };
    let mut rects = [WindowRect::default(); MAX_VIEWPORTS];
    for (rect, n) in rects.iter_mut().zip(numbers.chunks_exact(4)) {
        *rect = scissor_rect(n[0], n[1], n[2], n[3])?;
    }
    Ok(PerViewport {
        range,
        values: Values::Each(rects),
    })
}

/// GL_VIEWPORT_BOUNDS_RANGE (GL 4.6 table 23.54: at least this).
pub const VIEWPORT_BOUNDS: [f32; 2] = [-32768.0, 32767.0];

fn viewport_rect(
    cx: &Cx<'_>,
    x: f32,
    y: f32,
    width: f32,
    height: f32,
) -> Result<Viewport, GlError> {
    // GL 4.6 §13.8.1: INVALID_VALUE if width or height is negative; sizes are clamped to MAX_VIEWPORT_DIMS, origins to
    // VIEWPORT_BOUNDS_RANGE, when they are set.
    if width < 0.0 || height < 0.0 {
        return Err(GlError::invalid_value("width or height < 0"));
    }
    let [max_width, max_height] = cx.ctx.caps.limits.max_viewport_dims;
    let [low, high] = VIEWPORT_BOUNDS;
    Ok(Viewport {
        x: x.clamp(low, high),
        y: y.clamp(low, high),
        width: width.min(max_width as f32),
        height: height.min(max_height as f32),
    })
}

pub fn viewport(
    cx: &Cx<'_>,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> Result<PerViewport<Viewport>, GlError> {
    viewport_rect(cx, x as f32, y as f32, width as f32, height as f32).map(PerViewport::every)
}

pub fn viewport_indexedf(
    cx: &Cx<'_>,
    index: GLuint,
    x: GLfloat,
    y: GLfloat,
    w: GLfloat,
    h: GLfloat,
) -> Result<PerViewport<Viewport>, GlError> {
    Ok(PerViewport {
        range: one_viewport(index)?,
        values: Values::Same(viewport_rect(cx, x, y, w, h)?),
    })
}

pub fn viewport_indexedfv(
    cx: &Cx<'_>,
    index: GLuint,
    v: *const GLfloat,
) -> Result<PerViewport<Viewport>, GlError> {
    one_viewport(index)?;
    viewport_arrayv(cx, index, 1, v)
}

pub fn viewport_arrayv(
    cx: &Cx<'_>,
    first: GLuint,
    count: GLsizei,
    v: *const GLfloat,
) -> Result<PerViewport<Viewport>, GlError> {
    let range = viewports(first, count)?;
    // SAFETY: c_memory's rule: four numbers a viewport.
    let numbers = unsafe { c_memory::slice(v, range.len() * 4) };
    let mut rects = [Viewport::default(); MAX_VIEWPORTS];
    for (rect, n) in rects.iter_mut().zip(numbers.chunks_exact(4)) {
        *rect = viewport_rect(cx, n[0], n[1], n[2], n[3])?;
    }
    Ok(PerViewport {
        range,
        values: Values::Each(rects),
    })
}

/// GL 4.6 §13.8.1: both are clamped to [0, 1] when they are set.
fn clamped(near: f64, far: f64) -> DepthRange {
    DepthRange {
        near: near.clamp(0.0, 1.0),
        far: far.clamp(0.0, 1.0),
    }
}

pub fn depth_range(
    _: &Cx<'_>,
    n: GLdouble,
    f: GLdouble,
) -> Result<PerViewport<DepthRange>, GlError> {
    Ok(PerViewport::every(clamped(n, f)))
}

pub fn depth_rangef(
    cx: &Cx<'_>,
    n: GLfloat,
    f: GLfloat,
) -> Result<PerViewport<DepthRange>, GlError> {
    depth_range(cx, n.into(), f.into())
}

pub fn depth_range_indexed(
    _: &Cx<'_>,
    index: GLuint,
    n: GLdouble,
    f: GLdouble,
) -> Result<PerViewport<DepthRange>, GlError> {
    Ok(PerViewport {
        range: one_viewport(index)?,
        values: Values::Same(clamped(n, f)),
    })
}

pub fn depth_range_arrayv(
    _: &Cx<'_>,
    first: GLuint,
    count: GLsizei,
    v: *const GLdouble,
) -> Result<PerViewport<DepthRange>, GlError> {
    let range = viewports(first, count)?;
    // SAFETY: c_memory's rule: two numbers a range.
    let numbers = unsafe { c_memory::slice(v, range.len() * 2) };
    let mut ranges = [clamped(0.0, 1.0); MAX_VIEWPORTS];
    for (depth, n) in ranges.iter_mut().zip(numbers.chunks_exact(2)) {
        *depth = clamped(n[0], n[1]);
    }
    Ok(PerViewport {
        range,
        values: Values::Each(ranges),
    })
}
