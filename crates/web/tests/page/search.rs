//! The search page: what is wanted is said and drawn, looked for, and put on a sheet.

use crate::browser::{BrowserPage, BrowserSetup};
use census::{BoxStepper, StateBox};
use grid::Point;
use pattern::Pattern;

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

/// Selects everything on the sheet, and clicks one of the searches that begin with a selection.
async fn search_with_all(page: &BrowserPage, search: &str) {
    page.command("select all").await;
    page.until("!document.getElementById('selection-bar').hidden")
        .await;
    page.eval(&format!(
        "document.querySelector('[data-do=\"search {search}\"]').click()"
    ))
    .await;
    page.until(
        "location.pathname === '/search' && document.getElementById('search-form') !== null",
    )
    .await;
}

/// Waits for the only find, opens it in a world of its own, and gives its cells.
async fn open_the_find(page: &BrowserPage) -> StateBox {
    page.until("document.querySelectorAll('#search-rows tr').length === 1")
        .await;
    let rle = page
        .eval("new URL(document.querySelector('#search-rows a').href).searchParams.get('rle')")
        .await;
    let find = Pattern::from_text(rle.as_str().unwrap()).unwrap();
    page.eval("document.querySelector('#search-rows a').click()")
        .await;
    page.until(
        "location.pathname.startsWith('/w/') && document.getElementById('population') !== null",
    )
    .await;
    let cells = StateBox::from_pattern(&find.cells, 1 << 12).unwrap();
    page.until_text("population", &cells.population().to_string())
        .await;
    cells
}

#[tokio::test(flavor = "multi_thread")]
async fn a_selection_is_searched_with_in_three_ways() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "2o$2o!",
        ..BrowserSetup::default()
    })
    .await;
    // what becomes the block becomes it on the sheet, too
    search_with_all(&page, "predecessor").await;
    let parent = open_the_find(&page).await;
    let mut life = BoxStepper::new(&"B3/S23".parse().unwrap());
    let child = life.step(&parent, 0);
    let is_block = |corner: Point| {
        let of_block = |place: i64| matches!(place, 2 | 3);
        let mut places = (0..6).flat_map(|y| (0..6).map(move |x| (x, y)));
        places.all(|(x, y)| {
            let cell = Point::new(corner.x + x - 2, corner.y + y - 2);
            (child.get(cell) != 0) == (of_block(x) && of_block(y))
        })
    };
    assert!(child.points().into_iter().any(is_block), "{child:?}");
    page.press("step").await;
    page.until_text("generation", "1").await;
    page.until_text("population", &child.population().to_string())
        .await;
    // an oscillator is begun by hand, once its period is given: with the ring of free cells around
    // it the blinker is the only one of period 2
    page.command("clear all").await;
    page.command("draw 1 0,0 2,0").await;
    search_with_all(&page, "osc").await;
    let asked = page
        .eval("['task', 'margin'].map((name) => document.getElementById(`search-${name}`).value).join(' ')")
        .await;
    assert_eq!(asked, "osc 2");
    page.eval("['period', 'margin'].forEach((name, index) => { document.getElementById(`search-${name}`).value = 2 - index; })")
        .await;
    page.eval("document.getElementById('search-start').click()")
        .await;
    let blinker = open_the_find(&page).await;
    assert_eq!(blinker.population(), 3);
    page.press("step").await;
    page.until_text("generation", "1").await;
    page.until_text("population", "3").await;
    // these cells are no orphan, for something becomes them
    page.command("clear all").await;
    page.command("draw 1 0,0 2,0").await;
    page.command("draw 1 0,1 2,1").await;
    search_with_all(&page, "orphan").await;
    let parent = open_the_find(&page).await;
    let child = life.step(&parent, 0);
    page.press("step").await;
    page.until_text("population", &child.population().to_string())
        .await;
    // where every cell dies a live one is
    page.command("clear all").await;
    page.command("rule B/S").await;
    page.command("draw 1 0,0").await;
    search_with_all(&page, "orphan").await;
    page.until("document.getElementById('search-words').textContent.startsWith('it is an orphan: nothing becomes')")
        .await;
    page.until("document.getElementById('search-table').hidden")
        .await;
    page.close().await;
}
