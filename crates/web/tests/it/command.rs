//! Every command can be sent from a tab, and does there what it does to a session that is
//! told directly.

use crate::client::{TestServer, TestTab, options};
use serde_json::Value;
use session::command::ALL;
use session::file_access::FileAccess;
use session::{Command, Session, Viewer};

/// A world with something in it, selected, copied, changed and run, so that few commands
/// have nothing to do.
const BEGINNING: [&str; 10] = [
    "stop",
    "anyway open gosper-glider-gun",
    "select 0,0 10x9",
    "copy",
    "flip 30,30",
    "undo",
    "step 3",
    "cursor 3,4",
    "zoom 4",
    "select 0,0 10x9",
];

/// A session that is given commands directly.
struct DirectSession(Session, Viewer);

impl DirectSession {
    /// Whether it was done.
    fn apply(&mut self, text: &str) -> bool {
        let command: Command = text.parse().unwrap();
        let done = self.0.apply(&mut self.1, &command);
        self.0.finish_going();
        done.is_ok()
    }

    fn status(&self) -> Value {
        comparable(serde_json::to_value(self.0.status(&self.1)).unwrap())
    }
}

/// Without what goes on by itself while it runs, and what was measured.
fn comparable(mut status: Value) -> Value {
    let runs = status["running"] == true;
    let Some(fields) = status.as_object_mut() else {
        return Value::Null;
    };
    fields.remove("measured");
    // it tells what took how long
    fields.remove("why");
    // checkpoints are kept by the clock
    fields.remove("timeline");
    if runs {
        for name in [
            "engine",
            "generation",
            "population",
            "bounds",
            "can",
            "changes",
            "stride",
            "viewer",
            "change",
        ] {
            fields.remove(name);
        }
    }
    status
}

#[tokio::test]
async fn every_command_can_be_sent() {
    for entry in ALL {
        for example in entry.examples {
            let server = TestServer::start(options());
            let mut tab = TestTab::of(server.address, 640, 480).await;
            let mut twin = DirectSession(
                Session::new(FileAccess::default(), 0),
                Viewer::new(640, 480),
            );
            for command in BEGINNING {
                tab.expect_ok(command).await;
                assert!(twin.apply(command), "{command}");
                // a way to a generation is gone to its end
                tab.status_with(|status| status["going"].is_null()).await;
            }
            let expected = twin.status();
            tab.status_with(|status| same(status, &expected)).await;
            let reply = tab.command(example).await;
            assert_eq!(reply["ok"], twin.apply(example), "{example}: {reply}");
            let expected = twin.status();
            tab.status_with(|status| same(status, &expected)).await;
        }
    }
}

/// Whether a tab's status says all that this one does.
fn same(received: &Value, expected: &Value) -> bool {
    let received = comparable(received.clone());
    let Some(fields) = expected.as_object() else {
        return false;
    };
    fields.iter().all(|(name, value)| received[name] == *value)
}
