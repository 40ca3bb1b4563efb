//! The second compiler: the reference compiler of the system, with OpenGL's own rules for SPIR-V, and the optimiser of SPIRV-Tools. They
//! are programs, so nothing of them meets ours in one process. It must not be given what ours has rewritten.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// How hard it tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Everything that is declared stays.
    None,
    /// What is not used goes; names stay.
    Performance,
}

/// `glslangValidator` and `spirv-opt`, working in a folder.
pub struct Reference {
    folder: PathBuf,
}

impl Reference {
    /// `folder` is made; what is in it is overwritten.
    pub fn new(folder: PathBuf) -> Self {
        fs::create_dir_all(&folder).expect("a folder to work in");
        Self { folder }
    }

    /// SPIR-V of one stage, or what the compiler says against it.
    pub fn compile(&self, source: &str, suffix: &str, effort: Effort) -> Result<Vec<u32>, String> {
        let text = self.folder.join(format!("shader.{suffix}"));
        let code = self.folder.join("code.spv");
        fs::write(&text, source).expect("a folder of our own");
        let _ = fs::remove_file(&code);
        // Locations and bindings are given out by the compiler, as GL does.
        run(Command::new("glslangValidator")
            .args(["-G", "--auto-map-locations", "--auto-map-bindings", "-o"])
            .arg(&code)
            .arg(&text))?;
        if effort == Effort::Performance {
            run(Command::new("spirv-opt")
                .arg("-O")
                .arg(&code)
                .arg("-o")
                .arg(&code))?;
        }
        let bytes = fs::read(&code).map_err(|error| error.to_string())?;
        Ok(bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect())
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?} (Debian: glslang-tools, spirv-tools): {error}")
    });
    match output.status.success() {
        true => Ok(()),
        false => Err([output.stdout, output.stderr]
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .concat()),
    }
}
