//! A session on a bench: commands as text, questions and errors as text.

use grid::Point;
use session::file_access::{FileAccess, Files};
use session::{Command, CommandRefusal, CommandReply, Session, Viewer};
use std::path::Path;

/// A session with one viewer.
pub(crate) struct SessionBench {
    pub(crate) session: Session,
    pub(crate) viewer: Viewer,
}

impl SessionBench {
    pub(crate) fn new() -> Self {
        Self::at(FileAccess::default())
    }

    pub(crate) fn at(file_access: FileAccess) -> Self {
        Self {
            session: Session::new(file_access, 1),
            viewer: Viewer::new(640, 480),
        }
    }

    pub(crate) fn in_folder(folder: &Path) -> Self {
        let mut file_access = FileAccess::default();
        file_access.files = Files::Folder(folder.to_path_buf());
        Self::at(file_access)
    }

    /// Does commands, one a line or between semicolons, each to its end.
    #[track_caller]
    pub(crate) fn all(&mut self, commands: &str) -> CommandReply {
        let mut last = CommandReply::default();
        for text in commands
            .split([';', '\n'])
            .map(str::trim)
            .filter(|t| !t.is_empty())
        {
            match self.one(text) {
                Ok(reply) => last = reply,
                Err(refusal) => panic!("{text}: {refusal}"),
            }
        }
        last
    }

    /// Does one command, to its end.
    pub(crate) fn one(&mut self, text: &str) -> Result<CommandReply, CommandRefusal> {
        let command: Command = text.parse()?;
        let reply = self.session.apply(&mut self.viewer, &command)?;
        self.session.finish_going();
        Ok(reply)
    }

    /// What a refused command says.
    #[track_caller]
    pub(crate) fn refused(&mut self, text: &str) -> String {
        match self.one(text) {
            Ok(reply) => panic!("{text} was done: {reply:?}"),
            Err(refusal) => refusal.to_string(),
        }
    }

    /// The live cells with their states, row by row.
    pub(crate) fn cells(&self) -> Vec<(i64, i64, u8)> {
        let mut cells = Vec::new();
        self.session.world().cells().for_each_run(&mut |run| {
            let columns = run.x..run.x + run.length as i64;
            cells.extend(columns.map(|x| (x, run.y, run.state)));
        });
        cells
    }

    /// A part of the sheet as text: `.` empty, `o` or the state's digit.
    pub(crate) fn picture(&self, x: i64, y: i64, width: i64, height: i64) -> String {
        let sign = |state: u8| match state {
            0 => '.',
            1 => 'o',
            n => char::from(b'0' + n),
        };
        let row = |y| -> String {
            let cell = |x| sign(self.session.world().get(Point::new(x, y)));
            (x..x + width).map(cell).collect()
        };
        (y..y + height).map(row).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn generation(&self) -> i64 {
        self.session.world().generation().try_into().unwrap()
    }

    pub(crate) fn population(&self) -> u64 {
        self.session.world().population().try_into().unwrap()
    }
}

#[test]
fn the_bench_does_commands_in_order() {
    let mut bench = SessionBench::new();
    bench.all("set 0,0 1; set 1,0 1\n set 2,0 1; step 1");
    assert_eq!(bench.picture(0, -1, 3, 3), ".o.\n.o.\n.o.");
    assert_eq!(bench.generation(), 1);
}
