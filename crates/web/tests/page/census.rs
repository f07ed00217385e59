//! The census page: soups are counted while one watches, and what they leave is opened on a sheet.

use crate::browser::{BrowserPage, BrowserSetup};

#[tokio::test(flavor = "multi_thread")]
async fn soups_are_counted_searched_and_opened() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.go("/census").await;
    let fill = |name: &str, value: &str| {
        format!("document.getElementById('census-{name}').value = '{value}'")
    };
    // what means nothing is refused at its place
    page.eval(&fill("rule", "B3/S23x")).await;
    page.eval("document.getElementById('census-start').click()")
        .await;
    page.until("document.querySelector('#census-answer .error') !== null")
        .await;
    page.eval(&fill("rule", "B3/S23")).await;
    page.eval(&fill("root", "census_seed_a")).await;
    page.eval(&fill("soups", "100")).await;
    page.eval("document.getElementById('census-start').click()")
        .await;
    page.until("document.getElementById('census-words').textContent.startsWith('100 soups')")
        .await;
    let first = page
        .eval("document.querySelector('#census-rows tr a').textContent")
        .await;
    assert_eq!(first, "block");
    let counts = "[...document.querySelectorAll('#census-rows tr td:nth-child(4)')].map((cell) => Number(cell.textContent))";
    let falling = page
        .eval(&format!(
            "{counts}.every((count, at, all) => at === 0 || count <= all[at - 1])"
        ))
        .await;
    assert_eq!(falling, true);
    // the search asks for ships, and sorting by name puts another first
    page.eval("document.querySelector('[data-sort=name]').click()")
        .await;
    page.until("document.querySelector('#census-rows tr a').textContent < 'block'")
        .await;
    page.eval("document.getElementById('census-search').focus()")
        .await;
    page.keys("glider").await;
    page.until("document.querySelectorAll('#census-rows tr').length === 1")
        .await;
    // a soup that leaves one is opened on a sheet of its own
    page.eval("document.querySelector('#census-rows tr td:last-child a').click()")
        .await;
    page.until("location.pathname.startsWith('/w/') && document.getElementById('population')?.textContent > '0'")
        .await;
    page.close().await;
}
