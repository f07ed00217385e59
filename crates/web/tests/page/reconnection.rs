//! Reloads, other tabs, and a server that goes away.

use crate::browser::{BrowserPage, BrowserSetup, BrowserTestServer};
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_keeps_the_work() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    page.near().await;
    page.click_cell(6, 3).await;
    page.until_text("population", "4").await;
    page.client.refresh().await.unwrap();
    page.until_text("population", "4").await;
    page.near().await;
    page.until_cells(5, 2, "...\n.o.\n...").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_see_the_world_of_their_address() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    let first = page.client.window().await.unwrap();
    let address = page.eval("location.pathname").await;
    let second = page.client.new_tab().await.unwrap();
    page.client.switch_to_window(&second).await.unwrap();
    page.go(&format!("{}?canvas=2d", address.as_str().unwrap()))
        .await;
    page.near().await;
    page.click_cell(4, 4).await;
    page.until_text("population", "4").await;
    page.client.switch_to_window(&first).await.unwrap();
    page.until_text("population", "4").await;
    page.near().await;
    page.until_cells(3, 3, "...\n.o.\n...").await;
    page.press("step").await;
    page.until_text("generation", "1").await;
    page.client.switch_to_window(&second).await.unwrap();
    page.until_text("generation", "1").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_started_anew_has_the_work_still() {
    let state = tempfile::tempdir().unwrap();
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        state: Some(state.path()),
        ..BrowserSetup::default()
    })
    .await;
    page.near().await;
    page.click_cell(7, 7).await;
    page.until_text("population", "4").await;
    page.close().await;
    let again = BrowserTestServer::new("", Some(state.path()));
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    let url = format!("{}/?canvas=2d", again.url.trim_end_matches('/'));
    page.client.goto(&url).await.unwrap();
    page.until_text("population", "4").await;
    page.until("!document.getElementById('unsaved').hidden")
        .await;
    page.close().await;
}

/// The page asked for ever.
#[tokio::test(flavor = "multi_thread")]
async fn a_world_that_is_gone_with_its_server_is_a_page_with_the_ways_on() {
    let mut page = BrowserPage::open(&BrowserSetup::default()).await;
    let port = page.eval("location.port").await;
    let port = port.as_str().unwrap().parse().unwrap();
    // the server of the page stops, and its port is free
    page.server = Arc::new(BrowserTestServer::new("", None));
    page.server = Arc::new(BrowserTestServer::on_port(port, "", None));
    page.until("document.querySelector('.no-world p')?.textContent.includes('no such world')")
        .await;
    page.close().await;
}
