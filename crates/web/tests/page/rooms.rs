//! What holds for every room: nobody is kept out by how it is drawn or by what they have to
//! press, and it fits a phone.

use crate::browser::{Page, Setup};
use fantoccini::key::Key;
use serde_json::Value;
use std::path::Path;

/// The rooms by address, each with what has to be there before it is looked at.
const ROOMS: &[(&str, &str)] = &[
    ("/?canvas=2d", "true"),
    (
        "/play",
        "document.querySelectorAll('#room form button').length > 1",
    ),
    (
        "/replays",
        "document.querySelectorAll('#room button').length > 0",
    ),
    (
        "/arena",
        "document.querySelectorAll('#room button').length > 1",
    ),
    (
        "/laser?level=easy-01",
        "document.querySelectorAll('#room [role=gridcell]').length > 8",
    ),
    (
        "/classroom",
        "document.querySelectorAll('#room [role=gridcell]').length === 5",
    ),
];

/// A phone's window: narrow, and touched.
const PHONE: (u32, u32) = (360, 740);

/// The script that knows the faults. `cargo xtask test` fetches it, in the version that the
/// page's package.json pins.
fn axe() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pinned = std::fs::read_to_string(root.join("page/package.json")).unwrap();
    let pinned: Value = serde_json::from_str(&pinned).unwrap();
    let version = pinned["devDependencies"]["axe-core"].as_str().unwrap();
    // the build's folder is the one that has the folder for tests
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let script = target
        .join(format!("axe-core-{version}"))
        .join("node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&script).unwrap_or_else(|error| {
        panic!("{}: {error}; cargo xtask test fetches it", script.display())
    })
}

/// What is wrong with the page as it stands, one line a fault: those that axe holds to be
/// serious or worse.
async fn faults(page: &Page, axe: &str) -> Vec<String> {
    page.client.execute(axe, Vec::new()).await.unwrap();
    let script = "const done = arguments[arguments.length - 1];
        axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done(violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .flatMap(({ id, help, nodes }) => nodes.map((node) =>
                `${id}: ${help}: ${node.html.slice(0, 200)} ${node.any.map((any) => any.message).join('; ')}`))),
            (error) => done([String(error)]));";
    let found = page.client.execute_async(script, Vec::new()).await.unwrap();
    serde_json::from_value(found).unwrap()
}

async fn dress(page: &Page, theme: &str) {
    page.eval(&format!(
        "localStorage.setItem('gridpaper.theme', '{theme}')"
    ))
    .await;
    page.client.refresh().await.unwrap();
    page.until(&format!(
        "document.documentElement.dataset.theme === '{theme}'"
    ))
    .await;
}

async fn hold_against_axe(size: (u32, u32), phone: bool) {
    let axe = axe();
    let page = Page::open(&Setup {
        size,
        phone,
        ..Setup::default()
    })
    .await;
    let mut wrong = Vec::new();
    for (path, condition) in ROOMS {
        for theme in ["paper", "blueprint"] {
            page.go(path).await;
            dress(&page, theme).await;
            page.until(condition).await;
            let found = faults(&page, &axe).await;
            wrong.extend(found.iter().map(|fault| format!("{path} {theme}: {fault}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_room_keeps_anybody_out() {
    hold_against_axe((1280, 800), false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_room_keeps_anybody_out_on_a_phone() {
    hold_against_axe(PHONE, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_room_fits_a_phone() {
    let page = Page::open(&Setup {
        size: PHONE,
        phone: true,
        ..Setup::default()
    })
    .await;
    for (path, condition) in ROOMS {
        page.go(path).await;
        page.until(condition).await;
        let wide = page
            .eval(
                "[document.documentElement, document.querySelector('#room')]
                    .filter((part) => part && part.scrollWidth > part.clientWidth)
                    .map((part) => `${part.id} ${part.scrollWidth} > ${part.clientWidth}: ` +
                        [...part.querySelectorAll('*')].filter((inner) => {
                            const box = inner.getBoundingClientRect();
                            return box.width > 0 && box.right > innerWidth + 1;
                        }).slice(0, 5).map((inner) => inner.outerHTML.slice(0, 120)).join(' '))",
            )
            .await;
        assert_eq!(wide, serde_json::json!([]), "{path}");
        let out_of_reach = page
            .eval(
                "[...document.querySelectorAll('button, a, input, select')].filter((control) => {
                    const box = control.getBoundingClientRect();
                    return box.width > 0 && !control.closest('[inert]') &&
                        (box.right > innerWidth + 1 || box.left < -1) &&
                        !control.closest('.scrolls');
                }).map((control) => control.outerHTML.slice(0, 160))",
            )
            .await;
        assert_eq!(out_of_reach, serde_json::json!([]), "{path}");
    }
    page.close().await;
}

/// All that the Tab key comes to, from the top of the page until it comes round. On the
/// workbench's sheet Tab means something else, as in Golly, and F6 leads on.
async fn tabbed(page: &Page) -> Vec<Value> {
    page.eval(
        "window.seen = new Map(), document.querySelector('#top a, #top button').focus(), true",
    )
    .await;
    let mut stops = Vec::new();
    for step in 0..400 {
        let on_sheet = page.eval("document.activeElement.id === 'sheet'").await;
        if step > 0 {
            let key = if on_sheet == true { Key::F6 } else { Key::Tab };
            page.keys(&char::from(key).to_string()).await;
        }
        let stop = page
            .eval(
                "(() => {
                    const at = document.activeElement;
                    if (at === document.body) return null;
                    if (seen.has(at)) return 'again';
                    seen.set(at, true);
                    const style = getComputedStyle(at);
                    const near = at.closest('label') ?? at;
                    const marked = style.outlineStyle !== 'none' || style.boxShadow !== 'none'
                        || getComputedStyle(near).outlineStyle !== 'none' || at.matches('[role=gridcell], [role=grid], [role=application]');
                    const box = at.getBoundingClientRect();
                    return { html: at.outerHTML.slice(0, 160), marked, shown: box.width > 0 && box.height > 0 };
                })()",
            )
            .await;
        match &stop {
            Value::String(_) => break,
            // past the end, where the browser's own controls would be
            Value::Null if !stops.is_empty() => break,
            Value::Null => {}
            _ => stops.push(stop),
        }
    }
    stops
}

#[tokio::test(flavor = "multi_thread")]
async fn all_of_every_room_is_reached_by_keys() {
    let page = Page::open(&Setup {
        size: (1280, 800),
        ..Setup::default()
    })
    .await;
    for (path, condition) in ROOMS {
        page.go(path).await;
        page.until(condition).await;
        let stops = tabbed(&page).await;
        for stop in &stops {
            assert_eq!(
                stop["marked"], true,
                "{path}: no sign of the focus on {stop}"
            );
            assert_eq!(
                stop["shown"], true,
                "{path}: the focus is on nothing seen, {stop}"
            );
        }
        // what can be pressed and is no part of a group with one stop of its own
        let missed = page
            .eval(
                "[...document.querySelectorAll('button, a[href], input, select, textarea, summary')]
                    .filter((control) => {
                        const style = getComputedStyle(control);
                        const box = control.getBoundingClientRect();
                        return box.width > 0 && style.visibility !== 'hidden' && !control.disabled
                            && control.type !== 'radio' && !control.closest('[inert]')
                            && !control.closest('[role=grid], [role=tablist], [role=toolbar], [role=listbox], [role=radiogroup]')
                            && control.getAttribute('tabindex') !== '-1' && !seen.has(control);
                    })
                    .map((control) => control.outerHTML.slice(0, 160))",
            )
            .await;
        assert_eq!(missed, serde_json::json!([]), "{path}");
        assert!(stops.len() > 5, "{path}: {stops:?}");
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_list_leads_everywhere_and_one_look_goes_with_it() {
    let page = Page::open(&Setup::default()).await;
    page.go("/play").await;
    let before = page.eval("document.documentElement.dataset.theme").await;
    assert_eq!(before, "paper");
    page.eval("document.getElementById('theme-button').click()")
        .await;
    for name in ["replays", "arena", "laser", "classroom", "play"] {
        let link = format!(
            "[...document.querySelectorAll('.rooms a')].find((link) => link.textContent === '{name}')"
        );
        page.eval(&format!("{link}.click()")).await;
        page.until(&format!(
            "location.pathname === '/{name}' && document.documentElement.dataset.theme === 'blueprint'
                && document.querySelector('.rooms [aria-current]')?.textContent === '{name}'"
        ))
        .await;
        let title = page.eval("document.title").await;
        assert!(title.as_str().unwrap().contains(name), "{title}");
    }
    // the workbench, whose colony leaves it open
    page.go("/?canvas=2d").await;
    page.until("document.documentElement.dataset.theme === 'blueprint'")
        .await;
    page.close().await;
}
