//! The replays page in a browser.

use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;
use arena::Match;
use games::DiagramMark;
use matches::replay;
use matches::{Opening, Record};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// A match of the duel between players that are the same from the same seed.
fn duel() -> Vec<Record> {
    let players = ["material", "random"].map(|player| player.parse().unwrap());
    let contest = Match {
        games: 2,
        seed: 5,
        opening: Opening::Turns(3..=3),
        is_recorded: true,
        ..Match::new("duel:16x16".parse().unwrap(), players)
    };
    let mut kept = Vec::new();
    let received = &mut |_: &_, records: &[Record]| {
        kept.extend_from_slice(records);
        ControlFlow::Continue(())
    };
    contest.run(&AtomicBool::new(false), received).unwrap();
    kept
}

/// A seat's view after a number of turns, from the labels of the page's cells.
fn marks(record: &Record, ply: usize, seat: usize) -> String {
    let frame = replay::positions(record)
        .unwrap()
        .nth(ply)
        .unwrap()
        .unwrap();
    let diagram = match seat {
        1 => frame.second.unwrap_or(frame.diagram),
        _ => frame.diagram,
    };
    let sign = |mark: &DiagramMark| match mark {
        DiagramMark::Empty => '.',
        DiagramMark::First => '1',
        DiagramMark::Second => '2',
    };
    diagram.cells.iter().map(sign).collect()
}

/// The contents of a board on the page, from its screen reader labels.
async fn cells(page: &BrowserPage, board: &str) -> String {
    let value = page
        .eval(&format!(
            "[...document.querySelectorAll('#{board} [role=gridcell]')].map((cell) => {{
                const words = cell.getAttribute('aria-label').split(', ');
                return words.includes('empty') ? '.' : words.includes('O') ? '1' : words.includes('X') ? '2' : '?';
            }}).join('')"
        ))
        .await;
    value.as_str().unwrap().to_string()
}

async fn open() -> BrowserPage {
    BrowserPage::open(&BrowserSetup {
        path: "/replays",
        size: (1280, 800),
        ..BrowserSetup::default()
    })
    .await
}

async fn paste(page: &BrowserPage, text: &str) {
    page.eval("document.getElementById('paste-form').hidden && document.getElementById('paste-fold').click()")
        .await;
    let script = "document.getElementById('paste-text').value = arguments[0];
        document.getElementById('paste-form').requestSubmit();";
    page.client
        .execute(script, vec![json!(text)])
        .await
        .unwrap();
}

async fn hash(page: &BrowserPage) -> Value {
    page.eval("document.getElementById('room').dataset.hash")
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duel_scrubs_to_the_right_board_at_ply_100() {
    let records = duel();
    let text: String = records
        .iter()
        .map(replay::text)
        .collect::<Vec<_>>()
        .join("\n");
    let own = replay::positions(&records[0])
        .unwrap()
        .nth(100)
        .unwrap()
        .unwrap();
    // mana and points, of the first seat and then of the second
    let facts = own.diagram.facts.iter();
    let facts = [0, 1].map(|seat| facts.clone().map(move |fact| fact.values[seat].clone()));
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let own = format!("{:016x}", own.hash);
    let page = open().await;
    // a file, dropped
    let script = "const file = new File([arguments[0]], 'match.replay');
        const data = new DataTransfer();
        data.items.add(file);
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
    page.client
        .execute(script, vec![json!(text)])
        .await
        .unwrap();
    page.until("!document.getElementById('viewer').hidden")
        .await;
    page.until_text("of", "of 200").await;
    // the scrub bar
    page.eval("(() => { const scrub = document.getElementById('scrub'); scrub.value = '100'; scrub.dispatchEvent(new Event('input')); })()")
        .await;
    page.until("document.getElementById('room').dataset.ply === '100'")
        .await;
    assert_eq!(hash(&page).await, own.as_str());
    assert_eq!(
        cells(&page, "board-first").await,
        marks(&records[0], 100, 0)
    );
    let received =
        "[...document.querySelectorAll('#facts td.number')].map((value) => value.textContent)";
    assert_eq!(page.eval(received).await, json!(facts));
    // both views
    page.eval("document.getElementById('views').click()").await;
    page.until("!document.getElementById('view-second').hidden")
        .await;
    assert_eq!(
        cells(&page, "board-first").await,
        marks(&records[0], 100, 0)
    );
    assert_eq!(
        cells(&page, "board-second").await,
        marks(&records[0], 100, 1)
    );
    assert_ne!(marks(&records[0], 100, 0), marks(&records[0], 100, 1));
    // by keys, from the start
    page.eval("document.getElementById('room').focus()").await;
    page.keys(&char::from(Key::Home).to_string()).await;
    page.until("document.getElementById('room').dataset.ply === '0'")
        .await;
    for _ in 0..9 {
        page.keys(&format!(
            "{}{}{}",
            char::from(Key::Shift),
            char::from(Key::Right),
            char::from(Key::Null)
        ))
        .await;
    }
    for _ in 0..10 {
        page.keys(&char::from(Key::Right).to_string()).await;
    }
    page.until("document.getElementById('room').dataset.ply === '100'")
        .await;
    assert_eq!(hash(&page).await, own.as_str());
    // by a number, and by the list of moves
    page.keys("g").await;
    page.until("document.activeElement.id === 'ply'").await;
    page.keys(&format!("42{}", char::from(Key::Enter))).await;
    page.until("document.getElementById('room').dataset.ply === '42'")
        .await;
    page.eval("document.getElementById('ply-100').click()")
        .await;
    page.until("document.getElementById('room').dataset.ply === '100'")
        .await;
    // it plays to the end
    page.eval("(() => { const speed = document.getElementById('speed'); speed.value = '100'; speed.dispatchEvent(new Event('input')); document.getElementById('room').focus(); })()")
        .await;
    page.keys(" ").await;
    page.until("document.getElementById('room').dataset.ply === '200' && document.getElementById('play').getAttribute('aria-label') === 'play'")
        .await;
    assert!(page.text("check").await.contains("played again"));
    // the other game of the file
    page.keys("n").await;
    page.until("document.querySelector('#game-list [aria-current]').textContent.startsWith('2')")
        .await;
    page.until("document.getElementById('players').textContent.startsWith('random')")
        .await;
    page.close().await;
}

/// Opens a game and goes to the position after 17 plies.
async fn show_ply_17(page: &BrowserPage, record: &Record) {
    paste(page, &replay::text(record)).await;
    page.until("!document.getElementById('viewer').hidden")
        .await;
    page.eval("document.getElementById('ply-17').click()").await;
    page.until("document.getElementById('room').dataset.ply === '17'")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_and_a_ply_have_a_link() {
    let records = duel();
    let page = open().await;
    show_ply_17(&page, &records[0]).await;
    let there = hash(&page).await;
    page.eval("document.getElementById('link').click()").await;
    page.until("document.querySelector('#acts-answer input')?.value.includes('#ply=17&r=')")
        .await;
    let link = page
        .eval("new URL(document.querySelector('#acts-answer input').value).hash")
        .await;
    // where nothing can be put into the clipboard nobody is told that it was
    page.eval("document.execCommand = () => false, Object.defineProperty(navigator, 'clipboard', {value: undefined}), 0")
        .await;
    page.eval("document.getElementById('link').click()").await;
    page.until_text("note-words", "copy the link from its field")
        .await;
    page.go("/play").await;
    page.go(&format!("/replays{}", link.as_str().unwrap()))
        .await;
    page.until("document.getElementById('room').dataset.ply === '17'")
        .await;
    assert_eq!(hash(&page).await, there);
    // a link that is cut says so
    page.go("/play").await;
    page.go("/replays#r=abc").await;
    page.until("document.getElementById('source-answer').textContent.includes('damaged')")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_is_told_and_the_rest_is_shown() {
    let records = duel();
    let text = replay::text(&records[0]);
    let broken = text.replacen("result ", "result nobody ", 1);
    let line = broken
        .lines()
        .position(|line| line.starts_with("result"))
        .unwrap()
        + 1;
    let page = open().await;
    paste(&page, &format!("{broken}\n{}", replay::text(&records[1]))).await;
    page.until("!document.getElementById('viewer').hidden")
        .await;
    let said = page.text("source-answer").await;
    assert!(said.contains(&format!("line {line}, column 8")), "{said}");
    assert!(said.contains("what is good is shown"), "{said}");
    page.until_text("of", "of 200").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_goes_to_the_workbench() {
    let records = duel();
    let page = open().await;
    paste(&page, &replay::text(&records[0])).await;
    page.until("!document.getElementById('viewer').hidden")
        .await;
    page.eval("document.getElementById('ply-100').click()")
        .await;
    page.until("document.getElementById('room').dataset.ply === '100'")
        .await;
    let count = marks(&records[0], 100, 0)
        .chars()
        .filter(|&mark| mark != '.')
        .count();
    page.eval("document.getElementById('to-worlds').click()")
        .await;
    page.until("document.getElementById('population')?.textContent.trim() > ''")
        .await;
    page.until_text("population", &count.to_string()).await;
    page.until_text("rule-name", "Immigration").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_is_played_on() {
    let records = duel();
    let page = open().await;
    show_ply_17(&page, &records[0]).await;
    page.eval("document.getElementById('play-on').click()")
        .await;
    page.until("document.querySelector('.setup h2')?.textContent.includes('from turn 17')")
        .await;
    page.eval("document.getElementById('begin').click()").await;
    page.until("document.querySelector('.table-room:not([hidden])')?.dataset.turns === '17'")
        .await;
    // the very turns that were played, and the board that they led to
    let turns = page
        .eval("[...document.querySelectorAll('.move .move-text')].map((move) => move.textContent)")
        .await;
    let record = &records[0];
    let played = record.turns.iter().map(|turn| &turn.text);
    let mut played: Vec<&str> = { record.opening.iter() }
        .chain(played)
        .map(String::as_str)
        .take(17)
        .collect();
    played.insert(0, "start");
    assert_eq!(turns, json!(played));
    let count = "[...document.querySelectorAll('.board-cell')].filter((cell) => !cell.ariaLabel.split(', ').includes('empty')).length";
    let marks = marks(record, 17, 0);
    assert_eq!(
        page.eval(count).await,
        marks.chars().filter(|&mark| mark != '.').count()
    );
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_bots_printed_stands_beside_the_board() {
    let mut records = duel();
    let bot = &mut records[0].reports[1];
    bot.about = vec![("name".into(), "Tin".into())];
    bot.notes = vec!["it tried to open /etc/passwd".into()];
    bot.stderr = "row 3 looks good\n<b>not markup</b>\n".into();
    let page = open().await;
    paste(&page, &replay::text(&records[0])).await;
    page.until("!document.getElementById('bots').hidden").await;
    let said = page.text("bots-words").await;
    for part in [
        "random, the second seat",
        "name: Tin",
        "it tried to open /etc/passwd",
        "row 3 looks good\n<b>not markup</b>",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // the other game's bots said nothing
    paste(&page, &replay::text(&records[1])).await;
    page.until("document.getElementById('bots').hidden").await;
    page.close().await;
}
