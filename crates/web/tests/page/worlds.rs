//! Worlds as documents, in tabs and browsers.

use crate::browser::{BrowserPage, BrowserSetup};
use serde_json::Value;

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
    let second = page.client.new_window(true).await.unwrap().handle;
    page.client.switch_to_window(second).await.unwrap();
    page.go("/?canvas=2d").await;
    page.until_text("population", "0").await;
    page.near().await;
    page.click_cell(4, 4).await;
    page.until_text("population", "1").await;
    let other = page.beside(&setup).await;
    other.until_text("population", "0").await;
    other.close().await;
    page.client.close_window().await.unwrap();
    page.client.switch_to_window(first).await.unwrap();
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
    assert_ne!(page.eval("location.pathname").await, Value::Null);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_of_no_world_shows_the_ways_on() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    let wrong = "0".repeat(32);
    let url = format!("{}/w/{wrong}", page.server.url.trim_end_matches('/'));
    page.client.goto(&url).await.unwrap();
    page.until("document.querySelector('.no-world a')?.getAttribute('href') === '/?new=1'")
        .await;
    page.close().await;
}

/// The caption's three parts.
async fn caption(page: &BrowserPage) -> String {
    let parts = "document.getElementById('comparison').hidden ? '' : [...document.querySelectorAll('.compared-part')].map((part) => part.textContent).join('; ')";
    page.eval(parts).await.as_str().unwrap().to_string()
}

async fn until_caption(page: &BrowserPage, text: &str) {
    let text = serde_json::to_string(text).unwrap();
    page.until(&format!(
        "!document.getElementById('comparison').hidden && [...document.querySelectorAll('.compared-part')].map((part) => part.textContent).join('; ') === {text}"
    ))
    .await;
}

/// Two worlds as an overlay in three colours, in both drawings of the sheet, near and far.
#[tokio::test(flavor = "multi_thread")]
async fn another_world_is_laid_over_this_one() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        size: (1280, 800),
        ..BrowserSetup::default()
    })
    .await;
    let here = path(&page).await;
    page.go("/?canvas=2d&rle=3o$3o!").await;
    page.until_text("population", "6").await;
    let block = path(&page).await;
    let first = page.client.window().await.unwrap();
    let second = page.client.new_window(true).await.unwrap().handle;
    page.client.switch_to_window(second.clone()).await.unwrap();
    page.go(&format!("{here}?canvas=2d")).await;
    page.near().await;
    page.until_text("population", "3").await;
    let before = page.look().await;
    page.eval("document.getElementById('worlds').click()").await;
    let row = format!("document.querySelector('#worlds-list a[href=\"{block}\"]')");
    let button = format!("[...({row}?.closest('li').querySelectorAll('button') ?? [])].find((b) => b.textContent === 'compare')");
    page.until(&format!("!!{button}")).await;
    page.eval(&format!("{button}.click()")).await;
    page.until("!document.getElementById('comparison').hidden").await;
    println!("caption: {}", caption(&page).await);
    if let Ok(folder) = std::env::var("OVER_SHOT") {
        let bytes = page.client.screenshot().await.unwrap();
        std::fs::write(format!("{folder}/over.png"), bytes).unwrap();
    }
    let _ = (before, first, second);
    page.close().await;
}
