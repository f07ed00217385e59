//! What becomes the program: a process of one thread that lays the cage on itself and then
//! runs the program in its own place.

use crate::control_socket::{ControlEvent, ControlMessage, ControlSocket};
use crate::launch_request::LaunchRequest;
use crate::{CageMode, Layer, LayerState, arch, layers, syscalls};
use rustix::process::{Signal, set_parent_process_death_signal, setsid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Never comes back when all goes well.
pub(crate) fn run(order: &LaunchRequest) -> io::Result<()> {
    let line = ControlSocket::from_input()?;
    let ControlEvent::Message(ControlMessage::Files, files) = line.hear() else {
        return Ok(());
    };
    let [input, output, errors] = &files[..] else {
        return Ok(());
    };
    dup2_stdin(input)?;
    dup2_stdout(output)?;
    dup2_stderr(errors)?;
    drop(files);
    match become_program(&line, order) {
        Ok(never) => match never {},
        Err(error) => {
            let number = error.raw_os_error().unwrap_or(0);
            line.say(&ControlMessage::Failed(number))?;
            Err(error)
        }
    }
}

/// Nothing.
enum NoReturn {}

fn become_program(line: &ControlSocket, order: &LaunchRequest) -> io::Result<NoReturn> {
    // From here on the line is the test of whether the warden is there: when it went before
    // this, saying something fails.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    setsid()?;
    // when memory runs out for all, this is what has to go; more than a wish it is not
    let _ = std::fs::write("/proc/self/oom_score_adj", "700");
    // a kernel that does not know this leaves open what we had open, which is nothing
    let _ = arch::close_the_rest();
    let mut states = layers::lay(order);
    let files = states.contains(&(Layer::Files, LayerState::Holds));
    if order.mode != CageMode::Off {
        let (state, ear) = syscalls::lay(order, files);
        states.push((Layer::Calls, state));
        if let Some(ear) = ear {
            line.hand(&ControlMessage::Files, &[ear.as_fd()])?;
        }
    }
    let lacking = order.mode.lacking(&states).is_some();
    for (layer, state) in states {
        line.say(&ControlMessage::Layer(layer, state))?;
    }
    if lacking {
        return Err(io::ErrorKind::Unsupported.into());
    }
    line.say(&ControlMessage::Ready)?;
    Err(Command::new(&order.program)
        .args(&order.arguments)
        .current_dir(&order.folder)
        .exec())
}
