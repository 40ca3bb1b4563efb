//! Purity A: who may know whom. The table is the only place that allows an edge.

use std::process::Command;

use serde_json::Value;

use crate::sources;

/// A crate of the workspace and the ones that it may depend on (normal and build).
const MAY: &[(&str, &[&str])] = &[
    ("pipe", &[]),
    ("residual-block", &["pipe"]),
    ("shader-cache", &[]),
    ("pipe-inputs", &["pipe", "residual-block"]),
    ("gl-enums", &[]),
    ("gl-state", &["gl-enums", "pipe"]),
    ("gl-glsl", &["gl-enums", "pipe"]),
    (
        "tracker",
        &["gl-state", "pipe", "pipe-inputs", "residual-block"],
    ),
    (
        "legacy-pull",
        &[
            "gl-state",
            "pipe",
            "pipe-inputs",
            "residual-block",
            "verify",
        ],
    ),
    (
        "gl-entry",
        &[
            "gl-enums",
            "gl-state",
            "gl-glsl",
            "pipe",
            "pipe-inputs",
            "shader-cache",
        ],
    ),
    ("backend-common", &["pipe", "pipe-inputs", "residual-block"]),
    (
        "backend-gles",
        &["pipe", "pipe-inputs", "backend-common", "shader-cache"],
    ),
    (
        "backend-vulkan",
        &["pipe", "pipe-inputs", "backend-common", "shader-cache"],
    ),
    ("backend-null", &["pipe", "pipe-inputs", "backend-common"]),
    ("wire", &["pipe", "residual-block"]),
    ("server", &["pipe", "pipe-inputs", "wire", "backend-common"]),
    ("verify", &["pipe", "pipe-inputs", "gl-state"]),
    ("config", &[]),
    ("phases", &[]),
    (
        "mobilegl",
        &[
            "pipe",
            "residual-block",
            "pipe-inputs",
            "gl-enums",
            "gl-state",
            "gl-glsl",
            "tracker",
            "legacy-pull",
            "gl-entry",
            "backend-common",
            "backend-gles",
            "backend-vulkan",
            "backend-null",
            "wire",
            "server",
            "verify",
            "config",
            "phases",
            "shader-cache",
        ],
    ),
    (
        "mobilegl-server",
        &[
            "server",
            "wire",
            "backend-common",
            "backend-gles",
            "backend-vulkan",
            "backend-null",
            "config",
        ],
    ),
    ("mobilegl-cli", &["config", "phases", "verify", "wire"]),
    (
        "xtask",
        &["pipe", "pipe-inputs", "config", "phases", "gl-enums"],
    ),
    // Programs and tests: what they need of ours besides dev-dependencies.
    ("scenarios", &["config"]),
    ("driverbench", &["config"]),
    ("glsl-differential", &["gl-glsl", "pipe"]),
    ("gates", &[]),
];

/// Packages of others that belong to one place.
const OTHERS: &[(&str, &[&str])] = &[
    ("glslang-sys", &["gl-glsl"]),
    ("spirv-cross2", &["backend-gles"]),
    ("ash", &["backend-vulkan"]),
    ("gpu-allocator", &["backend-vulkan"]),
];

/// Every edge that the table does not allow, a sentence each.
fn forbidden_edges(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |package: &Value| package["name"].as_str().unwrap_or_default().to_owned();
    let ours: Vec<String> = packages.iter().map(name).collect();
    let mut found = Vec::new();
    for package in packages {
        let from = name(package);
        let Some((_, may)) = MAY.iter().find(|(of, _)| *of == from) else {
            found.push(format!("the crate `{from}` is not in the table"));
            continue;
        };
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            // Kind null is a normal dependency; only `dev` is free.
            if dependency["kind"] == "dev" {
                continue;
            }
            let to = dependency["name"].as_str().unwrap_or_default();
            if ours.iter().any(|name| name == to) && !may.contains(&to) {
                found.push(format!("`{from}` depends on `{to}`"));
            }
            if OTHERS
                .iter()
                .any(|(package, users)| *package == to && !users.contains(&from.as_str()))
            {
                found.push(format!("`{from}` depends on `{to}`"));
            }
        }
    }
    found
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(sources::root())
        .output()
        .expect("cargo metadata");
    serde_json::from_slice(&output.stdout).expect("JSON of cargo metadata")
}

#[test]
fn architecture_edges() {
    let found = forbidden_edges(&metadata());
    assert!(
        found.is_empty(),
        "edges that gates/tests/edges.rs does not allow (see ARCHITECTURE.md; move the code, not the table):\n{}",
        found.join("\n")
    );
}

#[test]
fn architecture_edges_control() {
    let mut planted = metadata();
    let packages = planted["packages"].as_array_mut().expect("packages");
    let backend = packages
        .iter_mut()
        .find(|package| package["name"] == "backend-gles")
        .expect("backend-gles");
    let edge = |name: &str, kind: Value| serde_json::json!({ "name": name, "kind": kind });
    let dependencies = backend["dependencies"]
        .as_array_mut()
        .expect("dependencies");
    dependencies.push(edge("gl-state", Value::Null));
    dependencies.push(edge("tracker", "build".into()));
    dependencies.push(edge("gl-entry", "dev".into()));
    dependencies.push(edge("glslang-sys", Value::Null));
    assert_eq!(
        forbidden_edges(&planted),
        [
            "`backend-gles` depends on `gl-state`",
            "`backend-gles` depends on `tracker`",
            "`backend-gles` depends on `glslang-sys`"
        ]
    );
}
