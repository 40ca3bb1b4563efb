//! Atoms of programs: archives at first use, units and binding points, default uniforms, which program draws and dispatches.

use crate::{Job, Tracker};
use gl_state::program::{Executable, ProgramId};
use pipe::{GlobalConstants, ProgramBindings, ShaderDesc, ShaderId, ShaderOnly};

const BIT: u8 = 10;

/// What was told last. What was told about a program stands in the emission: contexts share it.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    draw: Told,
    dispatch: Told,
}

#[derive(Debug, Default)]
struct Told {
    /// Generations `program` and `any_program_change`.
    gate: [u64; 2],
    shader: Option<ShaderId>,
}

impl Memory {
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl Job<'_> {
    /// What the program in use runs.
    pub(crate) fn executable(&self) -> Option<&Executable> {
        let program = self.view.ctx.program;
        if program == ProgramId::NULL {
            return None;
        }
        self.view.objects.programs.get(program)?.executable.as_ref()
    }

    /// Tells programs that ended.
    pub(crate) fn bury_shaders(&mut self) {
        for id in std::mem::take(&mut self.emission.dead_shaders) {
            self.out.at(BIT).delete_shader(&ShaderOnly { id });
        }
    }

    /// Tells the program in use: its archive, its units and binding points, its default uniforms. Its handle; null: none.
    fn tell_program(&mut self) -> ShaderId {
        if !self.emission.dead_shaders.is_empty() {
            self.bury_shaders();
        }
        let view = self.view;
        let program = view.ctx.program;
        let object = if program == ProgramId::NULL {
            None
        } else {
            view.objects.programs.get(program)
        };
        let Some(object) = object else {
            return ShaderId::NULL;
        };
        let Some(exe) = object.executable.as_ref() else {
            return ShaderId::NULL;
        };
        let told = *self.emission.shader(exe.shader);
        if !told.created {
            let desc = ShaderDesc {
                id: exe.shader,
                stages: u32::from(exe.artifact.stage_mask.0),
                global_constants_bytes: exe.artifact.default_block_size,
                flags: 0,
                name_for_diagnostics: object.name,
            };
            let archive = exe.artifact.to_archive();
            self.out.at(BIT).create_shader(&desc, &archive);
        }
        if told.bindings_version != exe.bindings_version {
            let head = ProgramBindings {
                shader: exe.shader,
                version: exe.bindings_version as u32,
                _pad: 0,
            };
            self.out
                .at(BIT)
                .set_program_bindings(&head, &exe.bindings());
        }
        if told.constants_version != exe.constants_version && !exe.constants.is_empty() {
            let head = GlobalConstants {
                shader: exe.shader,
                version: exe.constants_version as u32,
                _pad: 0,
            };
            self.out.at(BIT).set_global_constants(&head, &exe.constants);
        }
        *self.emission.shader(exe.shader) = gl_state::emission::ShaderTold {
            created: true,
            constants_version: exe.constants_version,
            bindings_version: exe.bindings_version,
        };
        exe.shader
    }

    fn program_gate(&self) -> [u64; 2] {
        [
            self.view.ctx.generations.program,
            self.view.objects.generations.any_program_change,
        ]
    }
}

impl Tracker {
    pub(crate) fn draw_program(&mut self, job: &mut Job<'_>) {
        let gate = job.program_gate();
        if self.programs.draw.gate == gate {
            return;
        }
        self.programs.draw.gate = gate;
        self.gates.opened = true;
        let id = job.tell_program();
        if self.programs.draw.shader != Some(id) {
            self.programs.draw.shader = Some(id);
            job.out.at(BIT).set_draw_program(&ShaderOnly { id });
        }
    }

    pub(crate) fn dispatch_program(&mut self, job: &mut Job<'_>) {
        let gate = job.program_gate();
        if self.programs.dispatch.gate == gate {
            return;
        }
        self.programs.dispatch.gate = gate;
        self.gates.opened = true;
        let id = job.tell_program();
        if self.programs.dispatch.shader != Some(id) {
            self.programs.dispatch.shader = Some(id);
            job.out.at(BIT).set_dispatch_program(&ShaderOnly { id });
        }
    }
}
