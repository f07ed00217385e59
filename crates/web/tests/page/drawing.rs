use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;

const GLIDER: &str = ".o...\n..o..\nooo..\n.....\n.....";
const GLIDER_4: &str = ".....\n..o..\n...o.\n.ooo.\n.....";

async fn draw_glider(page: &BrowserPage) {
    for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
        page.click_cell(x, y).await;
    }
    page.until_text("population", "5").await;
}

/// Both ways of drawing the sheet show the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_glider_that_is_clicked_runs_to_where_it_belongs() {
    let emulated: &[&str] = &["--enable-unsafe-swiftshader", "--use-angle=swiftshader"];
    let ways: [(&str, &str, &[&str]); 4] = [
        ("/?canvas=2d", "2d", &[]),
        ("/", "2d", &["--disable-3d-apis"]),
        // WebGL that the processor emulates is slower than a plain canvas.
        ("/", "2d", emulated),
        ("/?canvas=webgl2", "webgl2", emulated),
    ];
    for (path, drawing, flags) in ways {
        let setup = BrowserSetup {
            path,
            flags,
            ..BrowserSetup::default()
        };
        let page = BrowserPage::open(&setup).await;
        let kind = page
            .eval("document.getElementById('sheet').dataset.drawing")
            .await;
        assert_eq!(kind, drawing, "with {flags:?}");
        page.command("clear all").await;
        page.near().await;
        draw_glider(&page).await;
        page.until_cells(0, 0, GLIDER).await;
        for generation in 1..=4 {
            page.press("step").await;
            page.until_text("generation", &generation.to_string()).await;
        }
        page.until_cells(0, 0, GLIDER_4).await;
        assert_eq!(page.text("population").await, "5");
        page.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_stops_the_run_and_is_undone() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    page.near().await;
    page.press("toggle").await;
    page.until("Number(document.getElementById('generation').textContent) > 3")
        .await;
    page.click_cell(10, 5).await;
    page.until_text("population", "4").await;
    page.until("document.getElementById('run').getAttribute('aria-label') === 'run'")
        .await;
    let there = page.text("generation").await;
    page.until_cells(9, 4, "...\n.o.\n...").await;
    page.press("undo").await;
    page.until_text("population", "3").await;
    page.until_cells(9, 4, "...\n...\n...").await;
    page.press("redo").await;
    page.until_text("population", "4").await;
    assert_eq!(page.text("generation").await, there, "it stands still");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drag_paints_a_line_and_a_drag_from_a_live_cell_erases() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.command("clear all").await;
    page.near().await;
    page.drag(&[(-3, 1), (0, 1), (4, 1)]).await;
    page.until_text("population", "8").await;
    page.until_cells(-4, 1, ".oooooooo.").await;
    page.drag(&[(0, 1), (2, 1)]).await;
    page.until_text("population", "5").await;
    page.until_cells(-4, 1, ".ooo...oo.").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn shapes_are_dragged_out_filled_and_mirrored() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.command("clear all").await;
    page.near().await;
    page.eval("document.querySelector('[data-tool=rectangle]').click()")
        .await;
    page.until(
        "document.querySelector('[data-tool=rectangle]').getAttribute('aria-pressed') === 'true'",
    )
    .await;
    page.drag(&[(3, 2), (1, 0), (0, 0)]).await;
    page.until_cells(0, 0, "oooo.\no..o.\noooo.").await;
    page.eval("document.querySelector('[data-tool=flood]').click()")
        .await;
    page.until(
        "document.querySelector('[data-tool=flood]').getAttribute('aria-pressed') === 'true'",
    )
    .await;
    page.click_cell(1, 1).await;
    page.until_cells(0, 0, "oooo.\noooo.\noooo.").await;
    page.command("undo").await;
    page.command("undo").await;
    page.until_text("population", "0").await;
    page.command("tool ellipse").await;
    page.drag(&[(-2, -2), (0, 0), (2, 2)]).await;
    page.until_cells(-2, -2, ".ooo.\no...o\no...o\no...o\n.ooo.")
        .await;
    page.command("undo").await;
    // a line, with its mirror image; the axis is drawn where it lies
    page.panel("settings").await;
    page.eval(
        "(() => {
            const choice = document.getElementById('symmetry');
            choice.value = 'D2|';
            choice.dispatchEvent(new Event('change'));
        })()",
    )
    .await;
    page.command("symmetry D2| 0,0").await;
    page.command("tool line").await;
    page.drag(&[(1, 0), (2, 1), (3, 2)]).await;
    page.until_cells(-3, 0, "..o.o..\n.o...o.\no.....o").await;
    let chosen = page.eval("document.getElementById('symmetry').value").await;
    assert_eq!(chosen, "D2|");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_with_alt_selects_an_object() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "bo8b2o$2bo7b2o$3o!",
        ..BrowserSetup::default()
    })
    .await;
    page.near().await;
    let (x, y) = page.pixel_of(11, 1).await;
    page.eval(&format!(
        "['pointerdown', 'pointerup'].forEach((kind) => {{
            document.getElementById('sheet').dispatchEvent(new PointerEvent(kind, {{
                bubbles: true, pointerId: 1, altKey: true, clientX: {x}, clientY: {y} }}));
        }})"
    ))
    .await;
    page.until("document.getElementById('selection-size').textContent.startsWith('2 × 2')")
        .await;
    page.command("select 0,0 2x2").await;
    page.press("select grow").await;
    page.until("document.getElementById('selection-size').textContent.startsWith('3 × 3, 5')")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_alone_draw_run_select_and_take_back() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.command("clear all").await;
    page.near().await;
    page.command("cursor 0,0").await;
    let shift = |key: Key| {
        format!(
            "{}{}{}",
            char::from(Key::Shift),
            char::from(key),
            char::from(Key::Null)
        )
    };
    page.eval("document.getElementById('sheet').focus()").await;
    for _ in 0..3 {
        page.keys(&shift(Key::Enter)).await;
        page.keys(&shift(Key::Right)).await;
    }
    page.until_text("population", "3").await;
    // a screen reader is told what is at the cursor, and what a step changed
    page.until("document.getElementById('voice').textContent.startsWith('cell 3,0: ')")
        .await;
    page.keys(" ").await;
    page.until_text("generation", "1").await;
    page.until_text("voice", "generation 1: 2 born, 2 died, population 3")
        .await;
    page.until_cells(-1, -2, ".....\n..o..\n..o..\n..o..").await;
    page.keys(&format!(
        "{}a{}",
        char::from(Key::Control),
        char::from(Key::Null)
    ))
    .await;
    page.until("!document.getElementById('selection-bar').hidden")
        .await;
    page.keys(&char::from(Key::Delete).to_string()).await;
    page.until_text("population", "0").await;
    page.keys(&format!(
        "{}z{}",
        char::from(Key::Control),
        char::from(Key::Null)
    ))
    .await;
    page.until_text("population", "3").await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until("Number(document.getElementById('generation').textContent) > 5")
        .await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until("document.getElementById('run').getAttribute('aria-label') === 'run'")
        .await;
    page.keys("?").await;
    page.until("document.getElementById('help').open").await;
    let words = page.text("help-list").await;
    // it begins with what a newcomer wants; its ten keys are listed with their commands too
    assert!(words.starts_with("the mouse"), "{words}");
    let found = page
        .eval(
            "(() => {
                const sections = [...document.querySelectorAll('#help-list section')];
                const keys = (section) => [...section.querySelectorAll('kbd')].map((key) => key.textContent);
                const others = new Set(sections.slice(3).flatMap(keys));
                return [sections.slice(1, 3).map((section) => section.querySelector('h3').textContent),
                    sections[2].querySelectorAll('dt').length, keys(sections[2]).filter((key) => !others.has(key))];
            })()",
        )
        .await;
    assert_eq!(found, serde_json::json!([["touch", "ten keys"], 10, []]));
    for entry in session::command::ALL {
        assert!(words.contains(entry.help), "help has no {}", entry.name);
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rle_is_pasted_as_text() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.command("clear all").await;
    page.near().await;
    page.eval(
        "(() => {
            const data = new DataTransfer();
            data.setData('text/plain', 'x = 3, y = 3, rule = B3/S23\\nbo$2bo$3o!');
            document.getElementById('sheet').focus();
            document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
        })()",
    )
    .await;
    page.until("!document.getElementById('placing-bar').hidden")
        .await;
    page.click_cell(2, 2).await;
    page.until_text("population", "5").await;
    page.close().await;
}

/// Issue 31: the keys that turn a selection turned the cells beneath a paste.
#[tokio::test(flavor = "multi_thread")]
async fn a_floating_paste_turns_and_the_cells_beneath_stay() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    page.near().await;
    let before = page.cells(0, 0, 9, 9).await;
    page.command("select all").await;
    page.command("copy").await;
    page.command("paste").await;
    page.until("!document.getElementById('placing-bar').hidden")
        .await;
    page.keys(">").await;
    page.keys("x").await;
    page.eval("document.querySelector('#placing-bar [data-do=\"rotate left\"]').click()")
        .await;
    page.keys(&char::from(Key::Escape).to_string()).await;
    page.until("document.getElementById('placing-bar').hidden")
        .await;
    assert_eq!(page.cells(0, 0, 9, 9).await, before);
    // what is pasted by its name follows the pointer too, and is what turns
    page.command("clear all").await;
    page.command("select none").await;
    page.command("paste glider se").await;
    page.until("!document.getElementById('placing-bar').hidden")
        .await;
    page.until_text("population", "0").await;
    page.keys("x").await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until_text("population", "5").await;
    page.until_cells(-2, -2, ".....\n..o..\n.o...\n.ooo.\n.....")
        .await;
    page.close().await;
}

/// Issue 31: the right button rubbed cells out without a word.
#[tokio::test(flavor = "multi_thread")]
async fn the_right_button_pans_and_erasing_is_a_tool() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.near().await;
    page.until_text("population", "1").await;
    let before = page.pixel_of(1, 0).await;
    let drag = "(button) => {
        const sheet = document.querySelector('#sheet canvas') ?? document.getElementById('sheet');
        const box = sheet.getBoundingClientRect();
        const at = (kind, x) => sheet.dispatchEvent(new PointerEvent(kind, {
            pointerId: 9, pointerType: 'mouse', button, buttons: 2, bubbles: true,
            clientX: box.left + box.width / 2 + x, clientY: box.top + box.height / 2 }));
        at('pointerdown', 0); at('pointermove', 30); at('pointermove', 60); at('pointerup', 60);
        return true;
    }";
    page.eval(&format!("({drag})(2)")).await;
    page.settle().await;
    let after = page.pixel_of(1, 0).await;
    assert!(after.0 > before.0 + 40.0, "{before:?} {after:?}");
    assert_eq!(page.text("population").await, "1");
    page.keys("w").await;
    page.until(
        "document.querySelector('[data-tool=erase]').getAttribute('aria-pressed') === 'true'",
    )
    .await;
    page.near().await;
    page.click_cell(3, 3).await;
    page.click_cell(1, 0).await;
    page.until_text("population", "0").await;
    page.close().await;
}

/// Issue 31: keys changed a selection, a cell or a paste that was scrolled out of view.
#[tokio::test(flavor = "multi_thread")]
async fn no_key_changes_what_is_out_of_view() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    let key = |key: Key| char::from(key).to_string();
    let said = |words: &str| {
        format!(
            "!document.getElementById('note').hidden
                && document.getElementById('note-words').textContent.includes('{words}')"
        )
    };
    page.near().await;
    page.command("select all").await;
    page.command("copy").await;
    page.command("centre 500,0").await;
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys(&key(Key::Delete)).await;
    page.until(&said("the selection was out of view")).await;
    assert_eq!(page.text("population").await, "3");
    page.keys(&key(Key::Delete)).await;
    page.until_text("population", "0").await;
    page.command("select none").await;
    page.command("cursor 0,0").await;
    page.command("centre 500,0").await;
    page.eval("document.getElementById('sheet').focus()").await;
    let toggle = format!("{}{}{}", key(Key::Shift), key(Key::Enter), key(Key::Null));
    page.keys(&toggle).await;
    page.until(&said("the cell cursor was out of view")).await;
    assert_eq!(page.text("population").await, "0");
    page.keys(&toggle).await;
    page.until_text("population", "1").await;
    page.command("paste").await;
    page.until("!document.getElementById('placing-bar').hidden")
        .await;
    page.command("centre 500,0").await;
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys(&key(Key::Enter)).await;
    page.until(&said("what is pasted was out of view")).await;
    assert_eq!(page.text("population").await, "1");
    page.keys(&key(Key::Enter)).await;
    page.until("document.getElementById('placing-bar').hidden")
        .await;
    page.until("Number(document.getElementById('population').textContent) > 1")
        .await;
    page.close().await;
}

/// Issue 31: each frame was unpacked and drawn whole, at 60 a second half of a core. What is drawn
/// in parts has to look as what is drawn whole.
#[tokio::test(flavor = "multi_thread")]
async fn only_what_changed_is_drawn() {
    let emulated: &[&str] = &["--enable-unsafe-swiftshader"];
    let ways: [(&str, &[&str]); 2] = [("/?canvas=2d", &[]), ("/?canvas=webgl2", emulated)];
    for (path, flags) in ways {
        let page = BrowserPage::open(&BrowserSetup {
            pattern: "3o!",
            path,
            flags,
            size: (500, 400),
            ..BrowserSetup::default()
        })
        .await;
        // pixels that are put or cleared for drawing, counted
        page.eval(
            "(() => {
                window.pixels = 0;
                const pen = CanvasRenderingContext2D.prototype;
                const put = pen.putImageData;
                pen.putImageData = function (picture, x, y, ...part) {
                    window.pixels += part.length ? part[2] * part[3] : picture.width * picture.height;
                    return put.call(this, picture, x, y, ...part);
                };
                const gl = WebGL2RenderingContext.prototype;
                const scissor = gl.scissor;
                gl.scissor = function (x, y, width, height) {
                    window.pixels += width * height;
                    return scissor.call(this, x, y, width, height);
                };
                const draw = gl.drawArrays;
                gl.drawArrays = function (...all) {
                    if (!this.isEnabled(this.SCISSOR_TEST)) window.pixels += this.canvas.width * this.canvas.height;
                    return draw.apply(this, all);
                };
            })()",
        )
        .await;
        let drawn = "document.querySelector('#sheet .sheet-canvas').toDataURL()";
        for zoom in ["1", "7", "1:2"] {
            page.command("anyway soup 60x60 0.4 seed 5").await;
            page.command(&format!("zoom {zoom}")).await;
            page.command("centre 0,0").await;
            page.until(&format!(
                "document.getElementById('sheet').dataset.zoom === '{zoom}'"
            ))
            .await;
            page.settle().await;
            page.eval("(window.pixels = 0, true)").await;
            for generation in 1..=4 {
                page.command("step 1").await;
                page.until(&format!(
                    "document.getElementById('sheet').dataset.generation === '{generation}'"
                ))
                .await;
            }
            page.settle().await;
            let pixels = page.eval("window.pixels").await.as_u64().unwrap();
            let side = match zoom {
                "7" => 60 * 7,
                _ => 140,
            };
            assert!(
                pixels > 0 && pixels < 4 * side * side * 2,
                "{path} {zoom}: {pixels}"
            );
            let parts = page.eval(drawn).await;
            // another place, and this one again: all of it is drawn
            page.command("pan 3,0").await;
            page.command("pan -3,0").await;
            page.settle().await;
            page.until(&format!("{drawn} === {parts}")).await;
        }
        page.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_palette_finds_commands_and_patterns() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    let grid = page
        .eval("document.querySelector('[data-setting=grid]').checked")
        .await;
    let control = char::from(Key::Control).to_string();
    page.keys(&format!("{control}k")).await;
    page.until("document.getElementById('palette').open").await;
    page.keys("grid tog").await;
    page.until("document.querySelector('#palette-list [aria-selected=true] .offer-text')?.textContent === 'grid toggle'")
        .await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until(&format!(
        "!document.getElementById('palette').open && document.querySelector('[data-setting=grid]').checked !== {grid}"
    ))
    .await;
    // a command that needs words goes on in the command line
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys(&format!("{control}k")).await;
    page.until("document.getElementById('palette').open").await;
    page.keys("goto").await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until(
        "document.activeElement.id === 'prompt-text' && document.activeElement.value === 'goto '",
    )
    .await;
    page.eval("document.getElementById('prompt-close').click()")
        .await;
    // a pattern by its name; Escape leaves all as it was
    page.until("document.activeElement.id === 'sheet'").await;
    page.keys(&format!("{control}k")).await;
    page.until("document.getElementById('palette').open").await;
    page.keys("nothing has this").await;
    page.until("!document.getElementById('palette-none').hidden")
        .await;
    page.keys(&char::from(Key::Escape).to_string()).await;
    page.until("!document.getElementById('palette').open").await;
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys(&format!("{control}k")).await;
    page.until("document.getElementById('palette').open").await;
    page.keys("pulsar").await;
    page.until("document.querySelector('#palette-list [aria-selected=true] .offer-text')?.textContent === 'open pulsar'")
        .await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until_text("population", "48").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_with_two_patterns_is_pasted_one_after_the_other() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.eval(
        "(() => {
            const data = new DataTransfer();
            data.setData('text/plain', 'see > x = 3, y = 3\\nbo$2bo$3o!\\nand 2o$2o! too');
            document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
        })()",
    )
    .await;
    page.until("!document.getElementById('placing-bar').hidden && [...document.querySelectorAll('#placing-bar button')]
        .some((button) => button.textContent === 'next pattern' && !button.hidden)")
        .await;
    page.command("clear all").await;
    page.eval("[...document.querySelectorAll('#placing-bar button')].find((button) => button.textContent === 'next pattern').click()")
        .await;
    page.until("[...document.querySelectorAll('#placing-bar button')].find((button) => button.textContent === 'next pattern').hidden")
        .await;
    page.eval("document.querySelector('#placing-bar .strong').click()")
        .await;
    page.until_text("population", "4").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bookmarks_are_kept_visited_and_removed() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "r-pentomino",
        ..BrowserSetup::default()
    })
    .await;
    page.command("step 60").await;
    page.until_text("generation", "60").await;
    page.panel("world").await;
    page.eval(
        "(() => {
            document.getElementById('bookmark-name').value = 'bloom';
            document.getElementById('bookmark-form').requestSubmit();
        })()",
    )
    .await;
    page.until("document.querySelector('#bookmarks li')?.textContent === 'bloomgeneration 60'")
        .await;
    page.command("step 40").await;
    page.until_text("generation", "100").await;
    page.eval("document.querySelector('#bookmarks [data-do=\"visit bloom\"]').click()")
        .await;
    page.until_text("generation", "60").await;
    page.eval("document.querySelector('#bookmarks [data-do=\"bookmark bloom off\"]').click()")
        .await;
    page.until("document.querySelector('#bookmarks li') === null")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pattern_is_identified_where_it_lies() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.command("anyway new").await;
    page.keys("i").await;
    page.until("document.querySelector('#identify-answer h3')?.textContent === 'empty'")
        .await;
    page.eval("document.getElementById('sheet').focus()").await;
    page.command("paste 5,3 pulsar").await;
    page.command("paste 30,3 block").await;
    page.command("select 5,3 13x13").await;
    page.eval("document.getElementById('identify-selection').click()")
        .await;
    page.until("document.querySelector('#identify-answer h3')?.textContent === 'pulsar'")
        .await;
    let code = page
        .eval("document.querySelector('#identify-answer .code').textContent")
        .await;
    assert!(
        code.as_str()
            .unwrap()
            .starts_with("xp3_co9nas0san9oczgoldlo"),
        "{code}"
    );
    // the map lies over the cells: a corner of the pulsar's box changes, the cell is coloured
    let overlay = "document.querySelector('.overlay-canvas').toDataURL()";
    page.command("select none").await;
    let before = page.eval(overlay).await;
    page.eval("document.getElementById('identify-over').click()")
        .await;
    page.until(&format!("{overlay} !== {before}")).await;
    // without a selection it is all of it, which is no single object
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys("i").await;
    page.until("document.querySelectorAll('#identify-answer li').length === 2")
        .await;
    // a search and a census are a key away too
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys("S").await;
    page.until("document.activeElement.dataset.do === 'search predecessor'")
        .await;
    page.command("rule HighLife").await;
    page.keys("I").await;
    page.until("location.pathname === '/census' && document.getElementById('census-rule')?.value === 'B36/S23'")
        .await;
    page.close().await;
}
