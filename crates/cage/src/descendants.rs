//! The descendants of a process.
//!
//! The supervisor adopts orphans below it (`PR_SET_CHILD_SUBREAPER`, prctl(2)), so nothing that
//! a program starts can leave this tree.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;

/// All living descendants; a parent comes before its children.
pub(crate) fn list(process: Pid) -> Vec<Pid> {
    let mut descendants = Vec::new();
    let mut parents = vec![process];
    while let Some(parent) = parents.pop() {
        for child in children(parent) {
            parents.push(child);
            if is_alive(child) {
                descendants.push(child);
            }
        }
    }
    descendants
}

/// Kills all descendants.
pub(crate) fn kill_all(process: Pid) {
    for one in list(process) {
        // the only possible failure: it has ended meanwhile
        let _ = kill_process(one, Signal::KILL);
    }
}

/// Whether this id is a thread or process of that process or one of its descendants.
pub(crate) fn contains(process: Pid, number: i32) -> bool {
    let Some(one) = Pid::from_raw(number) else {
        return false;
    };
    let thread = |of: Pid| fs::exists(format!("/proc/{}/task/{number}", of.as_raw_pid()));
    one == process
        || thread(process).unwrap_or(false)
        || list(process)
            .into_iter()
            .any(|descendant| descendant == one || thread(descendant).unwrap_or(false))
}

/// Whether any of its threads runs. An unreaped process stays in the list as a zombie; so does
/// one whose main thread alone has exited, which still runs.
fn is_alive(process: Pid) -> bool {
    let one = format!("/proc/{}", process.as_raw_pid());
    if is_running(Path::new(&one)) {
        return true;
    }
    let threads = fs::read_dir(Path::new(&one).join("task"));
    threads
        .into_iter()
        .flatten()
        .flatten()
        .any(|thread| is_running(&thread.path()))
}

/// Whether a thread, or the main thread of a process, has not exited.
fn is_running(task: &Path) -> bool {
    !matches!(state(task), None | Some(b'Z' | b'X' | b'x'))
}

/// Whether a process is stopped by a signal or a tracer.
pub(crate) fn is_stopped(process: Pid) -> bool {
    let process = format!("/proc/{}", process.as_raw_pid());
    matches!(state(Path::new(&process)), Some(b'T' | b't'))
}

/// The state letter of a thread, or of the main thread of a process: Linux, proc_pid_stat(5).
/// `None` where there is no such thread.
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
            // the file depends on CONFIG_PROC_CHILDREN
            Err(_) if task.path().exists() => return children_by_parent(process),
            Err(_) => {}
        }
    }
    children
}

/// The children found by the parent id of every process in /proc.
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
        for list in [children(us), children_by_parent(us), list(us)] {
            assert!(list.contains(&it), "{list:?}");
        }
        assert!(contains(us, it.as_raw_pid()) && contains(it, it.as_raw_pid()));
        assert!(!contains(it, us.as_raw_pid()));
        drop(child.stdin.take());
        // it is an unreaped zombie
        while is_alive(it) {
            std::thread::yield_now();
        }
        assert!(children(us).contains(&it) && !list(us).contains(&it));
        child.wait().expect("ours");
        assert!(!children(us).contains(&it));
    }
}
