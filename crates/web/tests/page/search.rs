//! The search page: what is wanted is said and drawn, looked for, and put on a sheet.

use crate::browser::{BrowserPage, BrowserSetup};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_drawn_is_found_and_opened() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.go("/search").await;
    let fill = |name: &str, value: &str| {
        format!("document.getElementById('search-{name}').value = '{value}'")
    };
    let find = "document.getElementById('search-start').click()";
    // what means nothing is refused at its place
    page.eval(&fill("rule", "B3/S23x")).await;
    page.eval(find).await;
    page.until("document.querySelector('#search-answer .error') !== null")
        .await;
    page.eval(&fill("rule", "B3/S23")).await;
    // none is an answer too
    page.eval(&fill("width", "4")).await;
    page.eval(&fill("height", "4")).await;
    page.eval(find).await;
    page.until("document.getElementById('search-words').textContent.startsWith('there is no oscillator of period 3')")
        .await;
    // a live cell is drawn with a click, in the middle of a box whose other cells are free
    page.eval(&fill("period", "2")).await;
    page.eval(&fill("width", "3")).await;
    page.eval(&fill("height", "3")).await;
    page.eval("document.querySelector('#search-known summary').click()")
        .await;
    page.until("document.querySelector('#search-sheet svg') !== null")
        .await;
    page.eval("(() => { const svg = document.querySelector('#search-sheet svg'); const box = svg.getBoundingClientRect();
        svg.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 })); })()")
        .await;
    let drawn = page
        .eval("document.getElementById('search-drawing').value")
        .await;
    assert_eq!(drawn, "3?$?o?$3?!");
    page.eval(find).await;
    page.until("document.querySelectorAll('#search-rows tr').length === 1")
        .await;
    let first = page
        .eval("document.querySelector('#search-rows td:nth-child(2)').textContent")
        .await;
    assert_eq!(first, "blinkerxp2_7");
    page.eval("document.querySelector('#search-rows a').click()")
        .await;
    page.until("location.pathname.startsWith('/w/') && document.getElementById('population')?.textContent === '3'")
        .await;
    // what was put on the sheet is selected, and asked for a predecessor
    page.command("select all").await;
    page.until("!document.getElementById('selection-bar').hidden")
        .await;
    page.eval("document.querySelector('[data-do=\"search predecessor\"]').click()")
        .await;
    page.until("location.pathname === '/search' && document.querySelector('#search-rows td:nth-child(2)')?.textContent === 'a predecessor'")
        .await;
    page.close().await;
}
