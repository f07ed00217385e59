//! The control socket between the caller and the supervisor, and between the supervisor and its
//! child.
//!
//! It is a pair of `SOCK_SEQPACKET` sockets, which keep message boundaries. It also detects
//! death: when one end's owner exits, in whatever way, the other end sees it closed. Open files
//! are passed along it (`SCM_RIGHTS`), so that nothing has to be inherited: a process that
//! another thread starts at the same time cannot obtain them.

use crate::{CageRefusal, ExitCause, ExitReport, Layer, LayerState};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg,
    sendmsg, socketpair,
};
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Longest message in bytes; longer ones are truncated.
const MAX_MESSAGE_LENGTH: usize = 4096;

/// One end of a control socket.
#[derive(Debug)]
pub(crate) struct ControlSocket(OwnedFd);

/// A message on the control socket.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ControlMessage {
    /// Carries the program's stdin, stdout and stderr, or the seccomp listener.
    Files,
    /// The state of a layer.
    Layer(Layer, LayerState),
    /// The program is about to be executed; if the socket closes after this, it runs.
    Ready,
    /// The program runs with this process id.
    Started(u32),
    /// The program was not started: an errno, or 0 where a required layer is missing.
    Failed(i32),
    /// The sandbox refused something.
    Refused(CageRefusal),
    /// The program has ended; all refusals were sent before.
    Ended(ExitReport),
    /// Kill the program.
    End,
}

/// What a receive call found.
#[derive(Debug)]
pub(crate) enum ControlEvent {
    /// A message and the files that came with it.
    Message(ControlMessage, Vec<OwnedFd>),
    /// No message is waiting.
    Nothing,
    /// The other end is closed.
    Closed,
}

impl ControlSocket {
    /// Creates both ends.
    pub(crate) fn pair() -> rustix::io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )?;
        Ok((Self(ours), theirs))
    }

    /// The end that this process was given as stdin. Stdin itself is left open for the caller
    /// to replace.
    pub(crate) fn from_input() -> rustix::io::Result<Self> {
        let end = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
        Ok(Self(end))
    }

    /// Sends a message; blocks while the socket's buffer is full.
    pub(crate) fn send(&self, message: &ControlMessage) -> rustix::io::Result<()> {
        self.send_message(message, &[], SendFlags::NOSIGNAL)
    }

    /// Sends a message without blocking; returns false if the buffer is full.
    pub(crate) fn try_send(&self, message: &ControlMessage) -> bool {
        let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
        self.send_message(message, &[], flags) != Err(Errno::AGAIN)
    }

    /// Sends a message with at most three open files.
    pub(crate) fn send_with_files(
        &self,
        message: &ControlMessage,
        files: &[BorrowedFd],
    ) -> rustix::io::Result<()> {
        self.send_message(message, files, SendFlags::NOSIGNAL)
    }

    fn send_message(
        &self,
        message: &ControlMessage,
        files: &[BorrowedFd],
        flags: SendFlags,
    ) -> rustix::io::Result<()> {
        let bytes = message.encode();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !files.is_empty() {
            control.push(SendAncillaryMessage::ScmRights(files));
        }
        sendmsg(&self.0, &[IoSlice::new(&bytes)], &mut control, flags).map(|_| ())
    }

    /// The next message, if one is waiting.
    pub(crate) fn try_receive(&self) -> ControlEvent {
        self.receive_message(RecvFlags::DONTWAIT)
    }

    /// Blocks until a message comes or the other end is closed.
    pub(crate) fn receive(&self) -> ControlEvent {
        self.receive_message(RecvFlags::empty())
    }

    fn receive_message(&self, flags: RecvFlags) -> ControlEvent {
        let mut bytes = [0; MAX_MESSAGE_LENGTH];
        loop {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
            let mut control = RecvAncillaryBuffer::new(&mut space);
            let flags = flags | RecvFlags::CMSG_CLOEXEC;
            let received = recvmsg(
                &self.0,
                &mut [IoSliceMut::new(&mut bytes)],
                &mut control,
                flags,
            );
            let (length, whole) = match received {
                Ok(received) => (received.bytes, !received.flags.contains(ReturnFlags::TRUNC)),
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => return ControlEvent::Nothing,
                Err(_) => return ControlEvent::Closed,
            };
            let files = control.drain().filter_map(|message| match message {
                RecvAncillaryMessage::ScmRights(files) => Some(files),
                _ => None,
            });
            let files: Vec<OwnedFd> = files.flatten().collect();
            // no message is empty: this is end of file
            if length == 0 {
                return ControlEvent::Closed;
            }
            if let Some(message) = ControlMessage::decode(&bytes[..length]).filter(|_| whole) {
                return ControlEvent::Message(message, files);
            }
        }
    }
}

impl AsFd for ControlSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl ControlMessage {
    /// A keyword, its numbers, and for some messages a text, separated by blanks.
    fn encode(&self) -> Vec<u8> {
        let text = match self {
            Self::Files => "files".into(),
            Self::Layer(layer, state) => {
                let at = Layer::ALL.iter().position(|one| one == layer);
                let at = at.expect("all layers are among all of them");
                match state {
                    LayerState::Holds => format!("holds {at}"),
                    LayerState::Off => format!("off {at}"),
                    LayerState::Missing(why) => format!("missing {at} {why}"),
                }
            }
            Self::Ready => "ready".into(),
            Self::Started(id) => format!("started {id}"),
            Self::Failed(number) => format!("failed {number}"),
            Self::Refused(CageRefusal { what, times }) => format!("refused {times} {what}"),
            Self::Ended(ended) => {
                let (how, number) = match ended.cause {
                    ExitCause::Code(code) => ("code", code),
                    ExitCause::Signal(signal) => ("signal", signal),
                    ExitCause::Killed => ("killed", 0),
                };
                let (left, peak, cpu) = (
                    ended.killed_descendants,
                    ended.peak_memory,
                    ended.cpu.as_micros(),
                );
                format!("{how} {number} {left} {peak} {cpu}")
            }
            Self::End => "end".into(),
        };
        let mut bytes = text.into_bytes();
        bytes.truncate(MAX_MESSAGE_LENGTH);
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        // truncation may have split a UTF-8 sequence
        let text = String::from_utf8_lossy(bytes);
        let (word, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let (first, tail) = rest.split_once(' ').unwrap_or((rest, ""));
        let layer = || Layer::ALL.get(first.parse::<usize>().ok()?).copied();
        Some(match word {
            "files" => Self::Files,
            "holds" => Self::Layer(layer()?, LayerState::Holds),
            "off" => Self::Layer(layer()?, LayerState::Off),
            "missing" => Self::Layer(layer()?, LayerState::Missing(tail.into())),
            "ready" => Self::Ready,
            "started" => Self::Started(first.parse().ok()?),
            "failed" => Self::Failed(first.parse().ok()?),
            "refused" => Self::Refused(CageRefusal {
                what: tail.into(),
                times: first.parse().ok()?,
            }),
            "code" => parse_ended(ExitCause::Code(first.parse().ok()?), tail)?,
            "signal" => parse_ended(ExitCause::Signal(first.parse().ok()?), tail)?,
            "killed" => parse_ended(ExitCause::Killed, tail)?,
            "end" => Self::End,
            _ => return None,
        })
    }
}

fn parse_ended(cause: ExitCause, numbers: &str) -> Option<ControlMessage> {
    let mut numbers = numbers.split(' ').map(str::parse::<u64>);
    let mut number = || numbers.next()?.ok();
    Some(ControlMessage::Ended(ExitReport {
        cause,
        killed_descendants: u32::try_from(number()?).ok()?,
        peak_memory: number()?,
        cpu: Duration::from_micros(number()?),
        refusals: Vec::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended_message(cause: ExitCause) -> ControlMessage {
        ControlMessage::Ended(ExitReport {
            cause,
            killed_descendants: 3,
            peak_memory: 1 << 40,
            cpu: Duration::from_micros(1_234_567),
            refusals: Vec::new(),
        })
    }

    #[test]
    fn what_is_said_is_heard() {
        let (near, far) = ControlSocket::pair().expect("sockets");
        let far = ControlSocket(far);
        let refusal = CageRefusal {
            what: "to read /a b\nc".into(),
            times: 1000,
        };
        let rows = [
            ControlMessage::Files,
            ControlMessage::Layer(Layer::Group, LayerState::Holds),
            ControlMessage::Layer(Layer::Calls, LayerState::Off),
            ControlMessage::Layer(Layer::Files, LayerState::Missing("no such call: 38".into())),
            ControlMessage::Ready,
            ControlMessage::Started(77),
            ControlMessage::Failed(2),
            ControlMessage::Refused(refusal),
            ended_message(ExitCause::Code(-1)),
            ended_message(ExitCause::Signal(9)),
            ended_message(ExitCause::Killed),
            ControlMessage::End,
        ];
        for message in rows {
            assert!(near.try_send(&message));
            match far.receive() {
                ControlEvent::Message(heard, files) => {
                    assert_eq!(heard, message);
                    assert!(files.is_empty());
                }
                other => panic!("{message:?}: {other:?}"),
            }
        }
        assert!(matches!(far.try_receive(), ControlEvent::Nothing));
        drop(near);
        assert!(matches!(far.try_receive(), ControlEvent::Closed));
    }

    #[test]
    fn files_go_along_and_do_not_survive_a_new_program() {
        let (near, far) = ControlSocket::pair().expect("sockets");
        let far = ControlSocket(far);
        let (read, write) = rustix::pipe::pipe().expect("a pipe");
        near.send_with_files(&ControlMessage::Files, &[read.as_fd(), write.as_fd()])
            .expect("handed over");
        let ControlEvent::Message(ControlMessage::Files, files) = far.receive() else {
            panic!("nothing came");
        };
        assert_eq!(files.len(), 2);
        for file in &files {
            let flags = rustix::io::fcntl_getfd(file).expect("open");
            assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));
        }
        rustix::io::write(&files[1], b"x").expect("room");
        let mut byte = [0];
        assert_eq!(rustix::io::read(&read, &mut byte), Ok(1));
    }

    #[test]
    fn a_name_that_is_too_long_is_cut() {
        let (near, far) = ControlSocket::pair().expect("sockets");
        let what = "ä".repeat(MAX_MESSAGE_LENGTH);
        assert!(near.try_send(&ControlMessage::Refused(CageRefusal { what, times: 1 })));
        let ControlEvent::Message(ControlMessage::Refused(refusal), _) =
            ControlSocket(far).receive()
        else {
            panic!("nothing came");
        };
        assert!(refusal.what.starts_with("ää") && refusal.what.len() <= MAX_MESSAGE_LENGTH);
    }
}
