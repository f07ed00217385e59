//! What becomes of a world that nobody watches, and of one that breaks down.

use super::*;
use crate::tab_message_queue::TabUpdate;
use serde_json::Value;
use session::file_access::FileAccess;
use tokio::sync::Semaphore;

/// A tab whose news are read one after the other.
struct WorkbenchTestTab {
    line: WorkbenchHandle,
    outbox: Arc<TabMessageQueue>,
    places: Arc<Semaphore>,
    last: u64,
}

impl WorkbenchTestTab {
    fn join(line: &WorkbenchHandle) -> Self {
        let outbox = Arc::new(TabMessageQueue::default());
        let joined = WorkbenchRequest::Join {
            tab: 1,
            outbox: Arc::clone(&outbox),
        };
        line.send(joined).unwrap();
        Self {
            line: line.clone(),
            outbox,
            places: Arc::new(Semaphore::new(4)),
            last: 0,
        }
    }

    async fn send(&mut self, text: &str) {
        self.last += 1;
        let place = Arc::clone(&self.places).acquire_owned().await.unwrap();
        let message = TabMessage::Do {
            text: text.into(),
            id: self.last,
        };
        let said = WorkbenchRequest::Said {
            tab: 1,
            message,
            place,
        };
        self.line.send(said).unwrap();
    }

    /// The next text with this key; none when the tab is closed before.
    async fn hear(&self, key: &str) -> Option<Value> {
        loop {
            match self.outbox.next().await {
                TabUpdate::Text(text) => {
                    let mut told: Value = serde_json::from_str(&text).unwrap();
                    if let Some(value) = told.get_mut(key) {
                        return Some(value.take());
                    }
                }
                TabUpdate::Frame(_) => {}
                TabUpdate::End(_) => return None,
            }
        }
    }

    async fn done(&mut self, text: &str) -> Value {
        self.send(text).await;
        self.hear("reply").await.unwrap()
    }

    async fn cells(&self) -> String {
        let saved = self.line.ask(|answer| WorkbenchRequest::Save {
            format: Format::Rle,
            name: "x.rle".into(),
            is_shared: true,
            answer,
        });
        let bytes = saved.await.unwrap().unwrap().bytes;
        String::from_utf8(bytes).unwrap()
    }
}

fn bench(draft: Option<DraftFile>) -> WorkbenchSetup {
    WorkbenchSetup {
        session: Session::new(FileAccess::default(), 1),
        note: None,
        starts_running: false,
        was_touched: false,
        draft,
        seed: 1,
    }
}

#[tokio::test]
async fn a_panic_ends_the_session_and_not_the_workbench() {
    let folder = tempfile::tempdir().unwrap();
    let place = DraftFile::find(folder.path(), "serve", true).unwrap();
    let (line, ended) = start(bench(Some(place))).unwrap();
    let mut page = WorkbenchTestTab::join(&line);
    assert_eq!(page.done("draw 1 3,4 5,4").await["ok"], true);
    line.send(WorkbenchRequest::Panic).unwrap();
    let told = page.hear("error").await.unwrap();
    let told = told.as_str().unwrap();
    assert!(told.contains("broke down over “draw 1 3,4 5,4”: as it was asked to"));
    assert!(told.contains("The sheet is as it was last known"));
    assert!(page.cells().await.contains("3o!"));
    // and it goes on
    assert_eq!(page.done("draw 1 3,5 5,5").await["ok"], true);
    assert!(page.cells().await.contains("3o$3o!"));
    line.send(WorkbenchRequest::Stop).unwrap();
    assert_eq!(ended.await.unwrap(), Ok(()));
    let draft = std::fs::read(folder.path().join("serve.draft")).unwrap();
    assert!(String::from_utf8(draft).unwrap().contains("3o$3o!"));
}

#[tokio::test]
async fn a_world_that_breaks_down_again_is_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    let place = DraftFile::find(folder.path(), "serve", true).unwrap();
    let (line, ended) = start(bench(Some(place))).unwrap();
    let mut page = WorkbenchTestTab::join(&line);
    assert_eq!(page.done("draw 1 3,4 5,4").await["ok"], true);
    // a draft that is on disk
    while !folder.path().join("serve.draft").exists() {
        tokio::task::yield_now().await;
    }
    line.send(WorkbenchRequest::Panic).unwrap();
    line.send(WorkbenchRequest::Panic).unwrap();
    page.hear("error").await.unwrap();
    let told = page.hear("error").await.unwrap();
    assert!(told.as_str().unwrap().ends_with("the sheet is empty now"));
    assert!(!page.cells().await.contains("3o"));
    let kept = std::fs::read(folder.path().join("serve.kept-1.draft")).unwrap();
    assert!(String::from_utf8(kept).unwrap().contains("3o!"));
    // a third time in a row is one too many: the tabs are told, and the thread ends
    line.send(WorkbenchRequest::Panic).unwrap();
    assert_eq!(page.hear("nothing more").await, None);
    assert!(ended.await.unwrap().is_err());
    let answer = line.ask(|answer| WorkbenchRequest::Clip { answer }).await;
    assert_eq!(answer, Err(WorkbenchError::Ended));
}

fn workbench() -> WorkbenchThread {
    set_up(bench(None)).unwrap().1
}

impl WorkbenchThread {
    fn ask(&mut self, request: WorkbenchRequest) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        self.stops.fetch_add(1, Ordering::SeqCst);
        if !request.is_stop() {
            self.stops.fetch_sub(1, Ordering::SeqCst);
        }
        assert!(self.heed(request));
    }

    fn come(&mut self, tab: u64) {
        let outbox = Arc::default();
        self.ask(WorkbenchRequest::Join { tab, outbox });
    }

    fn say(&mut self, tab: u64, text: &str) {
        let place = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        let message = TabMessage::Do {
            text: text.into(),
            id: 1,
        };
        self.ask(WorkbenchRequest::Said {
            tab,
            message,
            place,
        });
    }
}

/// Issue 28: a world went on for ten minutes after the last tab had gone.
#[test]
fn a_world_that_nobody_watches_is_paused_until_somebody_comes() {
    let mut bench = workbench();
    bench.come(1);
    bench.come(2);
    bench.say(1, "open glider");
    bench.say(1, "run");
    let start = Instant::now();
    let hour = Duration::from_secs(3600);
    let minute = Duration::from_secs(60);
    bench.ask(WorkbenchRequest::Leave { tab: 1 });
    bench.rest_unless_watched(start + hour);
    assert!(bench.session.is_busy(), "a tab is there still");
    bench.ask(WorkbenchRequest::Leave { tab: 2 });
    // a page that is loaded anew finds it running
    bench.rest_unless_watched(start + hour + Duration::from_secs(1));
    assert!(bench.session.is_busy());
    bench.rest_unless_watched(start + hour + minute);
    assert!(!bench.session.is_busy(), "it runs, and nobody watches");
    bench.come(3);
    assert!(bench.session.is_busy(), "it ran before");
    // what was stopped stays so
    bench.say(3, "stop");
    bench.ask(WorkbenchRequest::Leave { tab: 3 });
    bench.rest_unless_watched(start + hour + 3 * minute);
    bench.come(4);
    assert!(!bench.session.is_busy());
}

#[test]
fn another_world_does_not_run_because_the_one_before_did() {
    let mut bench = workbench();
    bench.come(1);
    bench.say(1, "open glider");
    bench.say(1, "run");
    bench.ask(WorkbenchRequest::Leave { tab: 1 });
    bench.rest_unless_watched(Instant::now() + Duration::from_secs(60));
    let (answer, _) = oneshot::channel();
    let found = FileAccess::default().read("a.rle", b"3o!", None).unwrap();
    let load = WorkbenchRequest::Load {
        found: Box::new(found),
        anyway: true,
        answer,
    };
    bench.ask(load);
    bench.come(2);
    assert!(!bench.session.is_busy());
}

#[test]
fn what_is_on_its_way_to_a_generation_goes_on_unwatched() {
    let mut bench = workbench();
    bench.come(1);
    bench.say(1, "open glider");
    bench.say(1, "goto 1000000");
    assert!(bench.session.is_busy());
    bench.ask(WorkbenchRequest::Leave { tab: 1 });
    bench.rest_unless_watched(Instant::now() + Duration::from_secs(60));
    assert!(bench.session.is_busy());
}

#[tokio::test]
async fn views_have_so_many_pixels_together() {
    let mut small = bench(None);
    let mut desk = FileAccess::default();
    desk.limits.memory = 1 << 20;
    small.session = Session::new(desk, 1);
    let (_, mut workbench) = set_up(small).unwrap();
    let size = |workbench: &mut WorkbenchThread, tab, width| {
        let place = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        let message = TabMessage::Size {
            width,
            height: 2160,
        };
        workbench.ask(WorkbenchRequest::Said {
            tab,
            message,
            place,
        });
        workbench.watchers[&tab].pixels()
    };
    workbench.come(1);
    workbench.come(2);
    assert_eq!(size(&mut workbench, 1, 2000), 2000 * 2160);
    assert_eq!(size(&mut workbench, 2, 1841), 0);
    assert_eq!(size(&mut workbench, 2, 1840), 1840 * 2160);
    // what a tab sees already is not counted against it
    assert_eq!(size(&mut workbench, 1, 1999), 1999 * 2160);
}

/// What is sent behind a command that works long ends it.
#[test]
fn a_stop_ends_the_command_before_it() {
    let (line, mut workbench) = set_up(bench(None)).unwrap();
    workbench.come(1);
    let message = TabMessage::Do {
        text: " stop".into(),
        id: 2,
    };
    let place = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
    line.send(WorkbenchRequest::Said {
        tab: 1,
        message,
        place,
    })
    .unwrap();
    workbench.say(1, "draw 1 0,0 900000,0");
    assert_eq!(workbench.session.world().population(), 0_u32.into());
    assert!(workbench.heed_all());
    workbench.say(1, "draw 1 0,0 9,0");
    assert_eq!(workbench.session.world().population(), 10_u32.into());
}
