//! A test once more in a process of its own: for what ends its process (a fault that must be fatal, a known failure). It must
//! not be used where a result could be returned.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Set in the child: run the body and nothing around it.
const CHILD: &str = "MOBILEGL_TEST_CHILD";
const LIMIT: Duration = Duration::from_secs(60);

/// How a child ended.
#[derive(Debug)]
pub struct Ended {
    pub success: bool,
    pub how: String,
    /// Its standard output and error together.
    pub text: String,
}

/// Whether this process is a child.
pub fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// Runs the test `name` of this executable again with more environment.
pub fn run(name: &str, variables: &[(&str, &str)]) -> Ended {
    let output = std::env::temp_dir().join(format!(
        "mobilegl-child-{}-{}",
        std::process::id(),
        name.replace("::", "-")
    ));
    let file = std::fs::File::create(&output).expect("a file for the child's output");
    let mut child = Command::new(std::env::current_exe().expect("the test's own path"))
        .args(["--exact", name, "--nocapture", "--test-threads", "1"])
        .env(CHILD, "1")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(file.try_clone().expect("a second handle"))
        .stderr(file)
        .spawn()
        .expect("the test starts again");
    let end = Instant::now() + LIMIT;
    let status = loop {
        if let Some(status) = child.try_wait().expect("waiting for the child") {
            break Some(status);
        }
        if Instant::now() > end {
            // It is our own child and did not end by itself.
            child.kill().expect("ending the child");
            child.wait().expect("waiting for the child");
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = String::from_utf8_lossy(&std::fs::read(&output).unwrap_or_default()).into_owned();
    let _ = std::fs::remove_file(&output);
    Ended {
        success: status.is_some_and(|status| status.success()),
        how: status.map_or("it took too long".to_owned(), |status| status.to_string()),
        text,
    }
}
