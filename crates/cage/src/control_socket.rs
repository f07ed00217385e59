//! The line between us and the warden, and between the warden and what becomes the program.
//!
//! It is a pair of sockets that keep messages apart. It is the leash too: when one end is
//! closed, by whatever end its owner came to, the other end sees it. Open files go along
//! it, so that nothing has to be inherited: a process that another thread starts at the
//! same time cannot get hold of what is not its own.

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

/// The longest message; what does not fit is cut off.
const LONGEST: usize = 4096;

/// One end of it.
#[derive(Debug)]
pub(crate) struct ControlSocket(OwnedFd);

/// What is said along it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ControlMessage {
    /// The program's input, output and errors come with this; or the ear for its calls.
    Files,
    /// A layer, as it was laid on.
    Layer(Layer, LayerState),
    /// The program is about to be run; when the line ends after this, it runs.
    Ready,
    /// The program runs, as this process.
    Started(u32),
    /// It was not run: an error number, or 0 where a strict cage lacks a layer.
    Failed(i32),
    /// Something was refused.
    Refused(CageRefusal),
    /// It has ended. The refusals have gone ahead.
    Ended(ExitReport),
    /// End it.
    End,
}

/// What was heard.
#[derive(Debug)]
pub(crate) enum ControlEvent {
    /// A message and what came with it.
    Message(ControlMessage, Vec<OwnedFd>),
    /// Nothing yet.
    Nothing,
    /// The other end is closed.
    Closed,
}

impl ControlSocket {
    /// Both ends.
    pub(crate) fn pair() -> rustix::io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )?;
        Ok((Self(ours), theirs))
    }

    /// The end that this process was given as its input. The input itself is left for
    /// somebody else to replace.
    pub(crate) fn from_input() -> rustix::io::Result<Self> {
        let end = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
        Ok(Self(end))
    }

    /// Says something, and waits for room.
    pub(crate) fn say(&self, message: &ControlMessage) -> rustix::io::Result<()> {
        self.send(message, &[], SendFlags::NOSIGNAL)
    }

    /// Says something; whether there was room.
    pub(crate) fn try_say(&self, message: &ControlMessage) -> bool {
        let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
        self.send(message, &[], flags) != Err(Errno::AGAIN)
    }

    /// Says something, and hands over at most three open files with it.
    pub(crate) fn hand(
        &self,
        message: &ControlMessage,
        files: &[BorrowedFd],
    ) -> rustix::io::Result<()> {
        self.send(message, files, SendFlags::NOSIGNAL)
    }

    fn send(
        &self,
        message: &ControlMessage,
        files: &[BorrowedFd],
        flags: SendFlags,
    ) -> rustix::io::Result<()> {
        let bytes = message.encode();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut with = SendAncillaryBuffer::new(&mut space);
        if !files.is_empty() {
            with.push(SendAncillaryMessage::ScmRights(files));
        }
        sendmsg(&self.0, &[IoSlice::new(&bytes)], &mut with, flags).map(|_| ())
    }

    /// The next message, if there is one.
    pub(crate) fn try_hear(&self) -> ControlEvent {
        self.receive(RecvFlags::DONTWAIT)
    }

    /// The next message, or the line's end.
    pub(crate) fn hear(&self) -> ControlEvent {
        self.receive(RecvFlags::empty())
    }

    fn receive(&self, flags: RecvFlags) -> ControlEvent {
        let mut bytes = [0; LONGEST];
        loop {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
            let mut with = RecvAncillaryBuffer::new(&mut space);
            let flags = flags | RecvFlags::CMSG_CLOEXEC;
            let got = recvmsg(
                &self.0,
                &mut [IoSliceMut::new(&mut bytes)],
                &mut with,
                flags,
            );
            let (length, whole) = match got {
                Ok(got) => (got.bytes, !got.flags.contains(ReturnFlags::TRUNC)),
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => return ControlEvent::Nothing,
                Err(_) => return ControlEvent::Closed,
            };
            let files = with.drain().filter_map(|message| match message {
                RecvAncillaryMessage::ScmRights(files) => Some(files),
                _ => None,
            });
            let files: Vec<OwnedFd> = files.flatten().collect();
            // no message is empty
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
    /// A word, its numbers, and at the end of some a text, each after a blank.
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
                let (how, number) = match ended.how {
                    ExitCause::Code(code) => ("code", code),
                    ExitCause::Signal(signal) => ("signal", signal),
                    ExitCause::Killed => ("killed", 0),
                };
                let (left, peak, cpu) = (ended.left, ended.peak_memory, ended.cpu.as_micros());
                format!("{how} {number} {left} {peak} {cpu}")
            }
            Self::End => "end".into(),
        };
        let mut bytes = text.into_bytes();
        bytes.truncate(LONGEST);
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        // a long name may have been cut within a letter
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
            "code" => ended(ExitCause::Code(first.parse().ok()?), tail)?,
            "signal" => ended(ExitCause::Signal(first.parse().ok()?), tail)?,
            "killed" => ended(ExitCause::Killed, tail)?,
            "end" => Self::End,
            _ => return None,
        })
    }
}

fn ended(how: ExitCause, numbers: &str) -> Option<ControlMessage> {
    let mut numbers = numbers.split(' ').map(str::parse::<u64>);
    let mut number = || numbers.next()?.ok();
    Some(ControlMessage::Ended(ExitReport {
        how,
        left: u32::try_from(number()?).ok()?,
        peak_memory: number()?,
        cpu: Duration::from_micros(number()?),
        refusals: Vec::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(how: ExitCause) -> ControlMessage {
        ControlMessage::Ended(ExitReport {
            how,
            left: 3,
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
            ended(ExitCause::Code(-1)),
            ended(ExitCause::Signal(9)),
            ended(ExitCause::Killed),
            ControlMessage::End,
        ];
        for message in rows {
            assert!(near.try_say(&message));
            match far.hear() {
                ControlEvent::Message(heard, files) => {
                    assert_eq!(heard, message);
                    assert!(files.is_empty());
                }
                other => panic!("{message:?}: {other:?}"),
            }
        }
        assert!(matches!(far.try_hear(), ControlEvent::Nothing));
        drop(near);
        assert!(matches!(far.try_hear(), ControlEvent::Closed));
    }

    #[test]
    fn files_go_along_and_do_not_survive_a_new_program() {
        let (near, far) = ControlSocket::pair().expect("sockets");
        let far = ControlSocket(far);
        let (read, write) = rustix::pipe::pipe().expect("a pipe");
        near.hand(&ControlMessage::Files, &[read.as_fd(), write.as_fd()])
            .expect("handed over");
        let ControlEvent::Message(ControlMessage::Files, files) = far.hear() else {
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
        let what = "ä".repeat(LONGEST);
        assert!(near.try_say(&ControlMessage::Refused(CageRefusal { what, times: 1 })));
        let ControlEvent::Message(ControlMessage::Refused(refusal), _) = ControlSocket(far).hear()
        else {
            panic!("nothing came");
        };
        assert!(refusal.what.starts_with("ää") && refusal.what.len() <= LONGEST);
    }
}
