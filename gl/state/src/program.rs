//! Shader and program objects: sources, logs, what a link made, uniform values, units and binding points. Nothing is compiled here.

use crate::bump::bump;
use crate::context::{Context, Objects, ShareGroup};
use crate::emission::Emission;
use pipe::program::{ProgramArtifact, Stage};
use pipe::{Handle, HandleKind, RawHandle};
use std::any::Any;
use std::sync::Arc;

pub use crate::executable::Executable;

macro_rules! local_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub RawHandle);

        impl Handle for $name {
            const KIND: HandleKind = HandleKind::Shader;

            fn from_raw(raw: RawHandle) -> Self {
                Self(raw)
            }

            fn raw(self) -> RawHandle {
                self.0
            }
        }

        impl $name {
            /// Names nothing.
            pub const NULL: Self = Self(RawHandle::NULL);
        }
    )*};
}
local_ids! {
    /// Names a shader object on this side only.
    ShaderObjectId;
    /// Names a program object on this side only.
    ProgramId;
}

/// What a shader or program name names: both share one namespace (GL 4.6 §7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderOrProgram {
    Shader(ShaderObjectId),
    Program(ProgramId),
}

/// A shader object.
pub struct Shader {
    pub id: ShaderObjectId,
    pub name: u32,
    pub stage: Stage,
    pub source: String,
    pub compile_ok: bool,
    pub log: String,
    /// The compiler's own object; opaque here.
    pub compiled: Option<Arc<dyn Any + Send + Sync>>,
    pub delete_pending: bool,
    /// Programs it is attached to.
    pub attachments: u32,
    pub label: Option<String>,
}

/// A program object.
#[derive(Debug)]
pub struct Program {
    pub id: ProgramId,
    pub name: u32,
    pub attached: Vec<ShaderObjectId>,
    pub link_ok: bool,
    pub validate_ok: bool,
    pub log: String,
    /// Survives a failed relink while in use (GL 4.6 §7.3).
    pub executable: Option<Executable>,
    pub attrib_bindings: Vec<(String, u32)>,
    /// Name, colour number, index.
    pub frag_data_bindings: Vec<(String, u32, u32)>,
    pub xfb_varyings: Vec<String>,
    pub xfb_separate: bool,
    pub separable: bool,
    /// What `GL_PROGRAM_BINARY_RETRIEVABLE_HINT` was set to; in force from the next successful link on (ARB_get_program_binary).
    pub asked_retrievable: bool,
    pub retrievable: bool,
    pub delete_pending: bool,
    /// Contexts it is in use by.
    pub in_use: u32,
    /// Moves with every link.
    pub link_version: u64,
    pub label: Option<String>,
}

/// What glLinkProgram yielded.
#[derive(Clone, Debug)]
pub struct LinkOutcome {
    pub log: String,
    /// `None`: the link failed.
    pub artifact: Option<Arc<ProgramArtifact>>,
}

impl Program {
    /// A program without shaders.
    pub fn new(id: ProgramId, name: u32) -> Self {
        Self {
            id,
            name,
            attached: Vec::new(),
            link_ok: false,
            validate_ok: false,
            log: String::new(),
            executable: None,
            attrib_bindings: Vec::new(),
            frag_data_bindings: Vec::new(),
            xfb_varyings: Vec::new(),
            xfb_separate: false,
            separable: false,
            asked_retrievable: false,
            retrievable: false,
            delete_pending: false,
            in_use: 0,
            link_version: 0,
            label: None,
        }
    }

    /// The executable that queries and uniforms mean: that of the last link, if it succeeded.
    pub fn linked(&self) -> Option<&Executable> {
        self.executable.as_ref().filter(|_| self.link_ok)
    }
}

impl Objects {
    /// A new shader under a new name.
    pub fn create_shader(&mut self, share: &mut ShareGroup, stage: Stage) -> u32 {
        let name = share.shaders_and_programs.generate();
        let id = self.shaders.insert(|id| Shader {
            id,
            name,
            stage,
            source: String::new(),
            compile_ok: false,
            log: String::new(),
            compiled: None,
            delete_pending: false,
            attachments: 0,
            label: None,
        });
        share
            .shaders_and_programs
            .assign(name, ShaderOrProgram::Shader(id));
        name
    }

    /// A new program under a new name.
    pub fn create_program(&mut self, share: &mut ShareGroup) -> u32 {
        let name = share.shaders_and_programs.generate();
        let id = self.programs.insert(|id| Program::new(id, name));
        share
            .shaders_and_programs
            .assign(name, ShaderOrProgram::Program(id));
        name
    }

    /// glAttachShader.
    pub fn attach_shader(&mut self, program: ProgramId, shader: ShaderObjectId) {
        self.programs[program].attached.push(shader);
        self.shaders[shader].attachments += 1;
    }

    /// glDetachShader: a shader flagged for deletion dies with its last attachment (GL 4.6 §7.3).
    pub fn detach_shader(
        &mut self,
        share: &mut ShareGroup,
        program: ProgramId,
        shader: ShaderObjectId,
    ) {
        self.programs[program].attached.retain(|s| *s != shader);
        self.shaders[shader].attachments -= 1;
        self.reap_shader(share, shader);
    }

    /// glDeleteShader: at once where it is attached to nothing, else flagged (GL 4.6 §7.1).
    pub fn delete_shader(&mut self, share: &mut ShareGroup, shader: ShaderObjectId) {
        self.shaders[shader].delete_pending = true;
        self.reap_shader(share, shader);
    }

    fn reap_shader(&mut self, share: &mut ShareGroup, shader: ShaderObjectId) {
        let object = &self.shaders[shader];
        if object.delete_pending && object.attachments == 0 {
            share.shaders_and_programs.remove(object.name);
            self.shaders.remove(shader);
        }
    }

    /// glDeleteProgram: at once where no context uses it, else flagged (GL 4.6 §7.3).
    pub fn delete_program(
        &mut self,
        share: &mut ShareGroup,
        emission: &mut Emission,
        program: ProgramId,
    ) {
        self.programs[program].delete_pending = true;
        self.reap_program(share, emission, program);
    }

    fn reap_program(
        &mut self,
        share: &mut ShareGroup,
        emission: &mut Emission,
        program: ProgramId,
    ) {
        let object = &self.programs[program];
        if !object.delete_pending || object.in_use != 0 {
            return;
        }
        let object = self
            .programs
            .remove(program)
            .expect("it was looked at just now");
        share.shaders_and_programs.remove(object.name);
        if let Some(executable) = object.executable {
            self.drop_executable(emission, &executable);
        }
        for shader in object.attached {
            self.shaders[shader].attachments -= 1;
            self.reap_shader(share, shader);
        }
    }

    fn drop_executable(&mut self, emission: &mut Emission, executable: &Executable) {
        emission.mark_dead_shader(executable.shader);
        self.executables.release(executable.shader);
    }

    /// Keeps what glLinkProgram yielded. A failed link leaves the executable of a program in use alone (GL 4.6 §7.3); a successful
    /// one takes its place in every context that uses the program, under a handle of its own.
    pub fn link_program(
        &mut self,
        emission: &mut Emission,
        program: ProgramId,
        outcome: LinkOutcome,
    ) {
        let fresh = outcome.artifact.map(|artifact| {
            let shader = self.executables.alloc();
            emission.reset(shader);
            Executable::new(shader, artifact)
        });
        let object = &mut self.programs[program];
        object.link_ok = fresh.is_some();
        object.validate_ok = false;
        if object.link_ok {
            object.retrievable = object.asked_retrievable;
        }
        object.log = outcome.log;
        bump!("program::link_program", object.link_version);
        let keep = fresh.is_none() && object.in_use != 0;
        let old = if keep {
            None
        } else {
            std::mem::replace(&mut object.executable, fresh)
        };
        if let Some(old) = old {
            self.drop_executable(emission, &old);
        }
        bump!("program::link_program", self.generations.any_program_change);
    }

    /// glUseProgram; a null id: none. The program left behind may die here.
    pub fn use_program(
        &mut self,
        ctx: &mut Context,
        share: &mut ShareGroup,
        emission: &mut Emission,
        program: ProgramId,
    ) {
        let before = std::mem::replace(&mut ctx.program, program);
        if before == program {
            return;
        }
        bump!("program::use_program", ctx.generations.program);
        if program != ProgramId::NULL {
            self.programs[program].in_use += 1;
        }
        if before != ProgramId::NULL {
            let object = &mut self.programs[before];
            object.in_use -= 1;
            // The executable outlived its program's failed relink only while it was in use.
            if object.in_use == 0
                && !object.link_ok
                && let Some(old) = object.executable.take()
            {
                self.drop_executable(emission, &old);
            }
            self.reap_program(share, emission, before);
        }
    }
}
