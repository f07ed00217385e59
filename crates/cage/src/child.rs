//! The child process: it has one thread, applies the sandbox to itself and then executes the
//! program.

use crate::control_socket::{ControlEvent, ControlMessage, ControlSocket};
use crate::launch_request::LaunchRequest;
use crate::{CageMode, Layer, LayerState, arch, layers, syscalls};
use rustix::process::{Signal, set_parent_process_death_signal, setsid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The name (argv[0]) of this helper process; no other process has it.
pub(crate) const NAME: &str = "gridpaper:inner";

/// Does not return on success.
pub(crate) fn run(request: &LaunchRequest) -> io::Result<()> {
    let socket = ControlSocket::from_input()?;
    let ControlEvent::Message(ControlMessage::Files, files) = socket.receive() else {
        return Ok(());
    };
    let [input, output, errors] = &files[..] else {
        return Ok(());
    };
    dup2_stdin(input)?;
    dup2_stdout(output)?;
    dup2_stderr(errors)?;
    drop(files);
    match exec_program(&socket, request) {
        Ok(never) => match never {},
        Err(error) => {
            let number = error.raw_os_error().unwrap_or(0);
            socket.send(&ControlMessage::Failed(number))?;
            Err(error)
        }
    }
}

/// An uninhabited type: `exec` does not return.
enum NoReturn {}

fn exec_program(socket: &ControlSocket, request: &LaunchRequest) -> io::Result<NoReturn> {
    // From here on the socket shows whether the supervisor is alive: if it ended before this
    // call, sending fails.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    setsid()?;
    // Makes the kernel's OOM killer prefer this process; failure is harmless.
    let _ = std::fs::write("/proc/self/oom_score_adj", "700");
    // Older kernels lack close_range(2); nothing else is open then.
    let _ = arch::close_inherited_on_exec();
    let mut states = layers::apply(request);
    let files = states.contains(&(Layer::Files, LayerState::Holds));
    if request.mode != CageMode::Off {
        let (state, listener) = syscalls::install_filter(request, files);
        states.push((Layer::Calls, state));
        if let Some(listener) = listener {
            socket.send_with_files(&ControlMessage::Files, &[listener.as_fd()])?;
        }
    }
    let lacks_layer = request.mode.lacking(&states).is_some();
    for (layer, state) in states {
        socket.send(&ControlMessage::Layer(layer, state))?;
    }
    if lacks_layer {
        return Err(io::ErrorKind::Unsupported.into());
    }
    socket.send(&ControlMessage::Ready)?;
    Err(Command::new(&request.program)
        .args(&request.arguments)
        .current_dir(&request.folder)
        .exec())
}
