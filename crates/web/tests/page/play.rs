//! The play page: games by clicks, by touch and by keys alone.

use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;
use crate::webdriver::MouseAction;
use serde_json::{Value, json};

const PLAY: BrowserSetup<'static> = BrowserSetup {
    pattern: "",
    path: "/play",
    size: (1280, 800),
    flags: &[],
    state: None,
    phone: false,
};

/// A game of stones in which the first colour is gone after ten plies.
const SHORT: &str = "p3 p6 c18 b5 c7 q17 s16 j8 e4 b2";

/// The table's own marks, as the page's document has them.
const TABLE: &str = "document.querySelector('.table-room').dataset";

fn cell(name: &str) -> String {
    format!(".board-cell[aria-label^='{name},']")
}

async fn click(page: &BrowserPage, selector: &str) {
    let found = page.client.find(selector).await;
    let found = found.unwrap_or_else(|error| panic!("{selector}: {error}"));
    found.click().await.unwrap();
}

async fn press(page: &BrowserPage, key: Key) {
    page.keys(&char::from(key).to_string()).await;
}

/// Makes a table as the page's form does, and sits down at it.
async fn sit(page: &BrowserPage, wanted: Value) -> String {
    let script = "const [body, done] = arguments;
        fetch('/play/tables', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
            .then((answer) => answer.json())
            .then((made) => {
                if (made.key) localStorage.setItem('gridpaper.play.tables', JSON.stringify([{ ...made, words: 'a game' }]));
                done(made);
            });";
    let made = page.client.execute_async(script, vec![wanted]).await;
    let made = made.unwrap();
    let id = made["id"].as_str().unwrap_or_else(|| panic!("{made}"));
    watch(page, id).await;
    id.to_string()
}

async fn watch(page: &BrowserPage, id: &str) {
    page.go(&format!("/play/{id}")).await;
    page.until("!document.querySelector('.table-room').hidden")
        .await;
}

async fn until_turns(page: &BrowserPage, turns: usize) {
    page.until(&format!("{TABLE}.turns === '{turns}'")).await;
}

/// What stands on the board, by the cells' names: `d4 black`.
async fn stones(page: &BrowserPage) -> Vec<String> {
    let cells = page
        .eval(
            "[...document.querySelectorAll('.board-cell')].map((cell) => cell.getAttribute('aria-label').split(', '))
                .filter(([, what]) => what !== 'empty').map(([name, what]) => `${name} ${what}`)",
        )
        .await;
    let cells = cells.as_array().unwrap().iter();
    cells.map(|cell| cell.as_str().unwrap().into()).collect()
}

/// Moves the pointer over a cell, and presses nothing.
async fn point(page: &BrowserPage, name: &str) {
    let place = page
        .eval(&format!(
            "(() => {{ const box = document.querySelector({:?}).getBoundingClientRect();
                return [box.left + box.width / 2, box.top + box.height / 2]; }})()",
            cell(name)
        ))
        .await;
    let to = MouseAction::MoveTo(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    page.client.perform(&[to]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_play_stones_to_the_end() {
    let ada = BrowserPage::open(&PLAY).await;
    ada.until("document.querySelector('.setup')").await;
    click(&ada, ".game-card:has([value=stones])").await;
    let second = "document.querySelectorAll('.chooser-who')[1]";
    ada.eval(&format!(
        "({second}.value = 'open', {second}.dispatchEvent(new Event('change')))"
    ))
    .await;
    let name = ada.client.find("#person-name").await.unwrap();
    name.send_keys("ada").await.unwrap();
    click(&ada, "#begin").await;
    ada.until("document.querySelector('#invite-link')?.offsetParent")
        .await;
    let link = ada
        .eval("document.querySelector('#invite-link').value")
        .await;
    let link = link.as_str().unwrap();
    let path = &link[link.find("/play/").unwrap()..];

    let bob = ada.beside(&BrowserSetup { path, ..PLAY }).await;
    bob.until("document.querySelector('.seat[data-seat=\"1\"] .strong')?.offsetParent")
        .await;
    click(&bob, ".seat[data-seat='1'] .strong").await;
    bob.until(&format!("{TABLE}.seat === '1'")).await;
    ada.until("!document.querySelector('.seat[data-seat=\"1\"]').classList.contains('is-away')")
        .await;
    for (turn, name) in SHORT.split(' ').enumerate() {
        let (mover, other) = match turn % 2 {
            0 => (&ada, &bob),
            _ => (&bob, &ada),
        };
        mover.until_text("play-status", "your move").await;
        click(mover, &cell(name)).await;
        until_turns(mover, turn + 1).await;
        until_turns(other, turn + 1).await;
        assert_eq!(stones(mover).await, stones(other).await, "turn {turn}");
    }
    ada.until(&format!("{TABLE}.outcome === 'second'")).await;
    assert!(ada.text("play-status").await.starts_with("you lose"));
    assert!(bob.text("play-status").await.starts_with("you win"));
    assert!(
        stones(&bob)
            .await
            .iter()
            .all(|stone| stone.ends_with("white"))
    );

    // a rematch is agreed on, with seats exchanged
    click(&ada, "#rematch").await;
    bob.until("document.querySelector('#play-question .strong')")
        .await;
    click(&bob, "#play-question .strong").await;
    ada.until(&format!("{TABLE}.seat === '1' && {TABLE}.turns === '0'"))
        .await;
    bob.until_text("play-status", "your move").await;
    ada.close().await;
    bob.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn perfect_never_loses() {
    let page = BrowserPage::open(&PLAY).await;
    sit(
        &page,
        json!({ "game": "tictactoe", "seats": ["me", "perfect"], "name": "ada" }),
    )
    .await;
    // whoever takes the cells in this order, as far as they are free, loses or draws; the
    // seats are exchanged after each game
    let orders = [
        "A1 C3 B2 A3 C1 B1 A2 C2 B3",
        "B2 A1 A3 C1 C3 A2 B1 B3 C2",
        "A2 B1 C2 B3 A1 C1 A3 C3 B2",
        "C3 A1 A3 C1 B2 A2 B1 C2 B3",
    ];
    for (game, order) in orders.iter().enumerate() {
        let mine = ["first", "second"][game % 2];
        page.until(&format!(
            "{TABLE}.seat === '{}' && {TABLE}.outcome === ''",
            game % 2
        ))
        .await;
        loop {
            page.until(&format!(
                "{TABLE}.turn === '{mine}' || {TABLE}.outcome !== ''"
            ))
            .await;
            if page.eval(&format!("{TABLE}.outcome !== ''")).await == Value::Bool(true) {
                break;
            }
            let taken = stones(&page).await;
            let free = order.split(' ').find(|name| {
                !taken
                    .iter()
                    .any(|stone| stone.starts_with(&format!("{name} ")))
            });
            let turns = taken.len();
            click(&page, &cell(free.unwrap())).await;
            page.until(&format!("Number({TABLE}.turns) > {turns}"))
                .await;
        }
        let outcome = page.eval(&format!("{TABLE}.outcome")).await;
        assert_ne!(outcome, mine, "game {game}: {:?}", stones(&page).await);
        if game + 1 < orders.len() {
            click(&page, "#rematch").await;
        }
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_has_a_name_and_its_rules() {
    let page = BrowserPage::open(&PLAY).await;
    page.until("document.querySelector('#setup-rules h2')")
        .await;
    let names = "[...document.querySelectorAll('.game-name')].map((name) => name.textContent)";
    let names = page.eval(names).await;
    assert_eq!(names[3], "5 in a row on 15 x 15", "{names}");
    let rules = "document.querySelector('#setup-rules')";
    for value in ["mnk:15,15,5", "stones", "duel"] {
        click(&page, &format!(".game-card:has([value='{value}'])")).await;
        let title = page
            .eval("document.querySelector('.game-card:has(:checked) .game-name').textContent")
            .await;
        let title = title.as_str().unwrap();
        page.until(&format!(
            "{rules}.querySelector('h2').textContent.startsWith('{title}')"
        ))
        .await;
        let parts = format!("[...{rules}.querySelectorAll('dt')].map((part) => part.textContent)");
        assert_eq!(page.eval(&parts).await, json!(["goal", "a turn", "end"]));
        let boards =
            format!("{rules}.querySelectorAll('.rules-board path.board-first[d^=M]').length");
        assert!(page.eval(&boards).await.as_u64().unwrap() > 0, "{value}");
    }

    // and so at the table, one key away
    let wanted = json!({ "game": "mnk:15,15,5", "seats": ["me", "open"], "name": "ada" });
    sit(&page, wanted).await;
    let title = "5 in a row on 15 x 15, ada against an open seat";
    page.until_text("room-title", title).await;
    let tab = page.eval("document.title").await;
    assert!(tab.as_str().unwrap().starts_with(title), "{tab}");
    page.keys("i").await;
    page.until("document.querySelector('.rules-dialog[open] .rules-board svg')")
        .await;
    assert_eq!(page.text("rules-title").await, "5 in a row on 15 x 15");
    press(&page, Key::Escape).await;
    page.until("!document.querySelector('.rules-dialog[open]')")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_winning_row_is_marked_and_told() {
    let page = BrowserPage::open(&PLAY).await;
    let turns = ["A1", "B1", "B2", "C1"];
    let wanted = json!({ "game": "tictactoe", "seats": ["me", "open"], "turns": turns });
    let id = sit(&page, wanted).await;
    let row = "[...document.querySelectorAll('.board-cell')].map((cell) => cell.getAttribute('aria-label'))
        .filter((label) => label.includes('in the winning row')).map((label) => label.split(',')[0])";
    assert_eq!(page.eval(row).await, json!([]));
    click(&page, &cell("C3")).await;
    page.until_text("play-status", "you win: 3 in a row").await;
    assert_eq!(page.eval(row).await, json!(["A1", "B2", "C3"]));
    let drawn = "document.querySelector('.board-winning').getAttribute('d').match(/M/g)?.length";
    assert_eq!(page.eval(drawn).await, 3);
    page.until_text("voice", "O plays C3; you win: 3 in a row")
        .await;
    // who watches, and the replay, see it too
    page.go(&format!("/replays?play={id}")).await;
    page.until("document.getElementById('of')?.textContent === 'of 5'")
        .await;
    assert_eq!(page.eval(row).await, json!([]));
    press(&page, Key::End).await;
    page.until("document.getElementById('room').dataset.ply === '5'")
        .await;
    assert_eq!(page.eval(row).await, json!(["A1", "B2", "C3"]));
    assert!(page.text("result").await.starts_with("tic-tac-toe: "));
    page.close().await;
}

/// From the address to the end of a game without a pointer.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_by_keys_alone() {
    let page = BrowserPage::open(&PLAY).await;
    page.until("document.querySelector('.setup')").await;
    let mut steps = 0;
    while page.eval("document.activeElement.id").await != "begin" {
        press(&page, Key::Tab).await;
        steps += 1;
        assert!(steps < 40, "begin is never reached");
    }
    press(&page, Key::Enter).await;
    page.until("document.querySelector('.table-room:not([hidden])')")
        .await;
    let in_cell = "document.activeElement.matches('.board-cell:focus-visible')";
    steps = 0;
    while page.eval(in_cell).await != Value::Bool(true) {
        press(&page, Key::Tab).await;
        steps += 1;
        assert!(steps < 40, "the board is never reached");
    }
    // the middle, and then whatever is free, from the first cell on
    press(&page, Key::Enter).await;
    page.until(&format!("{TABLE}.turns === '2'")).await;
    loop {
        page.until(&format!(
            "{TABLE}.turn === 'first' || {TABLE}.outcome !== ''"
        ))
        .await;
        if page.eval(&format!("{TABLE}.outcome !== ''")).await == Value::Bool(true) {
            break;
        }
        let turns = stones(&page).await.len();
        let free = "[...document.querySelectorAll('.board-cell')]
            .findIndex((cell) => cell.getAttribute('aria-label').includes('empty'))";
        let free = page.eval(free).await.as_u64().unwrap();
        page.keys(&format!(
            "{}{}",
            char::from(Key::Control),
            char::from(Key::Home)
        ))
        .await;
        for _ in 0..free / 3 {
            press(&page, Key::Down).await;
        }
        for _ in 0..free % 3 {
            press(&page, Key::Right).await;
        }
        page.keys(" ").await;
        page.until(&format!("Number({TABLE}.turns) > {turns}"))
            .await;
    }
    assert_ne!(page.eval(&format!("{TABLE}.outcome")).await, "first");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_finds_the_same_game() {
    let ada = BrowserPage::open(&PLAY).await;
    let id = sit(
        &ada,
        json!({ "game": "stones", "seats": ["me", "open"], "name": "ada" }),
    )
    .await;
    let bob = ada
        .beside(&BrowserSetup {
            path: &format!("/play/{id}"),
            ..PLAY
        })
        .await;
    bob.until("document.querySelector('.seat[data-seat=\"1\"] .strong')?.offsetParent")
        .await;
    click(&bob, ".seat[data-seat='1'] .strong").await;
    // the socket that the page uses is known by what is sent through it
    ada.eval(
        "(() => { const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (...all) { window.socket = this; return send.apply(this, all); }; })()",
    )
    .await;
    click(&ada, &cell("p3")).await;
    until_turns(&bob, 1).await;
    ada.offline(true).await;
    ada.eval("window.socket.close()").await;
    ada.until("document.querySelector('.table-room').classList.contains('is-lost')")
        .await;
    ada.until("!document.getElementById('note').hidden").await;
    bob.until("document.querySelector('.seat[data-seat=\"0\"]').classList.contains('is-away')")
        .await;
    click(&bob, &cell("p6")).await;
    until_turns(&bob, 2).await;
    assert_eq!(ada.eval(&format!("{TABLE}.turns")).await, "1");
    ada.offline(false).await;
    until_turns(&ada, 2).await;
    ada.until("!document.querySelector('.table-room').classList.contains('is-lost')")
        .await;
    assert_eq!(stones(&ada).await, stones(&bob).await);
    click(&ada, &cell("c18")).await;
    until_turns(&bob, 3).await;
    // and so does a page that is loaded anew
    ada.client.refresh().await.unwrap();
    ada.until("document.querySelector('.table-room:not([hidden])')")
        .await;
    ada.until(&format!("{TABLE}.turns === '3' && {TABLE}.seat === '0'"))
        .await;
    ada.close().await;
    bob.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_shows_what_then_happens() {
    let page = BrowserPage::open(&PLAY).await;
    sit(&page, json!({ "game": "stones", "seats": ["me", "open"] })).await;
    let received = |what: &'static str| {
        format!(
            "[...document.querySelectorAll('.board-cell')].map((cell) => cell.getAttribute('aria-label'))
                .filter((label) => label.includes('{what}')).map((label) => label.split(', ')[0])"
        )
    };
    point(&page, "d4").await;
    page.until("document.querySelector('.hand-words').textContent.startsWith('d4: ')")
        .await;
    let [born, die, turn] = [
        page.eval(&received("would be born")).await,
        page.eval(&received("would die")).await,
        page.eval(&received("would change sides")).await,
    ];
    let before = stones(&page).await;
    click(&page, &cell("d4")).await;
    until_turns(&page, 1).await;
    let after = stones(&page).await;
    let name = |stone: &String| stone.split(' ').next().unwrap().to_string();
    let names = |stones: &[String]| stones.iter().map(name).collect::<Vec<_>>();
    let appeared: Vec<_> = names(&after)
        .into_iter()
        .filter(|at| !names(&before).contains(at) && at != "d4")
        .collect();
    let vanished: Vec<_> = names(&before)
        .into_iter()
        .chain(["d4".to_string()])
        .filter(|at| !names(&after).contains(at))
        .collect();
    let changed: Vec<_> = after
        .iter()
        .filter(|stone| !before.contains(stone) && names(&before).contains(&name(stone)))
        .map(name)
        .collect();
    let sorted = |value: &Value| {
        let mut list: Vec<String> = serde_json::from_value(value.clone()).unwrap();
        list.sort();
        list
    };
    let sort = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert!(!appeared.is_empty() && !changed.is_empty());
    assert_eq!(sorted(&born), sort(appeared));
    assert_eq!(sorted(&die), sort(vanished));
    assert_eq!(sorted(&turn), sort(changed));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn turns_are_taken_back_and_looked_at_again() {
    let page = BrowserPage::open(&PLAY).await;
    let id = sit(
        &page,
        json!({ "game": "tictactoe", "seats": ["me", "perfect"] }),
    )
    .await;
    click(&page, &cell("B2")).await;
    until_turns(&page, 2).await;
    let first = stones(&page).await;
    let free = ["A1", "C1", "B1"]
        .into_iter()
        .find(|name| !first.iter().any(|stone| stone.starts_with(name)));
    click(&page, &cell(free.unwrap())).await;
    until_turns(&page, 4).await;

    // what was: by the list and by keys; nothing can be put there
    click(&page, ".move[data-turns='1']").await;
    page.until(&format!("{TABLE}.at === '1'")).await;
    assert_eq!(stones(&page).await, ["B2 O"]);
    click(&page, &cell("A3")).await;
    assert!(page.text("play-error").await.contains("go back to now"));
    page.eval("document.activeElement.blur()").await;
    page.keys(&char::from(Key::Right).to_string()).await;
    page.until(&format!("{TABLE}.at === '2'")).await;
    assert_eq!(stones(&page).await, first);
    click(&page, "#to-now").await;
    page.until(&format!("{TABLE}.at === '4'")).await;

    // a hint, and what a player thought
    click(&page, "#hint").await;
    page.until("document.querySelector('.advice-result strong')")
        .await;
    click(&page, "#thought").await;
    page.until("document.querySelector('.advice-result').textContent.includes('it played')")
        .await;

    click(&page, "#take-back").await;
    until_turns(&page, 2).await;
    assert_eq!(stones(&page).await, first);
    click(&page, "#resign").await;
    page.until("document.querySelector('#play-question .strong')")
        .await;
    assert_eq!(page.eval(&format!("{TABLE}.outcome")).await, "");
    click(&page, "#play-question .strong").await;
    page.until(&format!("{TABLE}.outcome === 'second'")).await;
    let script = "const [path, done] = arguments;
        fetch(path).then((answer) => answer.text()).then(done, (error) => done(String(error)));";
    let path = vec![Value::from(format!("/play/{id}/replay"))];
    let replay = page.client.execute_async(script, path).await.unwrap();
    assert!(replay.as_str().unwrap().contains("resigned"), "{replay}");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_agree_on_taking_back_and_a_third_watches() {
    let ada = BrowserPage::open(&PLAY).await;
    let id = sit(
        &ada,
        json!({ "game": "stones:plies=3", "seats": ["me", "open"], "name": "ada" }),
    )
    .await;
    let path = format!("/play/{id}");
    let bob = ada
        .beside(&BrowserSetup {
            path: &path,
            ..PLAY
        })
        .await;
    let eve = ada
        .beside(&BrowserSetup {
            path: &path,
            ..PLAY
        })
        .await;
    bob.until("document.querySelector('.seat[data-seat=\"1\"] .strong')?.offsetParent")
        .await;
    click(&bob, ".seat[data-seat='1'] .strong").await;
    bob.until(&format!("{TABLE}.seat === '1'")).await;
    click(&ada, &cell("p3")).await;
    until_turns(&eve, 1).await;
    assert_eq!(stones(&eve).await, stones(&ada).await);
    click(&eve, &cell("p6")).await;
    assert_eq!(eve.text("play-error").await, "you are watching");
    click(&ada, "#take-back").await;
    bob.until("document.querySelector('#play-question .strong')")
        .await;
    assert!(
        bob.text("play-question")
            .await
            .starts_with("ada asks to take")
    );
    assert_eq!(eve.text("play-question").await, "");
    click(&bob, "#play-question .strong").await;
    for page in [&ada, &bob, &eve] {
        until_turns(page, 0).await;
    }
    for (turn, name) in ["p3", "p6", "c18"].into_iter().enumerate() {
        click([&ada, &bob][turn % 2], &cell(name)).await;
        for page in [&ada, &bob, &eve] {
            until_turns(page, turn + 1).await;
        }
    }
    eve.until(&format!("{TABLE}.outcome === 'draw'")).await;
    for page in [ada, bob, eve] {
        page.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_column_is_marked_and_sent_from_either_side() {
    let ada = BrowserPage::open(&PLAY).await;
    let id = sit(&ada, json!({ "game": "duel", "seats": ["me", "open"] })).await;
    let bob = ada
        .beside(&BrowserSetup {
            path: &format!("/play/{id}"),
            ..PLAY
        })
        .await;
    bob.until("document.querySelector('.seat[data-seat=\"1\"] .strong')?.offsetParent")
        .await;
    click(&bob, ".seat[data-seat='1'] .strong").await;
    bob.until(&format!("{TABLE}.seat === '1'")).await;
    let marks = |page| {
        let marked = "document.querySelectorAll('.board-cell[aria-selected=true]').length";
        BrowserPage::eval(page, marked)
    };
    for row in [0, 1, 2] {
        click(&ada, &cell(&format!("column 0 row {row}"))).await;
    }
    // a cell of another column says why it is not marked
    click(&ada, &cell("column 3 row 3")).await;
    let refused = ada
        .eval("document.querySelector('.table-main [role=alert]').textContent")
        .await;
    assert_eq!(refused, "you write column 0: only its cells can be marked");
    click(&ada, &cell("column 0 row 5")).await;
    click(&ada, &cell("column 0 row 5")).await;
    assert_eq!(marks(&ada).await, 3);
    click(&ada, "#send-column").await;
    bob.until("document.querySelector('.seat[data-seat=\"0\"] .seat-state').textContent.includes('has moved')")
        .await;
    until_turns(&ada, 0).await;
    // the other one by keys, at its own edge
    bob.keys("b").await;
    bob.until("document.activeElement.matches('.board-cell')")
        .await;
    // the cursor begins in one's own column
    bob.until("document.activeElement.ariaLabel.startsWith('column 0 ')")
        .await;
    press(&bob, Key::PageUp).await;
    for step in [
        " ",
        &char::from(Key::Down).to_string(),
        " ",
        &char::from(Key::Down).to_string(),
        " ",
    ] {
        bob.keys(step).await;
    }
    assert_eq!(marks(&bob).await, 3);
    bob.keys(&format!(
        "{}{}",
        char::from(Key::Control),
        char::from(Key::Enter)
    ))
    .await;
    until_turns(&ada, 1).await;
    until_turns(&bob, 1).await;
    // each sees its own on the left, and the other's on the right
    assert_eq!(
        stones(&ada).await,
        [
            "column 0 row 1 O",
            "column 1 row 1 O",
            "column 6 row 6 X",
            "column 7 row 6 X"
        ]
    );
    assert_eq!(
        stones(&bob).await,
        [
            "column 0 row 1 X",
            "column 1 row 1 X",
            "column 6 row 6 O",
            "column 7 row 6 O"
        ]
    );
    click(&bob, "#turn-board").await;
    assert_eq!(stones(&bob).await, stones(&ada).await);
    click(&bob, "#turn-board").await;
    // what each has left stands beside its name
    for row in [2, 3, 4] {
        click(&ada, &cell(&format!("column 0 row {row}"))).await;
    }
    click(&ada, "#send-column").await;
    click(&bob, "#send-column").await;
    for page in [&ada, &bob] {
        until_turns(page, 2).await;
        for (seat, mana) in [(0, 4), (1, 6)] {
            page.until(&format!(
                "document.querySelector('.seat[data-seat=\"{seat}\"] .seat-facts').innerText.match(/mana\\s+{mana}/)"
            ))
            .await;
        }
    }
    ada.close().await;
    bob.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_has_room_for_a_large_board() {
    let page = BrowserPage::open(&BrowserSetup {
        size: (360, 740),
        phone: true,
        ..PLAY
    })
    .await;
    sit(&page, json!({ "game": "stones", "seats": ["me", "open"] })).await;
    let fits = "document.querySelector('.board').getBoundingClientRect().right <= innerWidth
        && document.querySelector('#room').scrollWidth <= innerWidth
        && document.querySelector('.board-cell').offsetWidth >= 16";
    page.until(fits).await;
    // cells are smaller than fingers: the first touch shows what would come of it
    let touch = format!(
        "document.querySelector({:?}).dispatchEvent(new PointerEvent('click', {{ pointerType: 'touch', bubbles: true }}))",
        cell("d4")
    );
    page.eval(&touch).await;
    page.until("document.querySelector('#put-cell')?.offsetParent")
        .await;
    assert_eq!(page.text("put-cell").await, "put it at d4");
    assert_eq!(page.eval(&format!("{TABLE}.turns")).await, "0");
    click(&page, "#put-cell").await;
    until_turns(&page, 1).await;
    page.close().await;
}

/// A position handed over by another page is in the address.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_from_what_was_played_elsewhere() {
    let page = BrowserPage::open(&BrowserSetup {
        path: "/play#game=stones&turns=p3+p6",
        ..PLAY
    })
    .await;
    page.until("document.querySelector('.setup h2')?.textContent.includes('from turn 2')")
        .await;
    click(&page, "#begin").await;
    page.until("document.querySelector('.table-room:not([hidden])')")
        .await;
    until_turns(&page, 2).await;
    let begun = page
        .eval("[...document.querySelectorAll('.move .move-text')].map((move) => move.textContent)")
        .await;
    assert_eq!(begun, json!(["start", "p3", "p6"]));
    // they were not played here, and are not taken back here
    page.until("document.getElementById('take-back').disabled")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_is_told_where_it_was_wanted() {
    let page = BrowserPage::open(&PLAY).await;
    page.until("document.querySelector('.setup')").await;
    click(&page, ".game-card:has([value=another])").await;
    let text = page.client.find("#game-text").await.unwrap();
    text.send_keys("mnk:99,1,1").await.unwrap();
    click(&page, "#begin").await;
    page.until("document.querySelector('.setup-error').textContent !== ''")
        .await;
    // a page starts no program
    let second = "document.querySelectorAll('.chooser-who')[1]";
    text.clear().await.unwrap();
    text.send_keys("tictactoe").await.unwrap();
    page.eval(&format!(
        "({second}.value = 'text', {second}.dispatchEvent(new Event('change')))"
    ))
    .await;
    let player = page.client.find(".chooser-text:not([hidden])").await;
    player
        .unwrap()
        .send_keys("cmd:touch /tmp/started")
        .await
        .unwrap();
    click(&page, "#begin").await;
    page.until(
        "document.querySelector('.setup-error').textContent.includes('would start a program')",
    )
    .await;
    page.go("/play/aaaaaaaaaa").await;
    page.until("document.querySelector('.table-gone')").await;
    page.close().await;
}
