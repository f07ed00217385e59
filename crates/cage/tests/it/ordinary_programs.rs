//! Programs that want nothing bad: they run, in the strictest cage that there is here.

use crate::harness::*;
use cage::{CageError, CageMode, ExitCause, Layer, LayerState, ResourceLimits};
use prerequisite::{Prerequisite, is_met, missing};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Strict, if this machine has all that it takes.
#[track_caller]
fn strictest() -> CageMode {
    let folder = ScratchFolder::new("strictest");
    let cage = cage(CageMode::Strict, ResourceLimits::default());
    match cage.start(&program(&folder, &[])) {
        Ok(_) => CageMode::Strict,
        Err(error) => {
            missing(Prerequisite::Cage, error);
            CageMode::Best
        }
    }
}

#[test]
fn a_program_is_talked_with_and_ends_by_itself() {
    let folder = ScratchFolder::new("talk");
    for mode in [strictest(), CageMode::Best, CageMode::Off] {
        let cage = cage(mode, ResourceLimits::default());
        let mut caged = cage.start(&program(&folder, &["echo"])).expect("it runs");
        assert!(lives(caged.id()));
        for word in ["one\n", "two\n"] {
            say(&caged, word);
            assert_eq!(line(caged.stdout()), word);
        }
        assert_eq!(caged.try_wait(), None);
        caged.close_stdin();
        assert_eq!(drain(caged.stdout()), "");
        let ended = caged.end(TIMEOUT);
        assert_eq!(
            (ended.cause, ended.killed_descendants),
            (ExitCause::Code(0), 0),
            "{mode}"
        );
        assert_eq!(ended.refusals, []);
        assert!(ended.peak_memory > 0);
    }
}

#[test]
fn layers_are_told_of() {
    let folder = ScratchFolder::new("layers");
    let told = run(
        &cage(CageMode::Off, ResourceLimits::default()),
        &program(&folder, &[]),
    )
    .expect("runs");
    let off = Layer::ALL.map(|layer| (layer, LayerState::Off));
    assert_eq!(told.layers, off);
    let told = run(
        &cage(CageMode::Best, ResourceLimits::default()),
        &program(&folder, &[]),
    )
    .expect("runs");
    let layers: Vec<_> = told.layers.iter().map(|(layer, _)| *layer).collect();
    assert_eq!(layers, Layer::ALL);
    let missing = told.layers.iter().find_map(|(layer, state)| match state {
        LayerState::Missing(_) => Some(*layer),
        _ => None,
    });
    // strict is the same with nothing missing
    match cage(CageMode::Strict, ResourceLimits::default()).start(&program(&folder, &[])) {
        Ok(caged) => {
            assert_eq!(missing, None);
            assert_eq!(
                caged.layers(),
                Layer::ALL.map(|layer| (layer, LayerState::Holds))
            );
        }
        Err(CageError::Lacks { layer, .. }) => assert_eq!(Some(layer), missing),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn exit_codes_and_signals_come_through() {
    let folder = ScratchFolder::new("codes");
    let mode = strictest();
    for (words, cause) in [
        (&["exit", "0"][..], ExitCause::Code(0)),
        (&["exit", "3"], ExitCause::Code(3)),
        (&["exit", "255"], ExitCause::Code(255)),
        (&["abort"], ExitCause::Signal(6)),
    ] {
        let told = run(
            &cage(mode, ResourceLimits::default()),
            &program(&folder, words),
        )
        .expect("runs");
        assert_eq!(told.ended.cause, cause, "{words:?} {told:?}");
    }
}

#[test]
fn what_is_no_program_is_not_started() {
    let folder = ScratchFolder::new("missing");
    let text = folder.file("text", "#!/no/such/interpreter\n");
    for name in ["no-such-program-at-all", "./gone", "/"] {
        let started =
            cage(CageMode::Best, ResourceLimits::default()).start(&other(&folder, name, &[]));
        match started {
            Err(CageError::Program { program, .. }) => assert_eq!(program, name),
            other => panic!("{other:?}"),
        }
    }
    // what the kernel would say of this could be of anything
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&text, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let started =
        cage(CageMode::Best, ResourceLimits::default()).start(&other(&folder, "./text", &[]));
    let error = started
        .map(|_| ())
        .expect_err("it is no program")
        .to_string();
    assert!(
        error.starts_with("./text: its first line names /no/such/interpreter"),
        "{error}"
    );
    let mut nowhere = program(&folder, &[]);
    nowhere.folder = folder.0.join("gone");
    let error = cage(CageMode::Best, ResourceLimits::default()).start(&nowhere);
    let error = error
        .map(|_| ())
        .expect_err("there is no folder")
        .to_string();
    assert!(error.contains(": there is no folder /"), "{error}");
    // a file is none
    nowhere.folder = text;
    let error = cage(CageMode::Best, ResourceLimits::default()).start(&nowhere);
    let error = error.map(|_| ()).expect_err("it is a file").to_string();
    assert!(
        error.ends_with("is no folder that may be entered"),
        "{error}"
    );
}

/// Whether the system has a program of this name.
#[track_caller]
fn is_of_the_system(program: Prerequisite) -> bool {
    let path = Path::new("/usr/bin").join(program.name());
    let is_there = path.exists();
    if !is_there {
        missing(program, format!("there is no {}", path.display()));
    }
    is_there
}

#[test]
fn the_shell_python_and_c_run_without_a_word() {
    let folder = ScratchFolder::new("languages");
    let mode = strictest();
    folder.file("bot.py", "import random, json, sys, threading\nt = threading.Thread(target=print, args=('thread',), kwargs={'flush': True})\nt.start()\nt.join()\nprint(sum([1, 2]), open('data').read(), flush=True)\n");
    folder.file("data", "data");
    folder.file(
        "bot.c",
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { char *m = malloc(1 << 20); m[5] = 1; return printf(\"c %d\\n\", m[5]) != 4; }\n",
    );
    let script = folder.file("script", "#!/usr/bin/env python3\nprint('script')\n");
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let has_compiler = is_met(Prerequisite::Cc);
    if has_compiler {
        let mut compiler = Command::new("cc");
        let compiler = compiler.current_dir(&folder.0).args(["-o", "c", "bot.c"]);
        assert!(compiler.status().expect("it runs").success());
    }
    let python = "thread\n3 data\n";
    let shell = "while read word; do echo \"<$word>\" >/dev/null; done; echo sh; cd /; exit 0";
    for (program, words, expected) in [
        ("sh", &["-c", shell][..], "sh\n"),
        ("/usr/bin/python3", &["bot.py"], python),
        ("python3", &["bot.py"], python),
        (
            "python3",
            &[
                "-c",
                "import asyncio\nasync def f(): print('a')\nasyncio.run(f())",
            ],
            "a\n",
        ),
        ("./script", &[], "script\n"),
        ("./c", &[], "c 1\n"),
        ("perl", &["-e", "print 7"], "7"),
        ("node", &["-e", "console.log(7)"], "7\n"),
        ("java", &["-version"], ""), // which it complains
    ] {
        // what a cage lets a program see is the system's own
        let is_here = match program {
            "sh" => true,
            "./c" => has_compiler,
            "perl" => is_of_the_system(Prerequisite::Perl),
            "node" => is_of_the_system(Prerequisite::Node),
            "java" => is_of_the_system(Prerequisite::Java),
            _ => is_of_the_system(Prerequisite::Python3),
        };
        if !is_here {
            continue;
        }
        let told = run(
            &cage(mode, ResourceLimits::default()),
            &other(&folder, program, words),
        )
        .expect("it runs");
        assert_eq!(told.output, expected, "{program} {told:?}");
        let complains = program == "java";
        assert_eq!(!told.errors.is_empty(), complains, "{program} {told:?}");
        assert_eq!(told.ended.cause, ExitCause::Code(0), "{program}");
        // Java asks a service who runs it, and looks for its like; other Pythons than the
        // system's may be set up to read anything
        let known = match program {
            "java" => "to ",
            "python3" | "./script" => "to read ",
            _ => "nothing",
        };
        let mut refusals = told.ended.refusals.iter();
        assert!(refusals.all(|one| one.what.starts_with(known)), "{told:?}");
    }
}

#[test]
fn its_surroundings_are_small_and_its_own() {
    let folder = ScratchFolder::new("surroundings");
    let mut program = program(
        &folder,
        &["environment", "files", "status", "Cpus_allowed_list"],
    );
    program.cores = vec![0];
    let told = run(&cage(CageMode::Best, ResourceLimits::default()), &program).expect("it runs");
    let lines: Vec<_> = told.output.lines().collect();
    let home = folder.0.display();
    let expected = format!(
        "environment: HOME={home} LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin PWD={home} \
         PYTHONDONTWRITEBYTECODE=1 SHELL=/bin/sh"
    );
    assert_eq!(lines[0], expected);
    // input, output, errors, and nothing of ours
    let files: Vec<_> = lines[1].split(' ').skip(1).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    assert!(files.iter().all(|file| file.starts_with("pipe:")));
    assert_eq!(lines[2], "status: 0");
}

#[test]
fn the_kernel_confirms_the_layers() {
    let folder = ScratchFolder::new("kernel");
    let words = ["NoNewPrivs", "Seccomp", "CapEff", "CapInh"];
    let words = words.map(|word| ["status", word]).concat();
    let told = run(
        &cage(CageMode::Best, ResourceLimits::default()),
        &program(&folder, &words),
    )
    .expect("it runs");
    let lines: Vec<_> = told.output.lines().collect();
    if told.holds(Layer::Calls) {
        assert_eq!(lines[1], "status: 2");
    }
    if told.holds(Layer::Privileges) {
        assert_eq!(lines[0], "status: 1");
        assert_eq!(lines[3], "status: 0000000000000000");
        let capabilities = lines[2].trim_start_matches("status: ");
        let capabilities = u64::from_str_radix(capabilities, 16).expect("in hexadecimal");
        // at most to read what others may not
        assert_eq!(capabilities & !(1 << 2), 0);
    }
}

#[test]
fn limits_are_told_by_how_it_ends() {
    let folder = ScratchFolder::new("time");
    let limits = ResourceLimits {
        cpu: Some(Duration::from_millis(10)),
        ..ResourceLimits::default()
    };
    let told = run(&cage(CageMode::Best, limits), &program(&folder, &["burn"])).expect("it runs");
    // SIGXCPU, after the second that is the least
    assert_eq!(told.ended.cause, ExitCause::Signal(24));
    assert!(told.ended.cpu >= Duration::from_millis(500), "{told:?}");
}
