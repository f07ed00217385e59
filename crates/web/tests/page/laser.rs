//! The laser page: levels played by pointer and keys, the editor, the generator, links.

use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;
use crate::webdriver::MouseAction;
use grid::Point;
use laser::play::{PieceMove, describe_tile};
use laser::solver::{Aim, Question, solve};
use laser::{Board, Move, level};

/// Has the page's socket caught as soon as it says something.
pub(crate) const CAUGHT: &str = "(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (...all) {
        window.caught = this;
        return send.apply(this, all);
    };
})()";

async fn open(path: &str) -> BrowserPage {
    let page = BrowserPage::open(&BrowserSetup {
        path,
        size: (1280, 800),
        ..BrowserSetup::default()
    })
    .await;
    page.until("document.querySelectorAll('#room [role=gridcell]').length > 8")
        .await;
    page
}

/// The fewest moves that solve a built-in level.
fn way(name: &str) -> Vec<Move> {
    let board = level::find(name).unwrap().board();
    let answer = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
    assert!(answer.is_fewest);
    answer.moves.unwrap()
}

/// The middle of a cell, in pixels of the window.
async fn pixel(page: &BrowserPage, board: &Board, place: Point) -> (f64, f64) {
    let cell = board.index(place).unwrap();
    let found = page
        .eval(&format!(
            "(() => {{
                const box = document.querySelector('[role=gridcell][data-cell=\"{cell}\"]').getBoundingClientRect();
                return [box.left + box.width / 2, box.top + box.height / 2];
            }})()"
        ))
        .await;
    (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
}

async fn drag(page: &BrowserPage, board: &Board, step: Move) {
    let (from, to) = (
        pixel(page, board, step.from).await,
        pixel(page, board, step.to).await,
    );
    let go = |(x, y): (f64, f64)| MouseAction::MoveTo(x, y);
    let mouse = [
        go(from),
        MouseAction::Down,
        go(((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0)),
        go(to),
        MouseAction::Up,
    ];
    page.client.perform(&mouse).await.unwrap();
}

async fn click(page: &BrowserPage, id: &str) {
    page.eval(&format!("document.getElementById('{id}').click()"))
        .await;
}

fn key(key: Key) -> String {
    char::from(key).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_level_is_solved_by_drags_and_progress_is_kept() {
    let name = "easy-04";
    let page = open(&format!("/laser?level={name}")).await;
    page.until_text("laser-name", name).await;
    let board = level::find(name).unwrap().board();
    let steps = way(name);
    page.eval(CAUGHT).await;
    for (index, &step) in steps.iter().enumerate() {
        drag(&page, &board, step).await;
        page.until_text("laser-moves", &(index + 1).to_string())
            .await;
        // a connection that is lost on the way takes nothing along
        if index == 0 {
            page.eval("window.before = caught, caught.close()").await;
            page.until("caught !== before && caught.readyState === WebSocket.OPEN")
                .await;
            page.until_text("laser-moves", "1").await;
        }
    }
    page.until("document.querySelector('#laser-state.is-solved')")
        .await;
    let state = page.text("laser-state").await;
    assert!(state.contains("none solves it in fewer"), "{state}");
    page.until_text("laser-solved", "1 of 113 solved").await;
    // all sensors are seen to be lit
    let dark = page
        .eval("[...document.querySelectorAll('[role=gridcell]')].filter((c) => /sensor.*dark/.test(c.ariaLabel)).length")
        .await;
    assert_eq!(dark, 0);
    page.client.refresh().await.unwrap();
    page.until_text("laser-solved", "1 of 113 solved").await;
    page.until_text("laser-best", &steps.len().to_string())
        .await;
    page.until(
        "document.querySelector('.laser-level.is-best').ariaLabel.startsWith('easy-04, solved in')",
    )
    .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_level_is_solved_by_keys_alone() {
    let name = "easy-09";
    let page = open(&format!("/laser?level={name}")).await;
    page.until_text("laser-name", name).await;
    // from the top of the page, as somebody without a mouse comes there
    for _ in 0..30 {
        if page
            .eval("document.activeElement.getAttribute('role') === 'gridcell'")
            .await
            == true
        {
            break;
        }
        page.keys(&key(Key::Tab)).await;
    }
    let steps = way(name);
    for (index, step) in steps.iter().enumerate() {
        for place in [step.from, step.to] {
            let here = page.eval("document.activeElement.ariaLabel").await;
            let here = here
                .as_str()
                .unwrap()
                .split(' ')
                .next()
                .unwrap()
                .to_string();
            let (x, y) = here.split_once(',').unwrap();
            let (x, y): (i64, i64) = (x.parse().unwrap(), y.parse().unwrap());
            let mut presses = String::new();
            let across = if place.x > x { Key::Right } else { Key::Left };
            let down = if place.y > y { Key::Down } else { Key::Up };
            presses.extend(std::iter::repeat_n(
                char::from(across),
                x.abs_diff(place.x) as usize,
            ));
            presses.extend(std::iter::repeat_n(
                char::from(down),
                y.abs_diff(place.y) as usize,
            ));
            presses.push(char::from(Key::Enter));
            page.keys(&presses).await;
            page.until(&format!(
                "document.activeElement.ariaLabel.startsWith('{},{} ')",
                place.x, place.y
            ))
            .await;
        }
        page.until_text("laser-moves", &(index + 1).to_string())
            .await;
    }
    page.until("document.querySelector('#laser-state.is-solved')")
        .await;
    // the keys are the puzzle's own
    page.keys("u").await;
    page.until_text("laser-moves", &(steps.len() - 1).to_string())
        .await;
    page.keys("r").await;
    page.until_text("laser-moves", &steps.len().to_string())
        .await;
    page.keys("n").await;
    page.until_text("laser-name", "easy-10").await;
    page.keys("h").await;
    page.until("document.querySelector('[aria-label*=\"hint: to here\"]')")
        .await;
    // the hint, the solution's list and the cells name pieces and places alike
    let board = level::find("easy-10").unwrap().board();
    let step = way("easy-10")[0];
    let told = PieceMove::on(&board, step).unwrap().to_string();
    let hint = page.text("note-words").await;
    assert!(hint.contains(&told), "{hint} and {told}");
    page.eval("document.querySelector('[data-do=solution]').click()")
        .await;
    page.until(&format!(
        "document.querySelector('#laser-way-list li')?.textContent === {told:?}"
    ))
    .await;
    let (cell, tile) = (
        board.index(step.from).unwrap(),
        describe_tile(board.at(step.from).unwrap()),
    );
    page.until(&format!(
        "document.querySelector('[data-cell=\"{cell}\"]').ariaLabel.startsWith({:?})",
        format!("{},{} {tile}", step.from.x, step.from.y)
    ))
    .await;
    for (ruler, lines) in [("columns", board.width()), ("rows", board.height())] {
        let numbers: Vec<String> = (0..lines).map(|line| line.to_string()).collect();
        let seen = format!(
            "[...document.querySelectorAll('.laser-ruler.is-{ruler} span')].map((it) => it.innerText).join(' ')"
        );
        assert_eq!(page.eval(&seen).await, numbers.join(" "));
    }
    page.close().await;
}

/// A text for the editor.
async fn take(page: &BrowserPage, text: &str) {
    page.eval(&format!(
        "(document.getElementById('edit-text').value = {}, document.getElementById('edit-take').click())",
        serde_json::json!(text)
    ))
    .await;
}

async fn until_verdict(page: &BrowserPage, words: &str) {
    page.until(&format!(
        "document.getElementById('laser-verdict').dataset.done === 'true' &&
            document.getElementById('laser-verdict').textContent.includes({words:?})"
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_knows_what_a_drawing_is_worth() {
    let page = open("/laser").await;
    page.eval("document.querySelector('.laser-modes [data-mode=edit]').click()")
        .await;
    // a level with one solution
    let unique = level::find("easy-01").unwrap();
    take(&page, unique.text).await;
    until_verdict(&page, "one solution").await;
    until_verdict(&page, "2 moves").await;
    // the same with its beam walled in
    let walled = unique.text.replacen(". L<", "W L<", 1);
    assert_ne!(walled, unique.text);
    take(&page, &walled).await;
    until_verdict(&page, "this level cannot be solved").await;
    click(&page, "edit-play").await;
    page.until("document.getElementById('note').classList.contains('is-error')")
        .await;
    let note = page.text("note-words").await;
    assert!(note.contains("cannot be solved"), "{note}");
    assert_eq!(
        page.eval("document.getElementById('room').dataset.mode")
            .await,
        "edit"
    );
    // one can go on: a click with the wall in hand takes the wall away
    let board: Board = walled.parse().unwrap();
    let (x, y) = pixel(&page, &board, Point::new(6, 2)).await;
    let mouse = [
        MouseAction::MoveTo(x, y),
        MouseAction::Down,
        MouseAction::Up,
    ];
    page.client.perform(&mouse).await.unwrap();
    until_verdict(&page, "one solution").await;
    // and undo puts it back
    click(&page, "edit-undo").await;
    until_verdict(&page, "this level cannot be solved").await;
    // a text that is none says where, and the drawing stays
    take(&page, "3 2\nW W W\nW ? W\n").await;
    page.until(
        "document.getElementById('edit-error').textContent.startsWith('line 3, column 3: ')",
    )
    .await;
    until_verdict(&page, "this level cannot be solved").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn levels_are_made_to_order_and_a_link_opens_the_same() {
    let page = open("/laser").await;
    page.eval("document.querySelector('.laser-modes [data-mode=make]').click()")
        .await;
    for (id, value) in [
        ("make-width", "7"),
        ("make-height", "6"),
        ("make-pieces", "3"),
        ("make-seed", "2026"),
    ] {
        page.eval(&format!(
            "(document.getElementById('{id}').value = '{value}')"
        ))
        .await;
    }
    click(&page, "make-go").await;
    page.until_text("laser-name", "seed 2026").await;
    // what is said below the board is about the new level
    page.until("document.getElementById('laser-about').textContent === '7 x 6'")
        .await;
    page.until(
        "(() => {
            const cell = document.querySelector('[role=gridcell][tabindex=\"0\"]');
            return cell.ariaLabel.startsWith(document.getElementById('laser-here').textContent);
        })()",
    )
    .await;
    let words = page.text("make-words").await;
    assert!(
        words.starts_with("seed 2026: ") && words.contains("one solution"),
        "{words}"
    );
    let seen = "[...document.querySelectorAll('[role=gridcell]')].map((c) => c.ariaLabel).join()";
    let here = page.eval(seen).await;
    page.until("location.hash.startsWith('#b=')").await;
    let link = page.eval("location.pathname + location.hash").await;
    let other = open(link.as_str().unwrap()).await;
    other.until_text("laser-name", "a level from a link").await;
    assert_eq!(other.eval(seen).await, here);
    other.close().await;
    // what cannot be made is said in the generator's words
    page.eval("(document.getElementById('make-pieces').value = '90')")
        .await;
    click(&page, "make-go").await;
    page.until("document.getElementById('make-words').textContent.includes('no room')")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_level_is_drawn_by_keys_alone() {
    let page = open("/laser").await;
    page.keys("e").await;
    page.until("document.getElementById('room').dataset.mode === 'edit'")
        .await;
    page.eval("(document.getElementById('edit-width').value = '5', document.getElementById('edit-height').value = '4', document.getElementById('edit-width').dispatchEvent(new Event('change')), document.getElementById('edit-clear').click())")
        .await;
    until_verdict(&page, "no sensor").await;
    page.eval("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()")
        .await;
    let right = key(Key::Right);
    // a laser at 0,1 that points east; a mirror on its way; a sensor at its end that opens west
    for press in [
        &key(Key::Home),
        &key(Key::Down),
        "l",
        " ",
        &right,
        "m",
        " ",
        &right,
        &right,
        &right,
        "s",
        "s",
        "s",
        " ",
    ] {
        page.keys(press).await;
    }
    page.until("document.getElementById('edit-text').value.includes('L>M/. . S<')")
        .await;
    until_verdict(&page, "1 move").await;
    page.keys("u").await;
    until_verdict(&page, "no sensor").await;
    page.keys("r").await;
    until_verdict(&page, "1 move").await;
    page.close().await;
}
