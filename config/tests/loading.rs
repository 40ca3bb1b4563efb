//! Every way in which a value can arrive, and every way in which it can be wrong. It must not touch the process's own environment.

use std::io::Write;
use std::path::PathBuf;

use config::{Backend, Build, Config, ConfigError, Finish, Loaded, PushMask, Sources, Transport};

fn variables(pairs: &[(&str, &str)]) -> Sources {
    let variables = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    Sources {
        variables,
        ..Sources::default()
    }
}

fn load(pairs: &[(&str, &str)]) -> Result<Loaded, String> {
    variables(pairs)
        .load(&Build::everything())
        .map_err(|errors| errors.to_string())
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::File::create(&path)
        .expect("a file")
        .write_all(text.as_bytes())
        .expect("its text");
    path
}

fn with_file(name: &str, text: &str) -> Sources {
    Sources {
        file: Some(file(name, text)),
        file_is_required: true,
        ..Sources::default()
    }
}

#[test]
fn nothing_set_gives_the_defaults() {
    let loaded = load(&[]).expect("defaults are good");
    assert_eq!(loaded.config, Config::defaults(&Build::everything()));
    assert!(loaded.warnings.is_empty());
    assert_eq!(loaded.config.backend, Backend::Auto);
    assert_eq!(loaded.config.finish, Finish::Wait);
    assert_eq!(loaded.config.transport, Transport::Monolith);
    assert!(loaded.config.pipe_verify_fatal);
}

#[test]
fn environment_values_reach_their_fields() {
    let config = load(&[
        ("MOBILEGL_BACKEND", "vulkan"),
        ("MOBILEGL_PIPE_PUSH", "all-textures"),
        ("MOBILEGL_PIPE_VERIFY", "1"),
        ("MOBILEGL_PIPE_STATS_PERIOD", "30"),
        ("MOBILEGL_GLES_HIDE", "GL_EXT_texture_view, bare-es32"),
        ("MOBILEGL_PIPE_STATS_FILE", "007"),
        ("HOME", "elsewhere"),
    ])
    .expect("all of them are allowed")
    .config;
    assert_eq!(config.backend, Backend::Vulkan);
    assert_eq!(config.pipe_push, PushMask::ALL.without(PushMask::TEXTURES));
    assert!(config.pipe_verify);
    assert_eq!(config.pipe_stats_period, 30);
    assert_eq!(config.gles_hide, ["GL_EXT_texture_view", "bare-es32"]);
    assert_eq!(
        config.pipe_stats_file, "007",
        "text stays as written, digits too"
    );
}

#[test]
fn later_sources_win_over_earlier_ones() {
    let mut sources = with_file(
        "layers.toml",
        "backend = \"null\"\npipe_stats_period = 7\npipe_push = 0x1f\npipe_verify = true\n",
    );
    let config = sources
        .load(&Build::everything())
        .expect("a good file")
        .config;
    assert_eq!(
        (
            config.backend,
            config.pipe_stats_period,
            config.pipe_push,
            config.pipe_verify
        ),
        (Backend::Null, 7, PushMask(0x1f), true)
    );

    sources.variables = vec![("MOBILEGL_BACKEND".to_owned(), "gles".to_owned())];
    assert_eq!(
        sources
            .load(&Build::everything())
            .expect("good")
            .config
            .backend,
        Backend::Gles
    );

    sources.flags = vec![("MOBILEGL_BACKEND".to_owned(), "vulkan".to_owned())];
    let config = sources.load(&Build::everything()).expect("good").config;
    assert_eq!(
        (config.backend, config.pipe_stats_period),
        (Backend::Vulkan, 7)
    );
}

#[test]
fn wrong_value_names_option_value_allowed_and_variable() {
    let text = load(&[("MOBILEGL_BACKEND", "vulcan")]).expect_err("no such backend");
    for part in [
        "MOBILEGL_BACKEND",
        "`vulcan`",
        "auto, gles, vulkan, null",
        "environment variable",
        "did you mean `vulkan`",
    ] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
}

#[test]
fn wrong_value_in_a_file_names_the_file() {
    let text = with_file("wrong.toml", "pipe_verify = \"maybe\"\n")
        .load(&Build::everything())
        .expect_err("not a flag")
        .to_string();
    assert!(
        text.contains("wrong.toml") && text.contains("MOBILEGL_PIPE_VERIFY=`maybe`"),
        "{text}"
    );
}

#[test]
fn wrong_value_on_the_command_line_names_the_command_line() {
    let flags = vec![("pipe_push".to_owned(), "fences".to_owned())];
    let text = Sources {
        flags,
        ..Sources::default()
    }
    .load(&Build::everything())
    .expect_err("no bit")
    .to_string();
    assert!(
        text.contains("the command line") && text.contains("`fences`"),
        "{text}"
    );
}

#[test]
fn every_wrong_value_is_told_not_only_the_first() {
    let errors = variables(&[
        ("MOBILEGL_BACKEND", "x"),
        ("MOBILEGL_PIPE_VERIFY", "x"),
        ("MOBILEGL_TRANSPORT", "x"),
    ])
    .load(&Build::everything())
    .expect_err("three wrong values");
    assert_eq!(errors.0.len(), 3);
}

#[test]
fn wrong_tuning_value_falls_back_and_says_so_once() {
    let loaded = load(&[("MOBILEGL_FINISH", "never")]).expect("a tuning value is not fatal");
    assert_eq!(loaded.config.finish, Finish::Wait);
    assert_eq!(loaded.warnings.len(), 1);
    assert!(
        loaded.warnings[0].contains("MOBILEGL_FINISH=`never`")
            && loaded.warnings[0].contains("`wait` is used")
    );
}

#[test]
fn number_out_of_range_or_no_number_is_refused() {
    for value in ["0", "-1", "many", "1000001", "1.5", ""] {
        let text = load(&[("MOBILEGL_PIPE_STATS_PERIOD", value)]).expect_err(value);
        assert!(text.contains("from 1 to 1000000"), "{text}");
    }
}

#[test]
fn planned_option_is_refused_by_name_unless_it_is_the_default() {
    for (name, value) in [
        ("MOBILEGL_TRANSPORT", "inproc"),
        ("MOBILEGL_TRANSPORT", "unix:/tmp/socket"),
        ("MOBILEGL_IPC_SPIN_US", "10"),
    ] {
        let text = load(&[(name, value)]).expect_err(name);
        assert!(
            text.contains(name) && text.contains(value) && text.contains("not in this build"),
            "{text}"
        );
    }
    load(&[
        ("MOBILEGL_TRANSPORT", "monolith"),
        ("MOBILEGL_IPC_SPIN_US", "50"),
    ])
    .expect("the defaults are accepted");
}

#[test]
fn transport_socket_without_a_path_is_a_wrong_value() {
    assert!(
        load(&[("MOBILEGL_TRANSPORT", "unix:")])
            .expect_err("no path")
            .contains("path of the socket")
    );
}

#[test]
fn option_of_a_feature_that_is_off_is_refused() {
    let build = Build {
        pull: false,
        verify: false,
        faults: false,
        ..Build::everything()
    };
    for (name, value) in [
        ("MOBILEGL_PIPE_LEGACY_MEMOS", "1"),
        ("MOBILEGL_PIPE_VERIFY", "1"),
        ("MOBILEGL_PIPE_VERIFY_CORRUPT", "blend@draw"),
    ] {
        let errors = variables(&[(name, value)]).load(&build).expect_err(name);
        assert!(
            matches!(&errors.0[0], ConfigError::NotInThisBuild { option, .. } if *option == name)
        );
    }
    variables(&[("MOBILEGL_PIPE_VERIFY", "0")])
        .load(&build)
        .expect("off is fine where it is not built");
}

#[test]
fn cleared_bit_is_refused_where_the_pull_path_is_not_built() {
    let build = Build {
        pull: false,
        ..Build::everything()
    };
    let text = variables(&[("MOBILEGL_PIPE_PUSH", "all-textures")])
        .load(&build)
        .expect_err("no pull")
        .to_string();
    assert!(text.contains("`textures` must be pushed"), "{text}");
    variables(&[("MOBILEGL_PIPE_PUSH", "all")])
        .load(&build)
        .expect("everything is pushed");
    let config = Sources::default()
        .load(&build)
        .expect("the default is everything there")
        .config;
    assert_eq!(config.pipe_push, PushMask::ALL);
}

#[test]
fn misspelt_pipe_option_is_fatal_and_the_right_name_is_told() {
    let text = load(&[("MOBILEGL_PIPE_PUHS", "all")]).expect_err("it would pass as a pushed run");
    assert!(
        text.contains("MOBILEGL_PIPE_PUHS") && text.contains("did you mean MOBILEGL_PIPE_PUSH"),
        "{text}"
    );
}

#[test]
fn other_unknown_option_is_told_and_ignored() {
    let loaded = load(&[
        ("MOBILEGL_COLOUR", "red"),
        ("MOBILEGL_STAGE", "target/stage"),
    ])
    .expect("not ours to refuse");
    assert_eq!(loaded.warnings.len(), 1);
    assert!(loaded.warnings[0].contains("MOBILEGL_COLOUR"));
}

#[test]
fn named_file_that_is_missing_is_an_error_and_a_default_one_is_not() {
    let mut sources = Sources {
        file: Some(PathBuf::from("no/such/file.toml")),
        ..Sources::default()
    };
    sources
        .load(&Build::everything())
        .expect("nobody asked for it");
    sources.file_is_required = true;
    let text = sources
        .load(&Build::everything())
        .expect_err("somebody did")
        .to_string();
    assert!(text.contains("no/such/file.toml"), "{text}");
}

#[test]
fn broken_toml_names_the_file_and_the_place() {
    let text = with_file("broken.toml", "backend = \n")
        .load(&Build::everything())
        .expect_err("broken")
        .to_string();
    assert!(
        text.contains("broken.toml") && text.contains("line 1"),
        "{text}"
    );
}

#[test]
fn toml_table_where_a_value_belongs_is_refused() {
    let text = with_file("table.toml", "[backend]\nname = \"gles\"\n")
        .load(&Build::everything())
        .expect_err("a table");
    assert!(text.to_string().contains("one value is expected"), "{text}");
}

#[test]
fn toml_array_is_a_list_of_words() {
    let config = with_file(
        "list.toml",
        "gles_hide = [\"GL_EXT_texture_view\", \"bare-es32\"]\n",
    )
    .load(&Build::everything())
    .expect("a list")
    .config;
    assert_eq!(config.gles_hide, ["GL_EXT_texture_view", "bare-es32"]);
}

#[test]
fn change_by_name_follows_the_same_rules() {
    let build = Build::everything();
    let mut config = Config::defaults(&build);
    config
        .change("MOBILEGL_PIPE_PUSH", "buffers", &build)
        .expect("a bit");
    assert_eq!(config.pipe_push, PushMask::BUFFERS);
    assert_eq!(config.text("pipe_push").as_deref(), Some("buffers"));
    let before = config.clone();
    config
        .change("pipe_push", "0x2000", &build)
        .expect_err("retired");
    config
        .change("pipe_ab", "all", &build)
        .expect_err("one bitmap");
    config.change("no_such", "1", &build).expect_err("unknown");
    assert_eq!(config, before, "a refused change has no effect");
}

#[test]
fn options_page_is_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/generated/options.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        page == config::options_markdown(),
        "docs/generated/options.md is stale: run `cargo xtask codegen`"
    );
}
