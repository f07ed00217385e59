//! Worlds as documents, in tabs and browsers.

use crate::browser::{BrowserPage, BrowserSetup};
use crate::pages::{axe, faults};
use crate::webdriver::Key;

async fn path(page: &BrowserPage) -> String {
    let path = page.eval("location.pathname").await;
    path.as_str().unwrap().to_string()
}

/// Issue 31: a visitor and a second tab edited the owner's sheet.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_tab_and_another_browser_have_worlds_of_their_own() {
    let setup = BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    };
    let page = BrowserPage::open(&setup).await;
    page.until_text("population", "3").await;
    let first = page.client.window().await.unwrap();
    let second = page.client.new_tab().await.unwrap();
    page.client.switch_to_window(&second).await.unwrap();
    page.go("/?canvas=2d").await;
    page.until_text("population", "0").await;
    page.near().await;
    page.click_cell(4, 4).await;
    page.until_text("population", "1").await;
    let other = page.beside(&setup).await;
    // who comes for the first time sees a gun run
    other.until_text("title-words", "Gosper glider gun").await;
    other
        .until("Number(document.getElementById('generation').textContent) > 3")
        .await;
    other.close().await;
    page.client.close_window().await.unwrap();
    page.client.switch_to_window(&first).await.unwrap();
    page.until_text("population", "3").await;
    // and it is there again when the tab is loaded anew
    let address = path(&page).await;
    page.client.refresh().await.unwrap();
    page.until_text("population", "3").await;
    assert_eq!(path(&page).await, address);
    page.close().await;
}

/// Issue 31: a link showed the old sheet where that had unsaved work, and was lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_opens_beside_unsaved_work() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    page.near().await;
    page.click_cell(4, 4).await;
    page.until_text("population", "4").await;
    let ours = path(&page).await;
    page.go("/?canvas=2d&rle=bo$2bo$3o!").await;
    page.until_text("population", "5").await;
    assert_ne!(path(&page).await, ours);
    page.go(&format!("{ours}?canvas=2d")).await;
    page.until_text("population", "4").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_invited_to_watch_sees_and_changes_nothing() {
    let setup = BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    };
    let page = BrowserPage::open(&setup).await;
    page.eval("document.getElementById('share').click()").await;
    let link = "document.getElementById('share-watch').value";
    page.until(&format!("{link} > ''")).await;
    let link = page.eval(link).await;
    let address = link.as_str().unwrap();
    let invited = &address[address.find("/w/").unwrap()..];
    let guest = page
        .beside(&BrowserSetup {
            path: &format!("{invited}&canvas=2d"),
            ..setup
        })
        .await;
    guest.until_text("population", "3").await;
    guest.near().await;
    guest.click_cell(4, 4).await;
    guest
        .until("document.body.innerText.includes('invited to watch')")
        .await;
    page.near().await;
    page.click_cell(7, 7).await;
    guest.until_text("population", "4").await;
    guest.close().await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn open_worlds_are_listed_and_closed_with_undo() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    let here = path(&page).await;
    page.go("/?canvas=2d&name=acorn").await;
    page.until_text("population", "7").await;
    let acorn = path(&page).await;
    page.go(&format!("{here}?canvas=2d")).await;
    page.eval("document.getElementById('worlds').click()").await;
    let row = format!("document.querySelector('#worlds-list a[href=\"{acorn}\"]')");
    page.until(&format!("!!{row}")).await;
    let text = page.eval(&format!("{row}.closest('li').textContent")).await;
    assert!(text.as_str().unwrap().contains("Acorn"), "{text}");
    page.eval(&format!(
        "{row}.closest('li').querySelector('button:last-of-type').click()"
    ))
    .await;
    page.until(&format!(
        "!{row} && !!document.querySelector('#worlds-list button')"
    ))
    .await;
    page.eval("document.querySelector('#worlds-list button').click()")
        .await;
    page.until(&format!("!!{row}")).await;
    // Escape closes the list, also where it was opened before and its rows are made anew
    for _ in 0..2 {
        page.keys(&char::from(Key::Escape).to_string()).await;
        page.until("document.getElementById('worlds-paper').hidden && document.activeElement.id === 'worlds'")
            .await;
        page.eval(&format!("(window.before = {row})")).await;
        page.eval("document.getElementById('worlds').click()").await;
        page.until(&format!("{row} && {row} !== window.before"))
            .await;
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_of_no_world_shows_the_ways_on() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    let server = page.server.url.trim_end_matches('/');
    for wrong in ["0".repeat(32), "mine".into()] {
        let url = format!("{server}/w/{wrong}");
        page.client.goto(&url).await.unwrap();
        page.until("document.querySelector('.no-world a')?.getAttribute('href') === '/?new=1'")
            .await;
    }
    // an address of nothing at all too, in the theme that was chosen
    page.eval("localStorage.setItem('gridpaper.theme', 'night')")
        .await;
    let url = format!("{server}/nothing");
    page.client.goto(&url).await.unwrap();
    page.until("document.querySelector('.no-world a')?.getAttribute('href') === '/'")
        .await;
    page.until("document.documentElement.dataset.theme === 'night'")
        .await;
    page.close().await;
}

/// Waits for what the caption of a comparison says, piece by piece.
async fn until_caption(page: &BrowserPage, text: &str) {
    page.until(&format!(
        "!document.getElementById('comparison').hidden && [...document.querySelectorAll('.compared-part')]
            .map((part) => part.textContent).join('; ') === {text:?}"
    ))
    .await;
}

/// The colours of a cell of both worlds, of one here alone and of one there alone.
async fn until_compared_colours(page: &BrowserPage, cells: [(i64, i64); 3]) {
    const PAPER: [[u8; 3]; 3] = [[0x1d, 0x24, 0x33], [0x1f, 0x5f, 0xae], [0xb8, 0x32, 0x2a]];
    let near = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 24);
    let mut seen = Vec::new();
    for _ in 0..20 {
        let look = page.look().await;
        seen.clear();
        for (x, y) in cells {
            let (x, y) = page.pixel_of(x, y).await;
            seen.push(look.colour(x, y));
        }
        if seen
            .iter()
            .zip(PAPER)
            .all(|(&seen, colour)| near(seen, colour))
        {
            return;
        }
    }
    panic!("{cells:?} have the colours {seen:?}");
}

/// Opens the page's world beside another one that holds these cells, and compares the two.
async fn compared(pattern: &'static str, other: &str) -> (BrowserPage, String) {
    let page = BrowserPage::open(&BrowserSetup {
        pattern,
        ..BrowserSetup::default()
    })
    .await;
    let here = path(&page).await;
    page.go(&format!("/?canvas=2d&rle={other}")).await;
    page.until("document.getElementById('population').textContent > '0'")
        .await;
    let other = path(&page).await;
    page.go(&format!("{here}?canvas=2d")).await;
    page.near().await;
    page.command(&format!("compare {}", other.trim_start_matches("/w/")))
        .await;
    page.until("!document.getElementById('comparison').hidden")
        .await;
    (page, other)
}

/// Issue 31: two worlds that are compared step together, forward, back and while they run.
#[tokio::test(flavor = "multi_thread")]
async fn worlds_that_are_compared_step_together() {
    let (page, _) = compared("blinker", "3o$3o!").await;
    page.press("step").await;
    let alone = "live in both: 2; only here: 1; only in untitled, generation 0: 4";
    until_caption(&page, alone).await;
    page.press("compare together toggle").await;
    page.until(
        "document.getElementById('compared-together').getAttribute('aria-pressed') === 'true'",
    )
    .await;
    // one generation apart, as they were
    page.press("step").await;
    let stepped = "live in both: 2; only here: 1; only in untitled, generation 1: 4";
    page.until_text("generation", "2").await;
    until_caption(&page, stepped).await;
    page.command("back").await;
    page.until_text("generation", "1").await;
    until_caption(&page, alone).await;
    page.command("goto 51").await;
    page.until_text("generation", "51").await;
    page.until("document.getElementById('compared-there').textContent.startsWith('only in untitled, generation 50:')")
        .await;
    // no frame shows one of the two ahead of the other
    page.eval(
        "(() => {
             window.apart = [];
             const sheet = document.getElementById('sheet');
             const look = () => {
                 const there = document.getElementById('compared-there').textContent.match(/generation (\\d+)/);
                 window.apart.push(Number(sheet.dataset.generation) - Number(there[1]));
             };
             new MutationObserver(look).observe(sheet, { attributeFilter: ['data-generation'] });
         })()",
    )
    .await;
    page.command("run").await;
    page.until("window.apart.length > 20").await;
    page.command("stop").await;
    let apart = page.eval("[...new Set(window.apart)]").await;
    assert_eq!(apart, serde_json::json!([1]));
    // by itself again
    page.command("goto 200").await;
    page.until_text("generation", "200").await;
    page.until("document.getElementById('compared-there').textContent.includes('generation 199')")
        .await;
    page.press("compare together toggle").await;
    page.until(
        "document.getElementById('compared-together').getAttribute('aria-pressed') === 'false'",
    )
    .await;
    page.press("step").await;
    page.until_text("generation", "201").await;
    page.until("document.getElementById('compared-there').textContent.includes('generation 199')")
        .await;
    page.close().await;
}

/// Two worlds as an overlay in three colours, in both drawings of the sheet, near and far.
#[tokio::test(flavor = "multi_thread")]
async fn another_world_is_laid_over_this_one() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    let here = path(&page).await;
    page.go("/?canvas=2d&rle=3o$3o!").await;
    page.until_text("population", "6").await;
    let other = path(&page).await;
    let first = page.client.window().await.unwrap();
    let second = page.client.new_tab().await.unwrap();
    page.client.switch_to_window(&second).await.unwrap();
    page.go(&format!("{here}?canvas=2d")).await;
    page.near().await;
    page.until_text("population", "3").await;
    page.eval("document.getElementById('worlds').click()").await;
    let button = format!(
        "[...(document.querySelector('#worlds-list a[href=\"{other}\"]')?.closest('li').querySelectorAll('button') ?? [])]
            .find((button) => button.textContent === 'compare')"
    );
    page.until(&format!("!!{button}")).await;
    page.eval(&format!("{button}.click()")).await;
    until_caption(
        &page,
        "live in both: 3; only here: 0; only in untitled, generation 0: 3",
    )
    .await;
    page.press("step").await;
    until_caption(
        &page,
        "live in both: 2; only here: 1; only in untitled, generation 0: 4",
    )
    .await;
    until_compared_colours(&page, [(1, 0), (1, -1), (0, 0)]).await;
    page.client.execute(&axe(), Vec::new()).await.unwrap();
    assert_eq!(faults(&page, "").await, Vec::<String>::new());
    // the other world goes on in its own tab
    page.client.switch_to_window(&first).await.unwrap();
    page.press("step").await;
    page.until_text("generation", "1").await;
    page.client.switch_to_window(&second).await.unwrap();
    let stepped = "live in both: 1; only here: 2; only in untitled, generation 1: 5";
    until_caption(&page, stepped).await;
    page.command("zoom 1:2").await;
    page.until(
        "[...document.querySelectorAll('.compared-part')].every((part) => / pixels?$/.test(part.textContent))",
    )
    .await;
    page.press("compare off").await;
    page.until("document.getElementById('comparison').hidden")
        .await;
    // the command by itself, and the graphics card's drawing
    page.go(&format!("{here}?canvas=webgl2")).await;
    page.near().await;
    page.command(&format!("compare {}", other.trim_start_matches("/w/")))
        .await;
    until_caption(&page, stepped).await;
    assert_eq!(
        page.eval("document.getElementById('sheet').dataset.drawing")
            .await,
        "webgl2"
    );
    until_compared_colours(&page, [(1, -1), (1, 0), (0, 0)]).await;
    page.close().await;
}
