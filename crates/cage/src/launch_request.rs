//! The launch request: what the supervisor is to run, passed as command-line arguments.
//!
//! Arguments are visible in process lists, which is intended: they show what runs here and
//! under which limits.

use crate::{CageMode, ResourceLimits};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::Duration;

/// A program and its sandbox.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LaunchRequest {
    pub(crate) mode: CageMode,
    pub(crate) limits: ResourceLimits,
    /// The CPU cores to run on; empty for all.
    pub(crate) cores: Vec<usize>,
    /// The working folder; absolute.
    pub(crate) folder: PathBuf,
    /// Files and folders that may be read and run besides the system's; absolute.
    pub(crate) readable: Vec<PathBuf>,
    /// The program; absolute.
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
}

impl LaunchRequest {
    /// The arguments that [`LaunchRequest::parse`] reads.
    pub(crate) fn to_arguments(&self) -> Vec<OsString> {
        let limits = &self.limits;
        let cores: Vec<_> = self.cores.iter().map(ToString::to_string).collect();
        let mut words: Vec<OsString> = vec![
            format!("mode={}", self.mode).into(),
            format!("memory={}", limits.memory).into(),
            format!("processes={}", limits.processes).into(),
            format!("file-size={}", limits.file_size).into(),
            format!("files={}", limits.files).into(),
            format!("cores={}", cores.join(",")).into(),
        ];
        words.extend(
            limits
                .cpu
                .map(|time| format!("cpu={}", time.as_millis()).into()),
        );
        let named = |name: &str, value: &OsStr| {
            let mut word = OsString::from(name);
            word.push(value);
            word
        };
        words.push(named("folder=", self.folder.as_os_str()));
        words.extend(self.readable.iter().map(|p| named("read=", p.as_os_str())));
        words.push("--".into());
        words.push(self.program.clone().into());
        words.extend(self.arguments.iter().cloned());
        words
    }

    /// `None` for arguments that [`LaunchRequest::to_arguments`] does not write.
    pub(crate) fn parse(mut words: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut request = Self {
            mode: CageMode::Strict,
            limits: ResourceLimits::default(),
            cores: Vec::new(),
            folder: PathBuf::new(),
            readable: Vec::new(),
            program: PathBuf::new(),
            arguments: Vec::new(),
        };
        loop {
            let word = words.next()?;
            if word == "--" {
                break;
            }
            request.parse_argument(word.as_bytes())?;
        }
        request.program = words.next()?.into();
        request.arguments = words.collect();
        Some(request)
    }

    fn parse_argument(&mut self, word: &[u8]) -> Option<()> {
        let at = word.iter().position(|&byte| byte == b'=')?;
        let (name, value) = (&word[..at], &word[at + 1..]);
        let path = || PathBuf::from(OsString::from_vec(value.to_vec()));
        let text = || std::str::from_utf8(value).ok();
        let number = || text()?.parse::<u64>().ok();
        let small = || u32::try_from(number()?).ok();
        match name {
            b"mode" => self.mode = text()?.parse().ok()?,
            b"memory" => self.limits.memory = number()?,
            b"cpu" => self.limits.cpu = Some(Duration::from_millis(number()?)),
            b"processes" => self.limits.processes = small()?,
            b"file-size" => self.limits.file_size = number()?,
            b"files" => self.limits.files = small()?,
            b"cores" => {
                let cores = text()?.split(',').filter(|core| !core.is_empty());
                self.cores = cores.map(str::parse).collect::<Result<_, _>>().ok()?;
            }
            b"folder" => self.folder = path(),
            b"read" => self.readable.push(path()),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_as_it_was_written() {
        let odd = OsString::from_vec(b"od\xffd=--\n".to_vec());
        let request = LaunchRequest {
            mode: CageMode::Best,
            limits: ResourceLimits {
                memory: u64::MAX,
                cpu: Some(Duration::from_millis(1500)),
                processes: 7,
                file_size: 0,
                files: 3,
            },
            cores: vec![0, 63, 64],
            folder: PathBuf::from(&odd),
            readable: vec!["/a b".into(), "--".into()],
            program: "/bin/--".into(),
            arguments: vec!["--".into(), "mode=off".into(), odd, "".into()],
        };
        assert_eq!(
            LaunchRequest::parse(request.to_arguments().into_iter()),
            Some(request.clone()),
            "{:?}",
            request.to_arguments()
        );
        let bare = LaunchRequest {
            limits: ResourceLimits::default(),
            cores: Vec::new(),
            readable: Vec::new(),
            arguments: Vec::new(),
            ..request
        };
        assert_eq!(
            LaunchRequest::parse(bare.to_arguments().into_iter()),
            Some(bare)
        );
    }

    #[test]
    fn other_arguments_are_no_request() {
        for words in [
            &["mode=strict"][..],
            &["--"],
            &["mode=soft", "--", "x"],
            &["sing", "--", "x"],
            &["cores=1,b", "--", "x"],
        ] {
            let words = words.iter().map(OsString::from);
            assert_eq!(LaunchRequest::parse(words.clone()), None, "{words:?}");
        }
    }
}
