//! The workbench on a phone of 360 x 640 pixels.

use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;

async fn on_a_phone(pattern: &str) -> BrowserPage {
    BrowserPage::open(&BrowserSetup {
        pattern,
        size: (360, 640),
        phone: true,
        ..BrowserSetup::default()
    })
    .await
}

/// Puts fingers on the sheet, moves them along these paths, and lifts them: all have as many points.
async fn touch(page: &BrowserPage, paths: &[&[(i64, i64)]]) {
    let script = format!(
        "(() => {{
            const sheet = document.getElementById('sheet');
            const box = sheet.getBoundingClientRect();
            const paths = {};
            const send = (kind, step) => paths.forEach((path, pointerId) => sheet.dispatchEvent(new PointerEvent(kind, {{
                pointerId: pointerId + 7, pointerType: 'touch', isPrimary: pointerId === 0, button: kind === 'pointermove' ? -1 : 0,
                buttons: kind === 'pointerup' ? 0 : 1, clientX: box.left + path[step][0], clientY: box.top + path[step][1],
                bubbles: true, cancelable: true,
            }})));
            send('pointerdown', 0);
            for (let step = 1; step < paths[0].length; step += 1) send('pointermove', step);
            send('pointerup', paths[0].length - 1);
        }})()",
        serde_json::to_string(paths).unwrap()
    );
    page.eval(&script).await;
    page.settle().await;
}

/// Issue 31: one finger on a running world drew into it.
#[tokio::test(flavor = "multi_thread")]
async fn one_finger_pans_until_drawing_is_picked() {
    let page = on_a_phone("gosper-glider-gun").await;
    let left = "Number(document.getElementById('sheet').dataset.left)";
    page.press("toggle").await;
    page.until("Number(document.getElementById('generation').textContent) > 1")
        .await;
    let before = page.eval(left).await.as_f64().unwrap();
    touch(&page, &[&[(200, 250), (180, 250), (120, 250)]]).await;
    page.until(&format!("{left} === {}", before + 80.0)).await;
    let is_running = "document.body.hasAttribute('data-running')";
    assert_eq!(page.eval(is_running).await, true, "panning changes nothing");
    page.until("/^-?\\d+, -?\\d+$/.test(document.getElementById('cell').textContent)")
        .await;
    let zoom = page.text("zoom").await;
    touch(
        &page,
        &[
            &[(150, 250), (120, 250), (60, 250)],
            &[(200, 250), (230, 250), (290, 250)],
        ],
    )
    .await;
    page.until(&format!(
        "document.getElementById('zoom').textContent !== '{zoom}'"
    ))
    .await;
    page.command("clear all").await;
    page.press("tool draw").await;
    page.until(
        "document.querySelector('[data-tool=draw]').getAttribute('aria-pressed') === 'true'",
    )
    .await;
    touch(&page, &[&[(200, 250), (201, 250)]]).await;
    page.until_text("population", "1").await;
    page.close().await;
}

/// A finger carries a paste about, and puts it down where it taps.
#[tokio::test(flavor = "multi_thread")]
async fn a_finger_carries_a_paste() {
    let page = on_a_phone("bo!").await;
    page.near().await;
    page.command("select 0,0 2x1").await;
    page.command("copy").await;
    page.command("paste").await;
    page.until("!document.getElementById('placing-bar').hidden")
        .await;
    touch(&page, &[&[(200, 250), (200, 230), (200, 150)]]).await;
    assert_eq!(page.text("population").await, "1");
    page.until("!document.getElementById('placing-bar').hidden")
        .await;
    touch(&page, &[&[(100, 300), (100, 300)]]).await;
    page.until_text("population", "2").await;
    page.until("document.getElementById('placing-bar').hidden")
        .await;
    page.close().await;
}

/// Whatever can be pressed lies within the window, and nothing lies over it.
#[tokio::test(flavor = "multi_thread")]
async fn everything_is_in_reach_at_360_pixels() {
    let page = on_a_phone("gosper-glider-gun").await;
    let hidden = "(() => {
        const within = document.querySelector('dialog[open], .paper:not([hidden]), .rooms-list.is-open') ?? document.body;
        const lost = [];
        for (const fold of within.querySelectorAll('details')) fold.open = true;
        for (const control of within.querySelectorAll('button, input, select, textarea, a, summary, .readout')) {
            if (control.matches(':disabled, .visually-hidden') || control.closest('[inert]')) continue;
            if (control.getClientRects().length === 0) continue;
            control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
            const { left, right, top, bottom } = control.getBoundingClientRect();
            const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            const shown = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
            if (!shown || !(control.contains(over) || over?.contains(control) || over?.closest('label')?.contains(control))) {
                lost.push(control.id || control.dataset.do || control.textContent);
            }
        }
        return lost.join(', ');
    })()";
    let check = async |what: &str| {
        page.settle().await;
        assert_eq!(page.eval(hidden).await, "", "{what}");
    };
    check("at first").await;
    for id in [
        "run",
        "generation",
        "population",
        "rule-name",
        "cell",
        "zoom",
        "speed-text",
        "stride-text",
    ] {
        let shown = format!("document.getElementById('{id}').getClientRects().length === 1");
        page.until(&shown).await;
    }
    for button in ["save", "share", "worlds", "rooms-fold", "tools-fold"] {
        let press = format!("document.getElementById('{button}').click()");
        page.eval(&press).await;
        check(button).await;
        page.eval(&press).await;
    }
    for panel in ["library", "world", "rule", "settings", "plot", "history"] {
        page.panel(panel).await;
        page.eval("document.getElementById('hint').hidden = true")
            .await;
        check(panel).await;
        page.eval("document.getElementById('drawer-close').click()")
            .await;
        page.until("document.getElementById('drawer').getAnimations().length === 0")
            .await;
    }
    page.command("select all").await;
    page.until("!document.getElementById('selection-bar').hidden")
        .await;
    check("a selection").await;
    page.command("copy").await;
    page.command("paste").await;
    page.until("!document.getElementById('placing-bar').hidden")
        .await;
    check("a paste").await;
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys(&char::from(Key::Escape).to_string()).await;
    page.keys("?").await;
    page.until("document.getElementById('help').open").await;
    check("help").await;
    page.close().await;
}
