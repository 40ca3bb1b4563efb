//! From the results of a full run to a ledger that cites it, by the two commands that `./x test --full` and a person give.

use std::path::Path;
use std::process::{Command, Output};

use phases::{Ledger, Status};

fn phases(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .arg("phases")
        .args(args)
        .current_dir(folder)
        .env("MOBILEGL_CONFIG", "/dev/null")
        .output()
        .expect("mobilegl starts")
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Results in which everything passed but `failed`, as nextest writes them.
fn junit(failed: &str) -> String {
    let cases = phases::ledger().gates().into_iter().map(|gate| {
        let body = match gate == failed {
            true => "<failure type=\"test failure\">red</failure>",
            false => "",
        };
        format!("<testcase name=\"some_module::{gate}\">{body}</testcase>")
    });
    let cases: String = cases.collect();
    format!("<testsuites><testsuite name=\"all\">{cases}</testsuite></testsuites>")
}

/// A folder of sources as far as these commands see it.
fn sources(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("phases")).expect("a folder");
    std::fs::write(folder.join("phases/ledger.toml"), phases::LEDGER_TOML).expect("a ledger");
    folder
}

fn ledger_in(folder: &Path) -> Ledger {
    let text = std::fs::read_to_string(folder.join("phases/ledger.toml")).expect("a ledger");
    Ledger::parse(&text).expect("a ledger")
}

#[test]
fn full_run_is_written_and_cited_by_the_rows_that_it_proves() {
    let folder = sources("full-run");
    let tree = "0123456789abcdef".repeat(4);
    // One gate of a green row fails: that row, and every other that names it, cites nothing.
    let failed = phases::ledger().green_gates()[0].to_owned();
    std::fs::write(folder.join("junit.xml"), junit(&failed)).expect("results");
    let written = phases(
        &folder,
        &[
            "--junit",
            "junit.xml",
            "--tree",
            &tree,
            "--write-result",
            "result.json",
        ],
    );
    assert_eq!(written.status.code(), Some(1), "{}", said(&written));
    assert!(said(&written).contains(&failed), "{}", said(&written));
    let cited = phases(&folder, &["--cite", "result.json"]);
    assert_eq!(cited.status.code(), Some(0), "{}", said(&cited));
    let ledger = ledger_in(&folder);
    let below = |path: &str| std::fs::read_to_string(folder.join("phases").join(path)).ok();
    assert_eq!(ledger.miscited(below), [""; 0]);
    for row in ledger.rows() {
        let proven = row.status == Status::Green && !row.gates.contains(&failed);
        assert_eq!(
            row.full,
            if proven { tree.as_str() } else { "" },
            "{}",
            row.what
        );
        let is_told = said(&cited).contains(&format!("{} is green and not proven", row.what));
        assert_eq!(
            is_told,
            row.status == Status::Green && !proven,
            "{}",
            row.what
        );
    }
    // The result that a row cites is of that tree and no other.
    let file = folder.join("phases/results/0123456789ab.json");
    let text = std::fs::read_to_string(&file).expect("the result");
    std::fs::write(&file, text.replace(&tree, &"f".repeat(64))).expect("the result");
    assert!(ledger.miscited(below)[0].contains("its result file is of ffff"));
}

#[test]
fn citing_what_is_no_result_or_outside_the_sources_says_so_and_changes_nothing() {
    let folder = sources("full-run-misuse");
    std::fs::write(folder.join("result.json"), "{}").expect("a file");
    let refused = phases(&folder, &["--cite", "result.json"]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(said(&refused).contains("result.json"), "{}", said(&refused));
    let right = r#"{"tree":"0","passed":1,"failed":0,"gates":[]}"#;
    std::fs::write(folder.join("result.json"), right).expect("a file");
    let elsewhere = folder.join("phases");
    let refused = phases(&elsewhere, &["--cite", "../result.json"]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(
        said(&refused).contains("phases/ledger.toml"),
        "{}",
        said(&refused)
    );
    let text = std::fs::read_to_string(folder.join("phases/ledger.toml")).expect("a ledger");
    assert_eq!(text, phases::LEDGER_TOML);
}
