//! The README's pictures, taken by `cargo xtask pictures`.

use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;
use std::path::Path;

/// Writes what the window shows to a file in the README's folder.
async fn take(page: &BrowserPage, name: &str) {
    // a pointer over the sheet would show a cell
    page.eval("document.activeElement.blur()").await;
    page.settle().await;
    keep(page, name).await;
}

/// The same with the focus where it is.
async fn keep(page: &BrowserPage, name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    let bytes = page.client.screenshot().await.unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes pictures; cargo xtask pictures"]
async fn pictures_of_the_page() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "gosper-glider-gun",
        size: (1280, 800),
        ..BrowserSetup::default()
    })
    .await;
    page.command("stop").await;
    page.command("theme paper").await;
    page.command("goto 110").await;
    page.until_text("generation", "110").await;
    page.command("zoom 14").await;
    page.command("centre 20,16").await;
    take(&page, "page.png").await;

    page.command("open r-pentomino").await;
    // whoever has drawn once knows how: the hint goes with the first stroke
    page.click_cell(5, 5).await;
    page.press("undo").await;
    page.eval("document.getElementById('note-close').click()")
        .await;
    page.command("theme blueprint").await;
    page.command("age on").await;
    page.command("history on").await;
    for generation in [200, 240] {
        page.command(&format!("goto {generation}")).await;
        page.until_text("generation", &generation.to_string()).await;
    }
    page.command("zoom 7").await;
    page.command("centre 24,2").await;
    page.panel("library").await;
    let chip = "[...document.querySelectorAll('#panel-library button')].find((b) => b.textContent.trim() === 'gun')";
    page.eval(&format!("{chip}.click()")).await;
    page.until("[...document.querySelectorAll('#panel-library img')].slice(0, 2).every((i) => i.complete && i.naturalWidth > 0)")
        .await;
    take(&page, "page-library.png").await;
    page.close().await;
}

/// What an asynchronous expression of the page comes to.
async fn asked(page: &BrowserPage, expression: &str) -> serde_json::Value {
    let script = format!(
        "const done = arguments[arguments.length - 1];
        const post = (path, what) => fetch(path, {{ method: 'POST', body: JSON.stringify(what) }})
            .then((response) => response.json());
        {expression}.then(done, (error) => done(String(error)));"
    );
    page.client
        .execute_async(&script, Vec::new())
        .await
        .unwrap()
}

/// Takes a page in both themes.
async fn take_both(page: &BrowserPage, path: &str, name: &str, ready: &[&str]) {
    for (theme, file) in [
        ("paper", format!("{name}.png")),
        ("blueprint", format!("{name}-blueprint.png")),
    ] {
        page.eval(&format!(
            "localStorage.setItem('gridpaper.theme', '{theme}')"
        ))
        .await;
        page.go(path).await;
        for condition in ready {
            page.until(condition).await;
        }
        take(page, &file).await;
    }
}

/// The moves of one of the games that come with the project.
fn moves(replay: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../matches/replays");
    let text = std::fs::read_to_string(path.join(replay)).unwrap();
    let record = matches::replay::read_text(&text)
        .next()
        .unwrap()
        .unwrap()
        .record;
    let opening = record.opening.into_iter();
    opening
        .chain(record.turns.into_iter().map(|turn| turn.text))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes pictures; cargo xtask pictures"]
async fn pictures_of_the_rooms() {
    let page = BrowserPage::open(&BrowserSetup {
        path: "/play",
        size: (1280, 943),
        ..BrowserSetup::default()
    })
    .await;

    let turns = serde_json::json!(moves("stones.replay")[..48]);
    let table = asked(
        &page,
        &format!(
            "post('/play/tables', {{ game: 'stones', seats: ['me', 'strong:nodes=5000'], name: 'ada', turns: {turns} }})
                .then((told) => {{
                    localStorage.setItem('gridpaper.play.tables', JSON.stringify([{{ ...told, words: 'stones' }}]));
                    return told.id;
                }})"
        ),
    )
    .await;
    let table = table.as_str().unwrap();
    take_both(
        &page,
        &format!("/play/{table}"),
        "play",
        &[
            "document.querySelectorAll('#room [role=gridcell]').length === 361",
            "document.querySelectorAll('.marks path, #play-board svg path').length > 3",
        ],
    )
    .await;

    take_both(
        &page,
        "/laser?level=hard-07",
        "laser",
        &["document.querySelectorAll('#room [role=gridcell]').length > 8"],
    )
    .await;

    for (theme, file) in [
        ("paper", "classroom.png"),
        ("blueprint", "classroom-blueprint.png"),
    ] {
        page.eval(&format!(
            "localStorage.setItem('gridpaper.theme', '{theme}')"
        ))
        .await;
        page.go("/classroom").await;
        page.until("document.querySelectorAll('#room [role=grid] canvas').length === 5")
            .await;
        // the page takes up where it was left
        for (button, round) in [("class-start", "0"), ("class-step", "1")] {
            page.eval(&format!("document.getElementById('{button}').click()"))
                .await;
            page.until_text("class-round", round).await;
        }
        page.eval("document.querySelectorAll('#room [role=gridcell]')[2].focus()")
            .await;
        page.keys(&char::from(Key::Right).to_string().repeat(9))
            .await;
        page.keys(&char::from(Key::Down).to_string().repeat(9))
            .await;
        page.until("document.getElementById('class-why-head').textContent.includes('9,9')")
            .await;
        page.settle().await;
        keep(&page, file).await;
    }

    let cup = asked(
        &page,
        "post('/arena/cups', { name: 'spring cup', game: 'stones', kind: 'round-robin', pairs: 40, seed: 7, players: [
            { name: 'strong', player: 'strong:nodes=4000' }, { name: 'material', player: 'material' },
            { name: 'tree', player: 'mcts:playouts=60,cutoff=5' }, { name: 'chance', player: 'random' },
        ] }).then(({ id }) => id)",
    )
    .await;
    let cup = cup.as_str().unwrap();
    take_both(
        &page,
        &format!("/arena/{cup}"),
        "arena",
        &[
            "Number.parseInt(document.getElementById('cup-count').textContent) > 24",
            "/^pair/.test(document.getElementById('live-words').textContent)",
        ],
    )
    .await;

    take_both(
        &page,
        "/replays?ours=duel",
        "replays",
        &[
            "!document.getElementById('viewer').hidden",
            "(document.getElementById('views').click(), true)",
            "(() => {
            const scrub = document.getElementById('scrub');
            scrub.value = '100';
            scrub.dispatchEvent(new Event('input', { bubbles: true }));
            return true;
          })()",
            "document.getElementById('ply').value === '100'",
        ],
    )
    .await;
    page.close().await;
}

/// Five pictures of what others do not do, for the README's tour.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes pictures; cargo xtask pictures"]
async fn pictures_of_the_tour() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "gosper-glider-gun",
        size: (960, 743),
        ..BrowserSetup::default()
    })
    .await;
    // a number of generations that nobody counts
    page.command("stop").await;
    page.command("theme night").await;
    page.command("goto 10^30").await;
    page.until("document.getElementById('generation').textContent.includes('×10³⁰')")
        .await;
    page.command("zoom 9").await;
    page.command("centre 30,18").await;
    page.eval("document.getElementById('hint').hidden = true")
        .await;
    take(&page, "tour-generations.png").await;

    // two worlds that differ by one cell, step by step
    page.go("/?canvas=2d&name=r-pentomino").await;
    page.until_text("population", "5").await;
    let other = page.eval("location.pathname").await;
    let other = other
        .as_str()
        .unwrap()
        .trim_start_matches("/w/")
        .to_string();
    page.go("/?canvas=2d&new=1&name=r-pentomino").await;
    page.until_text("population", "5").await;
    page.command("theme paper").await;
    page.command("zoom 8").await;
    page.command("centre 2,2").await;
    page.click_cell(9, 1).await;
    page.click_cell(9, 2).await;
    page.click_cell(9, 3).await;
    page.eval("document.getElementById('note-close').click()")
        .await;
    page.command(&format!("compare {other}")).await;
    page.until("!document.getElementById('comparison').hidden")
        .await;
    page.command("compare together on").await;
    page.command("goto 190").await;
    page.until_text("generation", "190").await;
    page.until("document.getElementById('compared-there').textContent.includes('generation 190')")
        .await;
    page.command("fit").await;
    page.eval("document.getElementById('note-close').click()")
        .await;
    take(&page, "tour-overlay.png").await;

    // what an oscillator is, each cell by its period
    page.go("/?canvas=2d&name=beluchenkos-p37").await;
    page.until("Number(document.getElementById('population').textContent) > 40")
        .await;
    page.command("theme paper").await;
    page.command("zoom 11").await;
    page.command("pan 215,0").await;
    page.command("colouring heat").await;
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys("i").await;
    page.until("document.querySelector('.period-map') !== null")
        .await;
    page.eval("document.getElementById('note-close').click()")
        .await;
    take(&page, "tour-identify.png").await;

    // a search whose answer is that there is none
    page.eval("localStorage.setItem('gridpaper.theme', 'paper')")
        .await;
    page.client.set_window_size(960, 640).await.unwrap();
    page.go("/search?task=osc&period=3&width=5&height=5&begin=1")
        .await;
    page.until("document.getElementById('search-words').textContent.startsWith('there is no')")
        .await;
    take(&page, "tour-none.png").await;

    // players that are rated, with what is known of each
    let cup = asked(
        &page,
        "post('/arena/cups', { name: 'autumn cup', game: 'stones', kind: 'round-robin', pairs: 6, seed: 7, players: [
            { name: 'strong', player: 'strong:nodes=4000' }, { name: 'material', player: 'material' },
            { name: 'tree', player: 'mcts:playouts=60,cutoff=5' }, { name: 'chance', player: 'random' },
        ] }).then(({ id }) => id)",
    )
    .await;
    page.client.set_window_size(1280, 943).await.unwrap();
    page.go(&format!("/arena/{}", cup.as_str().unwrap())).await;
    page.until("Number.parseInt(document.getElementById('cup-count').textContent) > 60")
        .await;
    take(&page, "tour-rated.png").await;
    page.close().await;
}
