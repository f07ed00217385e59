//! Everything that a process has started, and what those have started.
//!
//! The warden adopts whatever is orphaned below it (`PR_SET_CHILD_SUBREAPER` in Linux's
//! prctl(2)), so that nothing that a program starts can leave this tree.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;

/// All below this process that live; a parent comes before its children.
pub(crate) fn below(process: Pid) -> Vec<Pid> {
    let mut kin = Vec::new();
    let mut parents = vec![process];
    while let Some(parent) = parents.pop() {
        for child in children(parent) {
            parents.push(child);
            if lives(child) {
                kin.push(child);
            }
        }
    }
    kin
}

/// Ends all that lives below this process now.
pub(crate) fn end_below(process: Pid) {
    for one in below(process) {
        // it may have ended meanwhile, and nothing else fails
        let _ = kill_process(one, Signal::KILL);
    }
}

/// Whether this is a thread of that process or a process below it.
pub(crate) fn belongs(process: Pid, number: i32) -> bool {
    let Some(one) = Pid::from_raw(number) else {
        return false;
    };
    let thread = |of: Pid| fs::exists(format!("/proc/{}/task/{number}", of.as_raw_pid()));
    one == process
        || thread(process).unwrap_or(false)
        || below(process)
            .into_iter()
            .any(|kin| kin == one || thread(kin).unwrap_or(false))
}

/// Whether anything of it runs. A process that has ended stays in the list until its parent
/// has asked for it; one whose first thread alone has ended looks just so, and goes on.
fn lives(process: Pid) -> bool {
    let one = format!("/proc/{}", process.as_raw_pid());
    if runs(Path::new(&one)) {
        return true;
    }
    let threads = fs::read_dir(Path::new(&one).join("task"));
    threads
        .into_iter()
        .flatten()
        .flatten()
        .any(|thread| runs(&thread.path()))
}

/// Whether a thread, or the first one of a process, has not ended.
fn runs(task: &Path) -> bool {
    !matches!(state(task), None | Some(b'Z' | b'X' | b'x'))
}

/// Whether a process stands still because of a signal or of somebody who traces it.
pub(crate) fn is_stopped(process: Pid) -> bool {
    let process = format!("/proc/{}", process.as_raw_pid());
    matches!(state(Path::new(&process)), Some(b'T' | b't'))
}

/// The letter for the state of a thread, or of the first one of a process: Linux,
/// proc_pid_stat(5). `None` where there is no such thread.
fn state(task: &Path) -> Option<u8> {
    // `7 (name, which may hold anything) S 1 ...`
    let stat = fs::read(task.join("stat")).ok()?;
    let name = stat.iter().rposition(|&b| b == b')')?;
    stat.get(name + 2).copied()
}

fn children(process: Pid) -> Vec<Pid> {
    let mut children = Vec::new();
    let tasks = format!("/proc/{}/task", process.as_raw_pid());
    for task in fs::read_dir(tasks).into_iter().flatten().flatten() {
        match fs::read_to_string(task.path().join("children")) {
            Ok(text) => children.extend(
                text.split_whitespace()
                    .filter_map(|word| Pid::from_raw(word.parse().ok()?)),
            ),
            // kernels can be built without that file
            Err(_) if task.path().exists() => return children_by_parent(process),
            Err(_) => {}
        }
    }
    children
}

/// The same from what every process says of its parent.
fn children_by_parent(process: Pid) -> Vec<Pid> {
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(number) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat
            .rsplit_once(") ")
            .and_then(|(_, rest)| rest.split(' ').nth(1)?.parse().ok());
        if parent == Some(process.as_raw_pid()) {
            children.extend(Pid::from_raw(number));
        }
    }
    children
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getpid;
    use std::process::{Child, Command, Stdio};

    fn pid(child: &Child) -> Pid {
        Pid::from_child(child)
    }

    #[test]
    fn a_child_is_found_both_ways_until_it_is_ended() {
        let mut child = Command::new("cat")
            .stdin(Stdio::piped())
            .spawn()
            .expect("there is a cat");
        let (us, it) = (getpid(), pid(&child));
        for list in [children(us), children_by_parent(us), below(us)] {
            assert!(list.contains(&it), "{list:?}");
        }
        assert!(belongs(us, it.as_raw_pid()) && belongs(it, it.as_raw_pid()));
        assert!(!belongs(it, us.as_raw_pid()));
        drop(child.stdin.take());
        // it is still in the list, and lives no more
        while lives(it) {
            std::thread::yield_now();
        }
        assert!(children(us).contains(&it) && !below(us).contains(&it));
        child.wait().expect("ours");
        assert!(!children(us).contains(&it));
    }
}
