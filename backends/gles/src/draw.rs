//! Draws and dispatches: compares generations, tells the driver what moved, draws. Nothing moved: it compares and draws.

use crate::backend::GlesBackend;
use crate::buffers::raw;
use crate::context::{Context, ImageUnit, IndexedBuffer, Unit};
use crate::framebuffers::Names;
use crate::logic_op::{self, LogicOp};
use crate::programs::{BoundProgram, CONSTANTS_INDEX, ConstantsAt, Variant};
use crate::vertex::VertexInput;
use backend_common::indices;
use glow::HasContext;
use pipe::{
    BufferId, CapBits, DrawFlags, DrawIndirect, DrawInfo, DrawRange, GridInfo, Host, HostSpan,
    ShaderId, WHOLE,
};
use pipe_inputs::Told;
use pipe_inputs::fields::Group;
use std::ffi::c_void;

const LOWER_LEFT: u16 = 0x8CA1;

/// Where a draw's indices are.
#[derive(Clone, Copy)]
struct Indices {
    ty: u32,
    /// Bytes that a range's start counts from.
    base: usize,
    /// A range's start is in units of the application's index size; these are that and the driver's.
    size_from: usize,
    size_to: usize,
}

impl Indices {
    fn at(&self, start: u64) -> *const c_void {
        let start = start as usize / self.size_from * self.size_to;
        std::ptr::without_provenance(self.base + start)
    }
}

fn index_type(bytes: u8) -> u32 {
    match bytes {
        1 => glow::UNSIGNED_BYTE,
        2 => glow::UNSIGNED_SHORT,
        _ => glow::UNSIGNED_INT,
    }
}

fn rewritten<T: indices::Index>(bytes: &[u8], restart_index: u32) -> indices::IndexStream {
    indices::rewrite_restart(
        &indices::load::<T>(bytes),
        indices::restart_of_type(restart_index),
    )
}

impl GlesBackend {
    /// The draw verb.
    pub(crate) fn draw_verb(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        ranges: &[DrawRange],
        indirect: &[DrawIndirect],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) {
        let flags = DrawFlags::from_bits_truncate(p.flags);
        if !self.bind_framebuffer(told) {
            return;
        }
        let state_moved = self.apply_render_state(told);
        let (alpha_off, max) = (self.cx.alpha_off, self.max_draw_buffers());
        self.cx.render.mask_alpha(self.gl, alpha_off, max);
        if self.cx.moved(told.inputs, Group::patch_state) {
            let vertices = told.inputs.patch().vertices;
            // SAFETY: GL rule 1.
            unsafe {
                self.gl
                    .patch_parameter_i32(glow::PATCH_VERTICES, vertices as i32);
            }
        }
        if !self.bind_program(told, told.inputs.draw_program(), state_moved, false) {
            return;
        }
        let base_instance = if self.gl.features.base_instance {
            0
        } else {
            p.start_instance
        };
        self.apply_vertex_input(told, host, base_instance);
        self.start_stream_output(told);
        if flags.contains(DrawFlags::INDIRECT) {
            self.draw_indirect(told, p, flags, indirect);
            return;
        }
        if p.index_size == 0 {
            self.cx.render.set_restart(self.gl, false);
            self.draw_arrays(p, &p.first);
            for range in ranges {
                self.draw_arrays(p, range);
            }
            return;
        }
        let Some(indices) = self.prepare_indices(told, p, flags, user_indices, host) else {
            return;
        };
        self.draw_elements(p, &p.first, indices);
        for range in ranges {
            self.draw_elements(p, range, indices);
        }
    }

    fn draw_arrays(&self, p: &DrawInfo, range: &DrawRange) {
        let gl = self.gl;
        let (mode, first, count) = (p.mode as u32, range.start as i32, range.count as i32);
        // SAFETY: GL rule 1; arrays are in buffers, and a base instance only with its feature.
        unsafe {
            if p.start_instance != 0 && gl.features.base_instance {
                gl.ext.draw_arrays_instanced_base_instance(
                    mode,
                    first,
                    count,
                    p.instance_count as i32,
                    p.start_instance,
                );
            } else if p.instance_count == 1 {
                gl.draw_arrays(mode, first, count);
            } else {
                gl.draw_arrays_instanced(mode, first, count, p.instance_count as i32);
            }
        }
    }

    fn draw_elements(&self, p: &DrawInfo, range: &DrawRange, indices: Indices) {
        let gl = self.gl;
        let (mode, count, ty) = (p.mode as u32, range.count as i32, indices.ty);
        let (at, bias) = (indices.at(range.start), range.index_bias);
        let instances = p.instance_count as i32;
        // SAFETY: GL rule 1; `at` is an offset into the bound element array buffer.
        unsafe {
            if p.start_instance != 0 && gl.features.base_instance {
                gl.ext.draw_elements_instanced_base_vertex_base_instance(
                    mode,
                    count,
                    ty,
                    at,
                    instances,
                    bias,
                    p.start_instance,
                );
            } else {
                match (instances, bias) {
                    (1, 0) => gl.ext.draw_elements(mode, count, ty, at),
                    (1, _) => gl.ext.draw_elements_base_vertex(mode, count, ty, at, bias),
                    (_, 0) => gl
                        .ext
                        .draw_elements_instanced(mode, count, ty, at, instances),
                    (_, _) => gl
                        .ext
                        .draw_elements_instanced_base_vertex(mode, count, ty, at, instances, bias),
                }
            }
        }
    }

    /// Binds the index buffer and switches restart; rewrites indices whose cut ES cannot express.
    fn prepare_indices(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        flags: DrawFlags,
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) -> Option<Indices> {
        let gl = self.gl;
        let max = u32::MAX >> (32 - 8 * u32::from(p.index_size));
        let restart = flags.contains(DrawFlags::PRIMITIVE_RESTART);
        // An index that the type cannot hold cuts nothing.
        let cuts = restart && p.restart_index <= max;
        let rewrite = cuts && p.restart_index != max;
        self.cx.render.set_restart(gl, cuts);
        let size = usize::from(p.index_size);
        let plain = |base| Indices {
            ty: index_type(p.index_size),
            base,
            size_from: size,
            size_to: size,
        };
        let element_buffer = told.inputs.index_buffer();
        if !rewrite && !flags.contains(DrawFlags::USER_INDICES) {
            let name = self.buffers.get(element_buffer)?.name;
            self.cx.vertex.bind_index(gl, Some(name));
            return Some(plain(0));
        }
        let owned;
        let bytes: &[u8] = if flags.contains(DrawFlags::USER_INDICES) {
            host.0.bytes(user_indices.first()?)?
        } else {
            owned = self.buffer_bytes(element_buffer)?;
            &owned
        };
        if !rewrite {
            let (name, base) = self.cx.stream.push(gl, bytes, 4)?;
            self.cx.vertex.bind_index(gl, Some(name));
            return Some(plain(base));
        }
        let stream = match p.index_size {
            1 => rewritten::<u8>(bytes, p.restart_index),
            2 => rewritten::<u16>(bytes, p.restart_index),
            _ => rewritten::<u32>(bytes, p.restart_index),
        };
        let (name, base) = self.cx.stream.push(gl, stream.as_bytes(), 4)?;
        self.cx.vertex.bind_index(gl, Some(name));
        Some(Indices {
            ty: index_type(stream.index_bytes()),
            base,
            size_from: size,
            size_to: usize::from(stream.index_bytes()),
        })
    }

    fn draw_indirect(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        flags: DrawFlags,
        commands: &[DrawIndirect],
    ) {
        let gl = self.gl;
        let sources = *told.inputs.indirect_buffers();
        let Some(buffer) = self.buffers.get(sources.draw).copied() else {
            return;
        };
        if self.cx.draw_indirect != Some(buffer.name) {
            self.cx.draw_indirect = Some(buffer.name);
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.bind_buffer(glow::DRAW_INDIRECT_BUFFER, Some(buffer.name)) };
        }
        if p.index_size != 0 {
            if self
                .prepare_indices(told, p, flags - DrawFlags::USER_INDICES, &[], Host::NONE)
                .is_none_or(|i| i.base != 0 || i.size_from != i.size_to)
            {
                self.say_once("restart", "an indirect draw with a primitive restart index that is not the largest is skipped");
                return;
            }
        } else {
            self.cx.render.set_restart(gl, false);
        }
        let ty = index_type(p.index_size);
        for c in commands {
            let mut count = c.draw_count;
            if flags.contains(DrawFlags::INDIRECT_COUNT) {
                let mut word = [0; 4];
                if !self
                    .buffers
                    .read(gl, sources.parameter, c.count_offset_bytes, &mut word)
                {
                    continue;
                }
                count = count.min(u32::from_ne_bytes(word));
            }
            let natural = if p.index_size == 0 { 16 } else { 20 };
            let stride = if c.stride_bytes == 0 {
                natural
            } else {
                c.stride_bytes
            };
            for i in 0..count {
                let at: *const c_void = std::ptr::without_provenance(
                    (c.offset_bytes + u64::from(i) * u64::from(stride)) as usize,
                );
                // SAFETY: GL rule 1; `at` is an offset into the bound indirect buffer.
                unsafe {
                    if p.index_size == 0 {
                        gl.ext.draw_arrays_indirect(p.mode as u32, at);
                    } else {
                        gl.ext.draw_elements_indirect(p.mode as u32, ty, at);
                    }
                }
            }
        }
    }

    /// The dispatch verb.
    pub(crate) fn dispatch_verb(&mut self, told: Told<'_>, p: &GridInfo) {
        if !self.bind_program(told, told.inputs.dispatch_program(), false, true) {
            return;
        }
        let gl = self.gl;
        if p.indirect_offset_bytes == WHOLE {
            // SAFETY: GL rule 1.
            unsafe { gl.dispatch_compute(p.x, p.y, p.z) };
            return;
        }
        let Some(buffer) = self.buffers.get(told.inputs.indirect_buffers().dispatch) else {
            return;
        };
        // SAFETY: GL rules 1 and 2; the offset lies in the buffer (the client checked).
        unsafe {
            gl.bind_buffer(glow::DISPATCH_INDIRECT_BUFFER, Some(buffer.name));
            gl.ext
                .dispatch_compute_indirect(p.indirect_offset_bytes as isize);
        }
    }

    /// Binds the draw framebuffer. `false`: the driver does not take it.
    pub(crate) fn bind_framebuffer(&mut self, told: Told<'_>) -> bool {
        let moved = self.cx.moved(told.inputs, Group::framebuffer);
        if !moved && self.cx.draw_state_is_current(self.textures.epoch) {
            return true;
        }
        let names = Names {
            textures: &self.textures,
            surfaces: &self.surfaces,
        };
        let fb = told.inputs.framebuffer();
        self.cx.alpha_off = widened_outputs(fb, &self.gl.features);
        match self.cx.bind_draw_state(self.gl, names, fb) {
            Ok(()) => true,
            Err(why) => {
                self.cx.forget(Group::framebuffer);
                self.say_once("framebuffer", &why);
                false
            }
        }
    }

    pub(crate) fn max_draw_buffers(&self) -> usize {
        self.caps.limits.max_draw_buffers as usize
    }

    /// Binds the read framebuffer. `false`: the driver does not take it.
    pub(crate) fn bind_read_framebuffer(&mut self, told: Told<'_>) -> bool {
        let names = Names {
            textures: &self.textures,
            surfaces: &self.surfaces,
        };
        match self
            .cx
            .bind_read_state(self.gl, names, told.inputs.framebuffer())
        {
            Ok(()) => true,
            Err(why) => {
                self.say_once("read framebuffer", &why);
                false
            }
        }
    }

    /// Tells moved render state; whether it moved.
    pub(crate) fn apply_render_state(&mut self, told: Told<'_>) -> bool {
        let moved = self.cx.moved(told.inputs, Group::render_state);
        if moved {
            let state = told.inputs.render_state();
            let max = self.max_draw_buffers();
            self.cx.render.apply(self.gl, state, max);
            self.name_lost_state(state);
        }
        moved
    }

    /// Says once what the state asks for and this driver lacks.
    fn name_lost_state(&mut self, state: &pipe::RenderState) {
        let f = &self.gl.features;
        let caps = state.caps();
        let lost = [
            (caps.contains(CapBits::COLOR_LOGIC_OP), "GL_COLOR_LOGIC_OP"),
            (
                caps.contains(CapBits::DEPTH_CLAMP) && !f.depth_clamp,
                "GL_DEPTH_CLAMP",
            ),
            (
                !f.polygon_mode && state.raster.polygon_mode_front != 0x1B02,
                "glPolygonMode",
            ),
            (
                !f.clip_control
                    && (state.raster.clip_origin != LOWER_LEFT
                        || state.raster.clip_depth_mode != 0x935E),
                "glClipControl",
            ),
            (
                state.caps.clip_distances != 0 && !f.clip_distance,
                "GL_CLIP_DISTANCE",
            ),
        ];
        for (wanted, what) in lost {
            if wanted {
                self.say_once(what, "is asked for and this ES driver lacks it: no effect");
            }
        }
    }

    /// Vertex arrays, current values.
    fn apply_vertex_input(&mut self, told: Told<'_>, host: Host<'_>, base_instance: u32) {
        let inputs = told.inputs;
        let elements = self.cx.moved(inputs, Group::vertex_elements);
        let buffers = self.cx.moved(inputs, Group::vertex_buffers);
        let stale = elements || buffers || self.cx.vertex.is_volatile() || base_instance != 0;
        if stale && let Some(desc) = told.objects.vertex_elements.get(inputs.vertex_elements()) {
            let input = VertexInput {
                elements: desc,
                buffers: inputs.vertex_buffers(),
                host,
                base_instance,
            };
            self.cx
                .vertex
                .apply(self.gl, &self.buffers, &mut self.cx.stream, input);
        }
        if self.cx.moved(inputs, Group::attrib_defaults) {
            self.cx
                .vertex
                .apply_defaults(self.gl, inputs.attrib_defaults());
        }
    }

    /// Uses a program with all that it reads. `false`: there is none that the driver takes.
    fn bind_program(
        &mut self,
        told: Told<'_>,
        shader: ShaderId,
        state_moved: bool,
        dispatch: bool,
    ) -> bool {
        let gl = self.gl;
        let inputs = told.inputs;
        let (Some(program), Some(shader_inputs)) = (
            self.programs.table.get_mut(shader),
            told.objects.shaders.get(shader),
        ) else {
            return false;
        };
        let last = if dispatch {
            self.cx.dispatch_bound
        } else {
            self.cx.bound_program
        };
        let mut moved = false;
        for group in [
            Group::sampler_views,
            Group::sampler_states,
            Group::shader_images,
            Group::uniform_buffers,
            Group::storage_buffers,
            Group::atomic_buffers,
        ] {
            moved |= self.cx.moved(inputs, group);
        }
        if moved {
            // What the other kind of verb has bound is stale as well.
            self.cx.bound_program = None;
            self.cx.dispatch_bound = None;
        }
        moved |= self.cx.seen_objects != self.object_epoch;
        self.cx.seen_objects = self.object_epoch;
        let same_program = last.is_some_and(|last| {
            last.shader == shader && last.bindings_version == shader_inputs.bindings_version
        });
        // Variants of these depend on the draw buffers as well.
        let follows_framebuffer = !dispatch
            && (program.artifact.flags.frag_color_broadcast
                || logic_op::is_on(inputs.render_state(), &gl.features));
        let linked = match last {
            Some(last) if same_program && !state_moved && !follows_framebuffer => last.linked,
            _ => {
                let variant = if dispatch {
                    Variant::default()
                } else {
                    let state = inputs.render_state();
                    Variant {
                        point_coord_flip: state.raster.point_sprite_origin == LOWER_LEFT,
                        point_size_fixed: !state.caps().contains(CapBits::PROGRAM_POINT_SIZE),
                        outputs: outputs(inputs.framebuffer()),
                        logic: LogicOp::of(state, inputs.framebuffer(), &gl.features),
                    }
                };
                match program.linked(gl, self.programs.kept.as_ref(), variant) {
                    Ok(Some(linked)) => {
                        self.cx.use_program(gl, Some(linked.name));
                        if let Some(location) = linked.point_size {
                            let size = inputs.render_state().primitive.point_size;
                            if program.point_size != Some((linked.name, size)) {
                                program.point_size = Some((linked.name, size));
                                // SAFETY: GL rules 1 and 2; the program is in use.
                                unsafe { gl.uniform_1_f32(Some(&location), size) };
                            }
                        }
                        linked.name
                    }
                    Ok(None) => return false,
                    Err(why) => {
                        let name = shader_inputs.desc.name_for_diagnostics;
                        self.say(&format!("program {name}: draws with it are skipped: {why}"));
                        return false;
                    }
                }
            }
        };
        self.cx.use_program(gl, Some(linked));
        if !shader_inputs.constants.is_empty() {
            let stream = &mut self.cx.constants;
            let key = |at: &ConstantsAt| (at.context, at.version, at.wraps);
            let want = (
                self.current,
                shader_inputs.constants_version,
                stream.wraps(),
            );
            if program.constants.as_ref().map(key) != Some(want) {
                let alignment = self.caps.limits.uniform_buffer_offset_alignment as usize;
                program.constants =
                    stream
                        .push(gl, &shader_inputs.constants, alignment)
                        .map(|(name, offset)| ConstantsAt {
                            context: want.0,
                            version: want.1,
                            wraps: stream.wraps(),
                            name,
                            offset,
                        });
            }
            if let Some(at) = program.constants {
                Context::bind_indexed(
                    gl,
                    &mut self.cx.uniform_buffers,
                    glow::UNIFORM_BUFFER,
                    CONSTANTS_INDEX,
                    IndexedBuffer {
                        name: raw(at.name),
                        offset: at.offset as isize,
                        size: shader_inputs.constants.len() as isize,
                    },
                );
            }
        }
        if !moved && same_program && last.is_some_and(|last| last.linked == linked) {
            return true;
        }
        program.update_slots(&shader_inputs.bindings, shader_inputs.bindings_version);
        let bound = BoundProgram {
            shader,
            linked,
            bindings_version: shader_inputs.bindings_version,
        };
        self.bind_resources(told, shader);
        if dispatch {
            self.cx.dispatch_bound = Some(bound);
            self.cx.bound_program = None;
        } else {
            self.cx.bound_program = Some(bound);
            self.cx.dispatch_bound = None;
        }
        true
    }

    /// Binds textures, samplers, images and buffers of a program at its driver points.
    fn bind_resources(&mut self, told: Told<'_>, shader: ShaderId) {
        let gl = self.gl;
        let inputs = told.inputs;
        let Some(program) = self.programs.table.get(shader) else {
            return;
        };
        let (views, samplers) = (inputs.sampler_views(), inputs.sampler_states());
        for (i, unit) in program.slots.samplers.iter().enumerate() {
            // The last unit is for uploads.
            if i + 1 >= self.cx.units.len() {
                break;
            }
            let mut want = Unit::default();
            if let Some(bound) = views.get(*unit as usize) {
                let view = told.objects.sampler_views.get(bound.view);
                let cx = &mut self.cx;
                let bind = |target, name| cx.bind_scratch(gl, target, name);
                let seen = match view.and_then(|view| self.textures.view_for(gl, view)) {
                    Some(texture) => {
                        texture.apply_params(gl, None, bind);
                        Some((texture.target, texture.name))
                    }
                    None => self.textures.table.get_mut(bound.texture).map(|texture| {
                        let limits = view.map(|view| (view.min_level, view.levels));
                        texture.apply_params(gl, limits, bind);
                        (texture.target, texture.name)
                    }),
                };
                if let Some((target, name)) = seen {
                    want.target = target;
                    want.texture = Some(name);
                    let unsampled = matches!(
                        target,
                        glow::TEXTURE_BUFFER
                            | glow::TEXTURE_2D_MULTISAMPLE
                            | glow::TEXTURE_2D_MULTISAMPLE_ARRAY
                    );
                    if !unsampled {
                        want.sampler = samplers
                            .get(*unit as usize)
                            .and_then(|id| self.samplers.table.get(*id))
                            .copied();
                    }
                }
            }
            self.cx.bind_unit(gl, i, want);
        }
        let images = inputs.shader_images();
        for (i, unit) in program.slots.images.iter().enumerate() {
            let mut want = ImageUnit::default();
            if let Some(image) = images.get(*unit as usize)
                && let Some(texture) = self.textures.table.get(image.texture)
            {
                want = ImageUnit {
                    texture: Some(texture.name),
                    level: image.level.into(),
                    layered: image.layered != 0,
                    layer: image.layer as i32,
                    access: image.access.into(),
                    format: crate::conv::conv(image.format, &gl.features).internal,
                };
            }
            if i >= self.cx.images.len() {
                self.cx.images.resize(i + 1, ImageUnit::default());
            }
            if self.cx.images[i] != want && want.texture.is_some() {
                self.cx.images[i] = want;
                // SAFETY: GL rules 1 and 2.
                unsafe {
                    gl.bind_image_texture(
                        i as u32,
                        want.texture,
                        want.level,
                        want.layered,
                        want.layer,
                        want.access,
                        want.format,
                    );
                }
            }
        }
        let range = |range: Option<&pipe::BufferRange>| -> IndexedBuffer {
            let Some(range) = range else {
                return IndexedBuffer::default();
            };
            self.buffers
                .get(range.buffer)
                .map_or_else(IndexedBuffer::default, |buffer| {
                    let (offset, size) = buffer.clip(range.offset_bytes, range.size_bytes);
                    IndexedBuffer {
                        name: raw(buffer.name),
                        offset,
                        size,
                    }
                })
        };
        let ranges = inputs.uniform_buffers();
        for (i, point) in program.slots.uniform_blocks.iter().enumerate() {
            let want = range(ranges.get(*point as usize));
            Context::bind_indexed(
                gl,
                &mut self.cx.uniform_buffers,
                glow::UNIFORM_BUFFER,
                1 + i,
                want,
            );
        }
        let storage = inputs.storage_buffers();
        let blocks = program.slots.storage_blocks.iter();
        let counters = inputs.atomic_buffers();
        let atomics = program.artifact.atomic_buffers.iter();
        let wants = blocks
            .map(|point| range(storage.get(*point as usize)))
            .chain(atomics.map(|a| range(counters.get(a.gl_binding as usize))));
        for (i, want) in wants.enumerate() {
            Context::bind_indexed(
                gl,
                &mut self.cx.storage_buffers,
                glow::SHADER_STORAGE_BUFFER,
                i,
                want,
            );
        }
    }

    /// A buffer's bytes, read back.
    fn buffer_bytes(&self, id: BufferId) -> Option<Vec<u8>> {
        let size = self.buffers.get(id)?.size_bytes;
        let mut bytes = vec![0; usize::try_from(size).ok()?];
        self.buffers
            .read(self.gl, id, 0, &mut bytes)
            .then_some(bytes)
    }
}

/// Fragment outputs in use: one more than the highest draw buffer that is not GL_NONE.
fn outputs(fb: &pipe::FramebufferState) -> u8 {
    let used = fb.draw_buffers.iter().rposition(|index| *index >= 0);
    used.map_or(0, |i| i as u8 + 1)
}

/// Outputs without alpha that are kept in an image with alpha.
fn widened_outputs(fb: &pipe::FramebufferState, features: &crate::features::Features) -> u8 {
    let mut mask = 0;
    for (output, index) in fb.draw_buffers.iter().enumerate() {
        let surface = usize::try_from(*index).ok().and_then(|i| fb.color.get(i));
        if let Some(surface) = surface {
            let conv = crate::conv::conv(surface.format, features);
            let widened = conv.how == crate::conv::How::Widened
                && conv.swizzle[3] == crate::conv::Source::One;
            mask |= u8::from(widened) << output;
        }
    }
    mask
}
