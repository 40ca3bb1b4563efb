//! What was told, by value: handles of CSOs resolved, so that a reference built without handles can be compared with it.

use crate::fields::{Group, GroupMask, ProgramValues, UnitView, Values};
use crate::verbs::Told;
use pipe::{ShaderId, VertexElementsDesc, VertexElementsId};

impl Told<'_> {
    /// The groups of `mask` by value.
    pub fn values(&self, mask: GroupMask) -> Values {
        let i = self.inputs;
        let mut v = Values::default();
        if mask.contains(Group::render_state) {
            v.state = Some(i.render_state);
        }
        if mask.contains(Group::pixel_pack) {
            v.pack = Some(i.pack);
        }
        if mask.contains(Group::patch_state) {
            v.patch = Some(i.patch);
        }
        if mask.contains(Group::attrib_defaults) {
            v.attrib_defaults = Some(i.attrib_defaults);
        }
        if mask.contains(Group::vertex_elements) {
            v.vertex_elements = self
                .objects
                .vertex_elements
                .get(i.vertex_elements)
                .map(|desc| VertexElementsDesc {
                    id: VertexElementsId::NULL,
                    ..*desc
                });
        }
        if mask.contains(Group::vertex_buffers) {
            v.vertex_buffers = Some(i.vertex_buffers);
        }
        if mask.contains(Group::index_buffer) {
            v.index_buffer = Some(i.index_buffer);
        }
        if mask.contains(Group::indirect_buffers) {
            v.indirect_buffers = Some(i.indirect_buffers);
        }
        if mask.contains(Group::framebuffer) {
            v.framebuffer = Some(i.framebuffer);
        }
        if mask.contains(Group::sampler_views) {
            let units = i.sampler_views.as_slice().iter().map(|bound| UnitView {
                bound: pipe::BoundView {
                    view: pipe::SamplerViewId::NULL,
                    texture: bound.texture,
                },
                desc: self.objects.sampler_views.get(bound.view).map(|desc| {
                    pipe::SamplerViewDesc {
                        id: pipe::SamplerViewId::NULL,
                        ..*desc
                    }
                }),
            });
            v.sampler_views = Some(trim(units.collect(), |unit: &UnitView| {
                unit.desc.is_none() && unit.bound.texture.is_null()
            }));
        }
        if mask.contains(Group::sampler_states) {
            let units = i.sampler_states.as_slice().iter().map(|id| {
                let desc = self.objects.samplers.get(*id);
                match desc {
                    Some(desc) => Some(pipe::SamplerDesc {
                        id: pipe::SamplerId::NULL,
                        ..*desc
                    }),
                    None if id.is_null() => None,
                    None => Some(dangling(*id)),
                }
            });
            v.sampler_states = Some(trim(units.collect(), Option::is_none));
        }
        if mask.contains(Group::shader_images) {
            v.shader_images = Some(trim(i.shader_images.as_slice().to_vec(), |image| {
                image.texture.is_null()
            }));
        }
        if mask.contains(Group::draw_program) {
            v.draw_program = Some(self.program(i.draw_program));
        }
        if mask.contains(Group::dispatch_program) {
            v.dispatch_program = Some(self.program(i.dispatch_program));
        }
        let ranges = |class: usize| {
            Some(trim(i.buffers[class].as_slice().to_vec(), |range| {
                range.buffer.is_null()
            }))
        };
        if mask.contains(Group::uniform_buffers) {
            v.uniform_buffers = ranges(0);
        }
        if mask.contains(Group::storage_buffers) {
            v.storage_buffers = ranges(1);
        }
        if mask.contains(Group::atomic_buffers) {
            v.atomic_buffers = ranges(2);
        }
        if mask.contains(Group::stream_output) {
            v.stream_output = Some(trim(i.stream_output.as_slice().to_vec(), |range| {
                range.buffer.is_null()
            }));
        }
        v
    }

    fn program(&self, shader: ShaderId) -> ProgramValues {
        self.objects
            .shaders
            .get(shader)
            .map_or_else(ProgramValues::default, |told| ProgramValues {
                shader,
                constants: told.constants.clone(),
                bindings: told.bindings.clone(),
            })
    }
}

/// Stands for a sampler that was bound and never created: equal to no sampler, and to nothing.
fn dangling(id: pipe::SamplerId) -> pipe::SamplerDesc {
    pipe::SamplerDesc {
        id,
        wrap_s: 0,
        wrap_t: 0,
        wrap_r: 0,
        min_filter: 0,
        mag_filter: 0,
        compare_mode: 0,
        compare_func: 0,
        seamless: 0,
        min_lod: 0.0,
        max_lod: 0.0,
        lod_bias: 0.0,
        max_anisotropy: 0.0,
        border_color: [0; 4],
        border_form: 0,
        _pad: 0,
    }
}

/// Cuts empty slots off the end: how long a prefix once was is no part of the state.
pub fn trim<T>(mut slots: Vec<T>, empty: impl Fn(&T) -> bool) -> Vec<T> {
    while slots.last().is_some_and(&empty) {
        slots.pop();
    }
    slots
}
