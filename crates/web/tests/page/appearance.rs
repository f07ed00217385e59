use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;

async fn near_a_blinker() -> BrowserPage {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    page.command("zoom 20").await;
    page.command("centre 1,1").await;
    page
}

#[tokio::test(flavor = "multi_thread")]
async fn grid_lines_are_drawn_and_every_tenth_is_stronger() {
    let page = near_a_blinker().await;
    let (x, y) = page.pixel_of(0, 5).await;
    // the lines of a row that nothing lives in: the darkest pixel around each cell's left edge
    let darkest = |look: &crate::browser::WindowPicture, column: i64| {
        let edge = x - 10.0 + 20.0 * column as f64;
        (-1..=1)
            .map(|d| look.brightness(edge + f64::from(d), y))
            .min()
            .unwrap()
    };
    let with = page.look().await;
    let paper = with.brightness(x, y);
    assert!(darkest(&with, 1) < paper && darkest(&with, 3) < paper);
    assert!(
        darkest(&with, 10) < darkest(&with, 3),
        "the tenth is stronger"
    );
    page.command("grid off").await;
    let without = page.look().await;
    assert_eq!(darkest(&without, 1), paper);
    assert_eq!(darkest(&without, 10), paper);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dying_cells_look_other_than_those_that_live_on() {
    let page = near_a_blinker().await;
    let status = page.cells(0, 0, 3, 1).await;
    assert_eq!(status, "ooo");
    let at = async |x: i64| {
        let place = page.pixel_of(x, 0).await;
        page.look().await.colour(place.0, place.1)
    };
    assert_eq!(at(0).await, at(1).await);
    page.command("dying on").await;
    let (end, middle) = (at(0).await, at(1).await);
    assert_ne!(end, middle);
    assert_eq!(end, at(2).await);
    page.command("dying off").await;
    page.command("age on").await;
    page.command("step 10").await;
    page.until_text("generation", "10").await;
    assert_ne!(at(0).await, at(1).await, "the middle is older");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn zoom_goes_from_the_nearest_to_far_off_and_stays_under_the_pointer() {
    let page = near_a_blinker().await;
    let zoom = "document.getElementById('sheet').dataset.zoom";
    for _ in 0..12 {
        page.press("zoom in").await;
        page.settle().await;
    }
    page.until(&format!("{zoom} === '64'")).await;
    page.command("zoom 1").await;
    page.until(&format!("{zoom} === '1'")).await;
    for _ in 0..3 {
        page.press("zoom out").await;
        page.settle().await;
    }
    page.until(&format!("{zoom} === '1:8'")).await;
    page.command("zoom 1:2^40").await;
    page.until(&format!("{zoom}.startsWith('1:1')")).await;
    // the blinker is one pixel of many cells now, and still seen
    page.near().await;
    page.until_cells(0, -1, "...\nooo\n...").await;
    // the wheel keeps the cell under the pointer
    let wheel = "(() => {
        const sheet = document.getElementById('sheet');
        const box = sheet.getBoundingClientRect();
        const canvas = sheet.querySelector('canvas');
        canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: -120, clientX: box.left + 130, clientY: box.top + 110, bubbles: true, cancelable: true}));
    })()";
    let under = "(() => {
        const data = document.getElementById('sheet').dataset;
        return [Math.floor((Number(data.left) + 130) / Number(data.zoom)), Math.floor((Number(data.top) + 110) / Number(data.zoom))].join();
    })()";
    let before = page.eval(under).await;
    page.eval(wheel).await;
    page.until(&format!("Number({zoom}) > 20")).await;
    assert_eq!(page.eval(under).await, before);
    page.close().await;
}

/// Issue 31: what the colour of a cell says is chosen in the settings, in every theme.
#[tokio::test(flavor = "multi_thread")]
async fn cells_are_coloured_by_what_they_do_in_every_theme() {
    let page = near_a_blinker().await;
    let choose = async |id: &str, value: &str| {
        page.eval(&format!(
            "(() => {{
                const choice = document.getElementById('{id}');
                choice.value = '{value}';
                choice.dispatchEvent(new Event('change', {{ bubbles: true }}));
            }})()"
        ))
        .await;
    };
    let at = async |x: i64| {
        let place = page.pixel_of(x, 0).await;
        page.look().await.colour(place.0, place.1)
    };
    let until_colours = async |expected: [[u8; 3]; 2]| {
        let near = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 24);
        let mut seen = [[0; 3]; 2];
        for _ in 0..20 {
            seen = [at(1).await, at(0).await];
            if near(seen[0], expected[0]) && near(seen[1], expected[1]) {
                return;
            }
        }
        panic!("{seen:?} and not {expected:?}");
    };
    choose("colouring", "heat").await;
    until_colours([[0x87, 0x8b, 0x93], [0xb8, 0x32, 0x2a]]).await;
    choose("colouring", "period").await;
    until_colours([[0x1d, 0x24, 0x33], [0xe6, 0x9f, 0x00]]).await;
    page.until("document.getElementById('period-legend').textContent === 'never changesperiod 2'")
        .await;
    for (theme, is_dark, ink) in [
        ("contrast", false, [0, 0, 0]),
        ("sepia", false, [0x3a, 0x23, 0x14]),
        ("night", true, [0xf1, 0xf4, 0xf2]),
    ] {
        choose("theme", theme).await;
        page.until(&format!(
            "document.documentElement.dataset.theme === '{theme}'"
        ))
        .await;
        until_colours([ink, [0xe6, 0x9f, 0x00]]).await;
        let scheme = if is_dark { "dark" } else { "light" };
        page.until(&format!(
            "document.documentElement.dataset.scheme === '{scheme}'"
        ))
        .await;
        page.client
            .execute(&crate::pages::axe(), Vec::new())
            .await
            .unwrap();
        assert_eq!(
            crate::pages::faults(&page, "").await,
            Vec::<String>::new(),
            "{theme}"
        );
    }
    // the button goes to the usual theme of the other kind
    page.eval("document.getElementById('theme-button').click()")
        .await;
    page.until("document.documentElement.dataset.theme === 'paper'")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_can_be_used_in_a_narrow_window() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "gosper-glider-gun",
        size: (320, 640),
        phone: true,
        ..BrowserSetup::default()
    })
    .await;
    let widest = "document.documentElement.scrollWidth <= window.innerWidth";
    assert_eq!(page.eval("window.innerWidth").await, 320);
    page.until(widest).await;
    for id in ["run", "step", "sheet", "tools-fold"] {
        let shown = format!("document.getElementById('{id}').getClientRects().length === 1");
        page.until(&shown).await;
    }
    page.press("step").await;
    page.until("Number(document.getElementById('generation').textContent) > 0")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rulers_show_coordinates_and_a_tool_measures() {
    let page = near_a_blinker().await;
    let (x, y) = page.pixel_of(4, 4).await;
    let edges = page
        .eval(
            "(() => {
                const box = document.getElementById('sheet').getBoundingClientRect();
                return [box.left, box.top];
            })()",
        )
        .await;
    let (left, top) = (edges[0].as_f64().unwrap(), edges[1].as_f64().unwrap());
    // ink within the ruler around the mark of a column or a row
    let inked = async |from: (f64, f64), size: (i32, i32)| {
        let look = page.look().await;
        let pixels = (0..size.0).flat_map(|dx| (0..size.1).map(move |dy| (dx, dy)));
        let bright: Vec<u32> = pixels
            .map(|(dx, dy)| look.brightness(from.0 + f64::from(dx), from.1 + f64::from(dy)))
            .collect();
        bright.iter().max().unwrap() - bright.iter().min().unwrap() > 250
    };
    let over_column = ((x - 8.0, top + 2.0), (16, 12));
    let beside_row = ((left + 14.0, y - 6.0), (20, 12));
    assert!(!inked(over_column.0, over_column.1).await);
    page.command("rulers on").await;
    let shown = |is: bool| format!("document.getElementById('sheet').dataset.rulers === '{is}'");
    page.until(&shown(true)).await;
    assert!(
        inked(over_column.0, over_column.1).await,
        "4 over its column"
    );
    assert!(inked(beside_row.0, beside_row.1).await, "4 beside its row");
    // the one box of the settings, and the key
    let checked = "document.querySelector('[data-setting=rulers]').checked";
    page.until(checked).await;
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys("L").await;
    page.until(&format!("!{checked}")).await;
    page.until(&shown(false)).await;
    assert!(!inked(beside_row.0, beside_row.1).await);

    page.press("tool measure").await;
    page.until("document.getElementById('sheet').dataset.cursor !== 'draw'")
        .await;
    page.drag(&[(0, 4), (2, 6), (3, 8)]).await;
    page.until("document.getElementById('note-words').textContent.startsWith('3 right, 4 down: box 4 x 5')")
        .await;
    assert_eq!(page.text("population").await, "3", "nothing is drawn");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sheet_is_printed_on_white_with_its_caption() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "gosper-glider-gun",
        ..BrowserSetup::default()
    })
    .await;
    page.command("stop").await;
    page.command("theme blueprint").await;
    page.command("goto 120").await;
    page.until_text("generation", "120").await;
    page.eval("(() => { window.print = () => { window.printed = true; dispatchEvent(new Event('beforeprint')); }; })()")
        .await;
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys(&format!(
        "{}p{}",
        char::from(Key::Control),
        char::from(Key::Null)
    ))
    .await;
    page.until("window.printed === true").await;
    page.print_media(true).await;
    // nothing but the drawing and its caption
    let shown = "[...document.body.children].filter((part) => part.getBoundingClientRect().height > 0).map((part) => part.id).join()";
    page.until(&format!("{shown} === 'print'")).await;
    let words = page
        .eval("document.querySelector('.print figcaption').innerText")
        .await;
    let words = words.as_str().unwrap();
    for part in [
        "Gosper glider gun, Bill Gosper, 1970",
        "rule B3/S23",
        "generation 120",
        "population 56",
        "two queen bees",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let picture = "document.getElementById('print-sheet')";
    let box_of = page
        .eval(&format!("(() => {{ const b = {picture}.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; }})()"))
        .await;
    let [left, top, width, height] = [0, 1, 2, 3].map(|i| box_of[i].as_f64().unwrap());
    let natural = page
        .eval(&format!("{picture}.naturalWidth / {picture}.naturalHeight"))
        .await;
    assert!(
        (natural.as_f64().unwrap() - width / height).abs() < 0.02,
        "its shape is kept"
    );
    let look = page.look().await;
    let pixels = || (0..height as i32 - 8).flat_map(|y| (0..width as i32 - 8).map(move |x| (x, y)));
    let bright: Vec<u32> = pixels()
        .map(|(x, y)| look.brightness(left + 4.0 + f64::from(x), top + 4.0 + f64::from(y)))
        .collect();
    let part = |is: &dyn Fn(u32) -> bool| {
        bright.iter().filter(|b| is(**b)).count() as f64 / bright.len() as f64
    };
    assert!(
        part(&|b| b == 765) > 0.6,
        "white paper: {}",
        part(&|b| b == 765)
    );
    assert!(
        part(&|b| b < 200) > 0.002,
        "dark ink: {}",
        part(&|b| b < 200)
    );
    page.print_media(false).await;
    // the browser's own menu: the canvas, with the caption
    page.eval("dispatchEvent(new Event('afterprint'))").await;
    page.print_media(true).await;
    page.until("document.querySelector('.sheet canvas').getClientRects().length > 0 && document.getElementById('print-sheet').getClientRects().length === 0")
        .await;
    page.until("document.getElementById('transport').getClientRects().length === 0 && document.getElementById('print-title').getClientRects().length > 0")
        .await;
    page.close().await;
}
