//! The arena page in a browser.

use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;

async fn open() -> BrowserPage {
    BrowserPage::open(&BrowserSetup {
        path: "/arena",
        size: (1280, 800),
        ..BrowserSetup::default()
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_set_up_by_keys_fills_its_table_and_opens_a_game() {
    let page = open().await;
    page.until("document.querySelectorAll('.entrant').length === 5")
        .await;
    // a quick game, of three players
    page.eval("(() => { const game = document.getElementById('cup-game'); game.value = 'tictactoe'; game.dispatchEvent(new Event('change')); })()")
        .await;
    page.eval("[...document.querySelectorAll('.entrant')].slice(3).forEach((row) => row.querySelector('button').click())")
        .await;
    page.until("document.querySelectorAll('.entrant').length === 3")
        .await;
    // a player more, then one less; both without a mouse
    page.eval("document.getElementById('add-player').focus()")
        .await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until("document.querySelectorAll('.entrant').length === 4 && document.activeElement.matches('.entrant:last-child select')")
        .await;
    let tab = char::from(Key::Tab).to_string();
    page.keys(&tab).await;
    page.keys(&tab).await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until("document.querySelectorAll('.entrant').length === 3")
        .await;
    // what is refused is said there
    page.eval("document.querySelector('.entrant input').value = 'ms=99999'")
        .await;
    page.eval("document.getElementById('begin').focus()").await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until("document.querySelector('.cup-form .error').textContent !== ''")
        .await;
    page.eval("document.querySelector('.entrant input').value = ''")
        .await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until("location.pathname.length > '/arena/'.length")
        .await;
    page.until("document.getElementById('cup-stand')?.textContent === 'over'")
        .await;
    assert_eq!(page.text("cup-count").await, "30 of 30 games");
    assert_eq!(
        page.eval("document.querySelectorAll('#standings tbody tr').length")
            .await,
        3
    );
    assert_eq!(
        page.eval("document.querySelectorAll('#standings .whisker').length")
            .await,
        3
    );
    // its numbers are those of the file that one takes away
    let script = "const done = arguments[0];
        fetch(`${location.pathname}/tournament.json`).then((answer) => answer.json()).then(done);";
    let kept = page.client.execute_async(script, vec![]).await.unwrap();
    let table = page
        .eval("[...document.querySelectorAll('#standings tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
        .await;
    let rows = table.as_array().unwrap().iter();
    for (row, kept) in rows.zip(kept["players"].as_array().unwrap()) {
        let exact = |name: &str| kept[name].as_f64().unwrap();
        let elo = exact("rating").round();
        let sign = match elo {
            0.0 => "",
            ..0.0 => "\u{2212}",
            _ => "+",
        };
        let said = [
            (0, kept["place"].to_string()),
            (1, kept["name"].as_str().unwrap().into()),
            (
                2,
                format!("{sign}{} ± {}", elo.abs(), exact("rating_error").round()),
            ),
            (5, kept["games"].to_string()),
            (
                6,
                ["wins", "draws", "losses"]
                    .map(|name| kept[name].to_string())
                    .join(" "),
            ),
            (7, format!("{:.1}", exact("points"))),
        ];
        for (place, said) in said {
            assert_eq!(row[place], said.as_str(), "{row}: {kept}");
        }
    }
    page.until("document.querySelectorAll('#played li').length === 30")
        .await;
    // what each column counts
    let units = "[...document.querySelectorAll('#standings .unit')].map((unit) => unit.textContent).join('; ')";
    let units = page.eval(units).await;
    let expected = "Elo; %; played; won, drawn, lost; draws ½";
    assert!(units.as_str().unwrap().starts_with(expected), "{units}");
    // by player
    page.eval("(() => { const of = document.getElementById('games-player'); of.value = 'random'; of.dispatchEvent(new Event('change')); })()")
        .await;
    page.until("document.querySelectorAll('#played li').length === 20")
        .await;
    // a game, on the replays page
    page.eval("document.querySelector('#played a').focus()")
        .await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until("location.pathname === '/replays' && document.getElementById('viewer') && !document.getElementById('viewer').hidden")
        .await;
    page.until("document.getElementById('check').textContent.includes('played again')")
        .await;
    assert_eq!(
        page.eval("document.querySelectorAll('#board-first [role=gridcell]').length")
            .await,
        9
    );
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_tournament_shows_its_board_stops_and_goes_on() {
    let page = open().await;
    page.until("document.querySelectorAll('.entrant').length === 5")
        .await;
    let made = "const done = arguments[arguments.length - 1];
        fetch('/arena/cups', { method: 'POST', body: JSON.stringify({ game: 'stones', name: 'long',
            players: [{ player: 'mcts:ms=20' }, { player: 'mcts:ms=20', name: 'other' }], pairs: 1000 }) })
            .then((response) => response.json()).then(({ id }) => done(id));";
    let id = page.client.execute_async(made, Vec::new()).await.unwrap();
    // the list has it without being asked again
    page.until("document.querySelector('#cup-list .stand')?.textContent === 'running'")
        .await;
    page.go(&format!("/arena/{}", id.as_str().unwrap())).await;
    page.until("document.querySelector('.live-compact .board-first')?.getAttribute('d')")
        .await;
    let turns = "document.getElementById('live-words').textContent";
    let before = page.eval(turns).await;
    page.until(&format!("{turns} !== {before}")).await;
    // large, and small again
    page.eval("document.getElementById('room').focus()").await;
    page.keys("b").await;
    page.until("document.querySelectorAll('.live-whole [role=gridcell]').length === 361")
        .await;
    page.keys("b").await;
    page.until("document.querySelector('.live-whole').hidden")
        .await;
    page.keys("s").await;
    page.until_text("cup-stand", "stopped").await;
    page.keys("s").await;
    page.until_text("cup-stand", "running").await;
    page.keys("s").await;
    page.until_text("cup-stand", "stopped").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_fits_a_phone_its_large_board_too() {
    let page = BrowserPage::open(&BrowserSetup {
        path: "/arena",
        size: (360, 740),
        phone: true,
        ..BrowserSetup::default()
    })
    .await;
    let made = "const done = arguments[arguments.length - 1];
        fetch('/arena/cups', { method: 'POST', body: JSON.stringify({ game: 'duel:16x16', name: 'a long name for a cup of spring and summer',
            players: [{ player: 'mcts:ms=5' }, { player: 'mcts:ms=5,playouts=100000', name: 'somebody with a name that is rather long' }], pairs: 1000 }) })
            .then((response) => response.json()).then(({ id }) => done(id));";
    let id = page.client.execute_async(made, Vec::new()).await.unwrap();
    page.go(&format!("/arena/{}#board", id.as_str().unwrap()))
        .await;
    page.until("document.querySelectorAll('.live-whole [role=gridcell]').length === 256")
        .await;
    page.until("document.querySelectorAll('#standings tbody tr').length === 2")
        .await;
    page.until("document.getElementById('room').scrollWidth <= innerWidth && document.querySelector('.live-whole .board').getBoundingClientRect().right <= innerWidth")
        .await;
    page.eval("document.getElementById('cup-button').click()")
        .await;
    page.until_text("cup-stand", "stopped").await;
    page.close().await;
}

/// Issue 31: a tournament that was over said that no game was being played, beside an empty board.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_game_of_a_tournament_that_is_over_is_played_again() {
    let page = open().await;
    let made = "const done = arguments[arguments.length - 1];
        fetch('/arena/cups', { method: 'POST', body: JSON.stringify({ game: 'tictactoe',
            players: [{ player: 'random' }, { player: 'heuristic' }], pairs: 2 }) })
            .then((response) => response.json()).then(({ id }) => done(id));";
    let id = page.client.execute_async(made, Vec::new()).await.unwrap();
    page.go(&format!("/arena/{}", id.as_str().unwrap())).await;
    page.until_text("cup-stand", "over").await;
    // turn by turn, and then with its result
    page.until(
        "document.getElementById('live-words').textContent.startsWith('the last game, turn')",
    )
    .await;
    page.until("document.querySelector('.live-compact .board-first')?.getAttribute('d')")
        .await;
    page.until("/^the last game, [5-9] turns: .*(wins|draw)/.test(document.getElementById('live-words').textContent)")
        .await;
    assert_eq!(
        page.eval("document.getElementById('live-seats').textContent.includes('heuristic')")
            .await,
        true
    );
    // again, and then with everything that is known of it
    assert_eq!(page.text("replay-again").await, "play it again");
    page.eval("document.getElementById('replay-again').click()")
        .await;
    page.until_text("replay-again", "pause").await;
    page.eval("document.getElementById('replay-whole').click()")
        .await;
    page.until("location.pathname === '/replays' && document.getElementById('viewer') && !document.getElementById('viewer').hidden")
        .await;
    page.close().await;
}
