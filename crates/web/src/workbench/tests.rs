//! Tests of unwatched worlds and of recovery from panics.

use super::*;
use crate::memory_pool::MemoryPool;
use crate::response::ServiceError;
use crate::tab_message_queue::TabUpdate;
use pattern::Format;
use serde_json::Value;
use session::file_access::FileAccess;
use tokio::sync::Semaphore;

/// A tab whose updates are read one after the other.
struct WorkbenchTestTab {
    handle: WorkbenchHandle,
    queue: Arc<TabMessageQueue>,
    permits: Arc<Semaphore>,
    last: u64,
}

impl WorkbenchTestTab {
    fn join(handle: &WorkbenchHandle) -> Self {
        let queue = Arc::new(TabMessageQueue::default());
        let joined = WorkbenchRequest::Join {
            tab: 1,
            queue: Arc::clone(&queue),
        };
        handle.send(joined).unwrap();
        Self {
            handle: handle.clone(),
            queue,
            permits: Arc::new(Semaphore::new(4)),
            last: 0,
        }
    }

    async fn send(&mut self, text: &str) {
        self.last += 1;
        let permit = Arc::clone(&self.permits).acquire_owned().await.unwrap();
        let message = TabMessage::Do {
            text: text.into(),
            id: self.last,
        };
        let request = WorkbenchRequest::Message {
            tab: 1,
            message,
            permit,
        };
        self.handle.send(request).unwrap();
    }

    /// The next text with this key; none when the tab is closed before.
    async fn next_with(&self, key: &str) -> Option<Value> {
        loop {
            match self.queue.next().await {
                TabUpdate::Text(text) => {
                    let mut text: Value = serde_json::from_str(&text).unwrap();
                    if let Some(value) = text.get_mut(key) {
                        return Some(value.take());
                    }
                }
                TabUpdate::Frame(_) => {}
                TabUpdate::End(_) => return None,
            }
        }
    }

    async fn run(&mut self, text: &str) -> Value {
        self.send(text).await;
        self.next_with("reply").await.unwrap()
    }

    async fn cells(&self) -> String {
        let saved = self.handle.request(|answer| WorkbenchRequest::Save {
            format: Format::Rle,
            name: "x.rle".into(),
            is_shared: true,
            answer,
        });
        let bytes = saved.await.unwrap().unwrap().bytes;
        String::from_utf8(bytes).unwrap()
    }
}

fn link() -> WorldLink {
    WorldLink {
        state: WorldState::default(),
        share: MemoryPool::new(FileAccess::default().limits.memory).join(),
        sleep_after: Duration::from_secs(600),
    }
}

fn setup(draft: Option<DraftFile>) -> WorkbenchSetup {
    WorkbenchSetup {
        session: Session::new(FileAccess::default(), 1),
        note: None,
        starts_running: false,
        was_touched: false,
        draft,
        draft_is_due: false,
        seed: 1,
    }
}

#[tokio::test]
async fn a_panic_ends_the_session_and_not_the_workbench() {
    let folder = tempfile::tempdir().unwrap();
    let permit = DraftFile::claim(folder.path(), "serve", true).unwrap();
    let (handle, ended) = start(setup(Some(permit)), link()).unwrap();
    let mut page = WorkbenchTestTab::join(&handle);
    assert_eq!(page.run("draw 1 3,4 5,4").await["ok"], true);
    handle.send(WorkbenchRequest::Panic).unwrap();
    let text = page.next_with("error").await.unwrap();
    let text = text.as_str().unwrap();
    assert!(text.contains("broke down over “draw 1 3,4 5,4”: as it was asked to"));
    assert!(text.contains("The sheet is as it was last known"));
    assert!(page.cells().await.contains("3o!"));
    // and it goes on
    assert_eq!(page.run("draw 1 3,5 5,5").await["ok"], true);
    assert!(page.cells().await.contains("3o$3o!"));
    handle.send(WorkbenchRequest::Stop).unwrap();
    assert_eq!(ended.await.unwrap(), Ok(()));
    let draft = std::fs::read(folder.path().join("serve.draft")).unwrap();
    assert!(String::from_utf8(draft).unwrap().contains("3o$3o!"));
}

#[tokio::test]
async fn a_world_that_breaks_down_again_is_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    let permit = DraftFile::claim(folder.path(), "serve", true).unwrap();
    let (handle, ended) = start(setup(Some(permit)), link()).unwrap();
    let mut page = WorkbenchTestTab::join(&handle);
    assert_eq!(page.run("draw 1 3,4 5,4").await["ok"], true);
    // a draft that is on disk
    while !folder.path().join("serve.draft").exists() {
        tokio::task::yield_now().await;
    }
    handle.send(WorkbenchRequest::Panic).unwrap();
    handle.send(WorkbenchRequest::Panic).unwrap();
    page.next_with("error").await.unwrap();
    let text = page.next_with("error").await.unwrap();
    assert!(text.as_str().unwrap().ends_with("the sheet is empty now"));
    assert!(!page.cells().await.contains("3o"));
    let kept = std::fs::read(folder.path().join("serve.kept-1.draft")).unwrap();
    assert!(String::from_utf8(kept).unwrap().contains("3o!"));
    // a third time in a row is one too many: the tabs are told, and the thread ends
    handle.send(WorkbenchRequest::Panic).unwrap();
    assert_eq!(page.next_with("nothing more").await, None);
    assert!(ended.await.unwrap().is_err());
    let answer = handle
        .request(|answer| WorkbenchRequest::Clip { answer })
        .await;
    assert_eq!(answer, Err(ServiceError::Ended));
}

fn workbench() -> WorkbenchThread {
    set_up(setup(None), link()).unwrap().1
}

impl WorkbenchThread {
    fn request(&mut self, request: WorkbenchRequest) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        self.stops.fetch_add(1, Ordering::SeqCst);
        if !request.is_stop() {
            self.stops.fetch_sub(1, Ordering::SeqCst);
        }
        assert!(self.handle_request(request));
    }

    fn join_tab(&mut self, tab: u64) {
        let queue = Arc::default();
        self.request(WorkbenchRequest::Join { tab, queue });
    }

    fn command(&mut self, tab: u64, text: &str) {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        let message = TabMessage::Do {
            text: text.into(),
            id: 1,
        };
        self.request(WorkbenchRequest::Message {
            tab,
            message,
            permit,
        });
    }
}

/// Issue 28: a world went on for ten minutes after the last tab had gone.
#[test]
fn a_world_that_nobody_watches_is_paused_until_somebody_comes() {
    let mut thread = workbench();
    thread.join_tab(1);
    thread.join_tab(2);
    thread.command(1, "open glider");
    thread.command(1, "run");
    let start = Instant::now();
    let hour = Duration::from_secs(3600);
    let minute = Duration::from_secs(60);
    thread.request(WorkbenchRequest::Leave { tab: 1 });
    thread.pause_if_unwatched(start + hour);
    assert!(thread.host.session.is_busy(), "a tab is there still");
    thread.request(WorkbenchRequest::Leave { tab: 2 });
    // a page that is loaded anew finds it running
    thread.pause_if_unwatched(start + hour + Duration::from_secs(1));
    assert!(thread.host.session.is_busy());
    thread.pause_if_unwatched(start + hour + minute);
    assert!(
        !thread.host.session.is_busy(),
        "it runs, and nobody watches"
    );
    thread.join_tab(3);
    assert!(thread.host.session.is_busy(), "it ran before");
    // what was stopped stays so
    thread.command(3, "stop");
    thread.request(WorkbenchRequest::Leave { tab: 3 });
    thread.pause_if_unwatched(start + hour + 3 * minute);
    thread.join_tab(4);
    assert!(!thread.host.session.is_busy());
}

#[test]
fn another_world_does_not_run_because_the_one_before_did() {
    let mut thread = workbench();
    thread.join_tab(1);
    thread.command(1, "open glider");
    thread.command(1, "run");
    thread.request(WorkbenchRequest::Leave { tab: 1 });
    thread.pause_if_unwatched(Instant::now() + Duration::from_secs(60));
    let (answer, _) = oneshot::channel();
    let found = FileAccess::default().read("a.rle", b"3o!", None).unwrap();
    let load = WorkbenchRequest::Load {
        found: Box::new(found),
        anyway: true,
        answer,
    };
    thread.request(load);
    thread.join_tab(2);
    assert!(!thread.host.session.is_busy());
}

#[test]
fn what_is_on_its_way_to_a_generation_goes_on_unwatched() {
    let mut thread = workbench();
    thread.join_tab(1);
    thread.command(1, "open glider");
    thread.command(1, "goto 1000000");
    assert!(thread.host.session.is_busy());
    thread.request(WorkbenchRequest::Leave { tab: 1 });
    thread.pause_if_unwatched(Instant::now() + Duration::from_secs(60));
    assert!(thread.host.session.is_busy());
}

#[tokio::test]
async fn views_have_so_many_pixels_together() {
    let mut small = setup(None);
    let mut file_access = FileAccess::default();
    file_access.limits.memory = 1 << 20;
    small.session = Session::new(file_access, 1);
    let (_, mut workbench) = set_up(small, link()).unwrap();
    let size = |workbench: &mut WorkbenchThread, tab, width| {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        let message = TabMessage::Size {
            width,
            height: 2160,
        };
        workbench.request(WorkbenchRequest::Message {
            tab,
            message,
            permit,
        });
        workbench.host.pixels(tab)
    };
    workbench.join_tab(1);
    workbench.join_tab(2);
    assert_eq!(size(&mut workbench, 1, 2000), 2000 * 2160);
    assert_eq!(size(&mut workbench, 2, 1841), 0);
    assert_eq!(size(&mut workbench, 2, 1840), 1840 * 2160);
    // what a tab sees already is not counted against it
    assert_eq!(size(&mut workbench, 1, 1999), 1999 * 2160);
}

/// What is sent behind a command that works long ends it.
#[test]
fn a_stop_ends_the_command_before_it() {
    let (handle, mut workbench) = set_up(setup(None), link()).unwrap();
    workbench.join_tab(1);
    let message = TabMessage::Do {
        text: " stop".into(),
        id: 2,
    };
    let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
    handle
        .send(WorkbenchRequest::Message {
            tab: 1,
            message,
            permit,
        })
        .unwrap();
    workbench.command(1, "draw 1 0,0 900000,0");
    assert_eq!(workbench.host.session.world().population(), 0_u32.into());
    assert!(workbench.handle_pending());
    workbench.command(1, "draw 1 0,0 9,0");
    assert_eq!(workbench.host.session.world().population(), 10_u32.into());
}
