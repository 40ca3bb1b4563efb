//! Reference of texture units: what each sampler of the program in use reads. Completeness is gl-state's own, which every arm
//! shares. See [`super`].

use gl_state::View;
use gl_state::texture::SamplerParams;
use pipe::{BoundView, SamplerDesc, SamplerId, SamplerViewDesc, SamplerViewId, Target, TextureId};
use pipe_inputs::UnitView;
use pipe_inputs::inputs::NO_VIEW;
use pipe_inputs::values::trim;

/// A unit that shows a complete texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    pub texture: TextureId,
    /// Handle null.
    pub view: SamplerViewDesc,
    /// Handle null; `None` for textures without sampler state.
    pub sampler: Option<SamplerDesc>,
}

/// Units by number, up to the highest that the program in use samples. `None`: not sampled, or incomplete.
pub fn units(view: View<'_>) -> Vec<Option<Unit>> {
    let mut units = Vec::new();
    let Some(exe) = super::executable(view) else {
        return units;
    };
    for (sampler, number) in exe.artifact.samplers.iter().zip(&exe.sampler_units) {
        let number = *number as usize;
        if units.len() <= number {
            units.resize(number + 1, None);
        }
        if units[number].is_none() {
            units[number] =
                Target::of_sampler(sampler.gl_type).and_then(|target| unit(view, number, target));
        }
    }
    units
}

/// What one unit shows for samplers of one target.
pub fn unit(view: View<'_>, number: usize, target: Target) -> Option<Unit> {
    let bound = &view.ctx.textures;
    let texture = view.objects.textures.get(bound.texture(number, target))?;
    let object = view.objects.samplers.get(bound.units[number].sampler);
    let params: SamplerParams = object.map_or(texture.sampler, |object| object.params);
    let chain = texture.chain()?;
    if !texture.completeness().admits(&params) {
        return None;
    }
    Some(Unit {
        texture: texture.id,
        view: SamplerViewDesc {
            id: SamplerViewId::NULL,
            texture: texture.id,
            format: chain.format,
            target: texture.target,
            _pad0: 0,
            min_level: 0,
            levels: chain.levels as u16,
            min_layer: 0,
            layers: chain.layers as u16,
            _pad1: 0,
        },
        sampler: texture
            .target
            .has_sampler_state()
            .then(|| describe(&params)),
    })
}

fn describe(params: &SamplerParams) -> SamplerDesc {
    let [wrap_s, wrap_t, wrap_r] = params.wrap;
    SamplerDesc {
        id: SamplerId::NULL,
        wrap_s,
        wrap_t,
        wrap_r,
        min_filter: params.min_filter,
        mag_filter: params.mag_filter,
        compare_mode: params.compare_mode,
        compare_func: params.compare_func,
        seamless: params.seamless.into(),
        min_lod: params.min_lod,
        max_lod: params.max_lod,
        lod_bias: params.lod_bias,
        max_anisotropy: params.max_anisotropy,
        border_color: params.border_color,
        border_form: params.border_form,
        _pad: 0,
    }
}

/// Views by unit; empty ones at the end are cut off.
pub fn sampler_views(units: &[Option<Unit>]) -> Vec<UnitView> {
    let views = units.iter().map(|unit| match unit {
        Some(unit) => UnitView {
            bound: BoundView {
                view: SamplerViewId::NULL,
                texture: unit.texture,
            },
            desc: Some(unit.view),
        },
        None => UnitView {
            bound: NO_VIEW,
            desc: None,
        },
    });
    trim(views.collect(), |view| view.desc.is_none())
}

/// Sampler states by unit; empty ones at the end are cut off.
pub fn sampler_states(units: &[Option<Unit>]) -> Vec<Option<SamplerDesc>> {
    let states = units.iter().map(|unit| unit.and_then(|unit| unit.sampler));
    trim(states.collect(), Option::is_none)
}
