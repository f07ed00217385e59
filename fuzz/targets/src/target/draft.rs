//! A draft of unsaved work: whatever the bytes are, it is restored or refused; refused, nothing
//! has changed; restored, it can be written as a draft again, and that one is restored as the
//! same.

use super::owned;
use super::session_script::{facts, file_access};
use crate::Target;
use session::{Session, Viewer};

pub(super) const DRAFT: Target = Target {
    name: "draft",
    check,
    seeds,
    words: || {
        owned(&[
            "gridpaper draft 1",
            "---",
            "label = \"x\"",
            "unsaved = true",
            "--- history",
            "[[done]]",
            "[[checkpoints]]",
            "points = \"3,4,1 \"",
            "file = \"a.rle\"",
            "format = \"rle\"",
            "beside = \"grid = true\"",
            "corner = \"3,-4\"",
            "rule = \"B36/S23:T100,80\"",
            "generation = \"100\"",
            "zoom = \"1:8\"",
            "[[ ZOOM 8 X 3 Y -4 GPS 30 GRID ]]",
            "gridpaper: dying=on",
            "[M2]",
            "x = 3, y = 3, rule = LifeHistory",
            "#CXRLE Pos=-1,-2 Gen=7",
            "@RULE",
            "!",
        ])
    },
    gate_runs: 400,
};

const SCRIPTS: &[&[&str]] = &[
    &["open glider", "step 4"],
    &[
        "open gosper-glider-gun",
        "name a gun",
        "author me",
        "comment two\\nlines",
        "zoom 8",
        "colour 1 #cc3311",
    ],
    &[
        "soup 12x10 0.5 seed 7",
        "rule B36/S23",
        "resize 20x20 torus",
    ],
    &["open colorised-glider", "age on", "grid off", "major 5"],
    &["open bo$2bo$3o!", "engine hashlife", "theme blueprint"],
    &[
        "open blinker",
        "set 9,9 1",
        "open glider",
        "draw 1 0,0 9,0",
        "step 4",
        "undo",
    ],
    &["rule Wireworld", "draw 1 0,0 9,0", "draw 2 3,0", "stride 8"],
];

fn seeds() -> Vec<Vec<u8>> {
    let drafts = SCRIPTS.iter().filter_map(|script| {
        let mut session = Session::new(file_access(), 0);
        let mut viewer = Viewer::new(64, 48);
        for text in *script {
            let command = text.parse().ok()?;
            session.apply(&mut viewer, &command).ok()?;
            session.finish_going();
        }
        let with_history = session.draft_with_history(&viewer).ok()?;
        Some([session.draft(&viewer).ok()?, with_history.bytes])
    });
    drafts.flatten().collect()
}

fn check(bytes: &[u8]) {
    let mut session = Session::new(file_access(), 0);
    let mut viewer = Viewer::new(64, 48);
    let is_unsaved = Session::draft_is_unsaved(bytes);
    let before = facts(&session);
    if session.restore_draft(&mut viewer, bytes).is_err() {
        assert_eq!(facts(&session), before, "it was refused");
        return;
    }
    assert_eq!(Some(session.is_unsaved()), is_unsaved);
    session.frame(&mut viewer);
    let _ = session.status(&viewer);
    let Ok(draft) = session.draft_with_history(&viewer) else {
        return;
    };
    let draft = draft.bytes;
    let mut other = Session::new(file_access(), 0);
    let mut onlooker = Viewer::new(64, 48);
    other
        .restore_draft(&mut onlooker, &draft)
        .unwrap_or_else(|refusal| panic!("its own draft is refused: {refusal}"));
    assert_eq!(facts(&other), facts(&session), "restored from a draft");
    assert_eq!(other.is_unsaved(), session.is_unsaved());
    // what is undone is the world's own affair: it is done or refused
    for text in ["undo", "undo", "back", "redo"] {
        let command = text.parse().expect("a command");
        let _ = other.apply(&mut onlooker, &command);
        other.tick(std::time::Duration::ZERO, &mut || false);
    }
}
