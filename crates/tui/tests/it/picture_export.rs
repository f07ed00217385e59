//! Pictures and films that the world screen writes.

use crate::text;
use session::Session;
use session::file_access::FileAccess;
use tui::{App, TerminalProfile};

/// Issue 31: the terminal exports what the page exports, from A to B.
#[test]
fn pictures_and_films_are_written_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let session = Session::new(FileAccess::for_folder(folder.path()), 7);
    let mut app = App::new(session, (80, 24), TerminalProfile::default());
    assert!(app.send("open gosper-glider-gun") && app.send("zoom 1"));
    assert!(app.send("picture view.png") && app.send("picture whole.svg whole zoom 16"));
    assert!(app.send("picture gun.gif 0..30 every 10 whole zoom 4 fps 20"));
    assert!(app.send("save gun.apng 0..3"), "save means a picture too");
    let status = app.session().status(app.viewer());
    assert_eq!(status.generation, "0", "the world stays");
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    // a character of the view is eight pixels wide and sixteen high
    let png = read("view.png");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((side(16), side(20)), (80 * 8, 42 * 8));
    let svg = String::from_utf8(read("whole.svg")).unwrap();
    assert!(svg.contains("width=\"608\" height=\"176\""), "{svg}");
    let gif = read("gun.gif");
    let side = |at: usize| u32::from(u16::from_le_bytes([gif[at], gif[at + 1]]));
    assert_eq!(side(6), 38 * 4);
    assert!(side(8) > 11 * 4, "the glider is in it");
    let apng = read("gun.apng");
    assert_eq!(apng.windows(4).filter(|kind| kind == b"fcTL").count(), 4);
    // a file of somebody else is overwritten only where that is said
    std::fs::write(folder.path().join("foreign.png"), "foreign").unwrap();
    assert!(app.send("picture foreign.png whole"));
    assert!(text(&mut app, 80, 24).contains("overwrite it"));
    assert_eq!(read("foreign.png"), b"foreign");
    crate::script::play(&mut app, &mut (80, 24), "key y");
    assert!(read("foreign.png").starts_with(b"\x89PNG"));
    // what cannot be is said
    for (wrong, why) in [
        ("picture a.rle", "its ending says the kind"),
        ("picture a.gif 5..1", "a film goes forward"),
        ("picture a.png 0..9", "films are .gif and .apng"),
    ] {
        assert!(!app.send(wrong), "{wrong}");
        assert!(text(&mut app, 80, 24).contains(why), "{wrong}");
    }
}
