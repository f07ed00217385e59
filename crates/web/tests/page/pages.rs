//! What holds for every room: nobody is kept out by how it is drawn or by what they have to
//! press, and it fits a phone.

use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;
use serde_json::Value;
use std::path::Path;

/// A place to look at: what leads there, and what has to be there before it is looked at.
struct PageLocation {
    /// An expression that comes to a path, or a promise of one.
    path: &'static str,
    condition: &'static str,
}

const PLACES: &[PageLocation] = &[
    PageLocation {
        path: "'/?canvas=2d'",
        condition: "true",
    },
    PageLocation {
        path: "'/play'",
        condition: "document.querySelectorAll('#room input[type=radio]').length > 5",
    },
    PageLocation {
        path: "post('/play/tables', { game: 'stones', seats: ['me', 'open'], hints: true })
            .then(({ id }) => `/play/${id}`)",
        condition: "document.querySelectorAll('#room [role=gridcell]').length === 361",
    },
    PageLocation {
        path: "post('/play/tables', { game: 'duel', seats: ['me', 'random'] })
            .then(({ id }) => `/play/${id}`)",
        condition: "document.querySelectorAll('#room [role=gridcell]').length === 64",
    },
    PageLocation {
        path: "'/replays'",
        condition: "document.querySelectorAll('#room button').length > 0",
    },
    PageLocation {
        path: "post('/play/tables', { game: 'tictactoe', seats: ['open', 'open'], turns: ['A1', 'B2', 'C3'] })
            .then(({ id }) => `/replays?play=${id}`)",
        condition: "document.querySelectorAll('#room input[type=range]').length > 0",
    },
    PageLocation {
        path: "'/arena'",
        condition: "document.querySelectorAll('#room button').length > 1",
    },
    PageLocation {
        path: "post('/arena/cups', { name: 'cup', game: 'tictactoe', kind: 'round-robin', pairs: 2, seed: 7,
            players: [{ name: 'a', player: 'random' }, { name: 'b', player: 'heuristic' }] })
            .then(({ id }) => `/arena/${id}`)",
        condition: "document.querySelectorAll('#room tbody tr').length > 1",
    },
    PageLocation {
        path: "post('/census/start', { rule: 'B3/S23', symmetry: 'C1', root: 'few', soups: 30 })
            .then(() => '/census')",
        condition: "document.querySelectorAll('#census-rows tr').length > 3",
    },
    PageLocation {
        path: "'/search?task=osc&period=2&width=3&height=3&drawing=3%3F%243%3F%243%3F!&begin=1'",
        condition: "document.querySelectorAll('#search-rows tr').length === 1",
    },
    PageLocation {
        path: "'/laser?level=easy-01'",
        condition: "document.querySelectorAll('#room [role=gridcell]').length > 8",
    },
    PageLocation {
        path: "'/classroom'",
        condition: "document.querySelectorAll('#room [role=grid] canvas').length === 5",
    },
];

/// Goes to a place, in a theme. Gives its path, for messages.
async fn go(page: &BrowserPage, place: &PageLocation, theme: &str) -> String {
    let script = format!(
        "const done = arguments[arguments.length - 1];
        const post = (path, what) => fetch(path, {{ method: 'POST', body: JSON.stringify(what) }})
            .then((response) => response.json());
        Promise.resolve({}).then(done, (error) => done(String(error)));",
        place.path
    );
    let path = page
        .client
        .execute_async(&script, Vec::new())
        .await
        .unwrap();
    let path = path.as_str().unwrap().to_string();
    page.eval(&format!(
        "localStorage.setItem('gridpaper.theme', '{theme}')"
    ))
    .await;
    page.go(&path).await;
    page.until(&format!(
        "document.documentElement.dataset.theme === '{theme}'"
    ))
    .await;
    page.until(place.condition).await;
    path
}

/// A phone's window: narrow, and touched.
const PHONE: (u32, u32) = (360, 740);

/// The script that knows the faults. `cargo xtask test` fetches it, in the version that the
/// page's package.json pins.
pub(crate) fn axe() -> String {
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

/// The rules of axe that ask for colours: all that a theme changes.
const COLOURS: &str = "runOnly: ['color-contrast', 'link-in-text-block'],";

/// What is wrong with the page as it stands, one line a fault: all that axe, which is in the page,
/// finds, however little it is.
pub(crate) async fn faults(page: &BrowserPage, rules: &str) -> Vec<String> {
    let script = "const done = arguments[arguments.length - 1];
        axe.run(document, { RULES resultTypes: ['violations'] }).then(({ violations }) => done(violations
            .flatMap(({ id, help, nodes }) => nodes.map((node) =>
                `${id}: ${help}: ${node.html.slice(0, 200)} ${node.any.map((any) => any.message).join('; ')}`))),
            (error) => done([String(error)]));"
        .replace("RULES", rules);
    let found = page
        .client
        .execute_async(&script, Vec::new())
        .await
        .unwrap();
    serde_json::from_value(found).unwrap()
}

async fn hold_against_axe(size: (u32, u32), phone: bool) {
    let axe = axe();
    let page = BrowserPage::open(&BrowserSetup {
        size,
        phone,
        ..BrowserSetup::default()
    })
    .await;
    let mut wrong = Vec::new();
    for place in PLACES {
        let path = go(&page, place, "paper").await;
        page.client.execute(&axe, Vec::new()).await.unwrap();
        // a phone's page has all that the other one has
        if phone {
            let settled = hold_against_system_settings(&page).await;
            wrong.extend(settled.iter().map(|fault| format!("{path}: {fault}")));
        }
        let in_paper = faults(&page, "").await;
        wrong.extend(in_paper.iter().map(|fault| format!("{path}: {fault}")));
        page.eval("document.getElementById('theme-button').click()")
            .await;
        page.until("document.documentElement.dataset.theme === 'blueprint'")
            .await;
        let in_blueprint = faults(&page, COLOURS).await;
        wrong.extend(
            in_blueprint
                .iter()
                .map(|fault| format!("{path}, blueprint: {fault}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    page.close().await;
}

/// What is wrong where the system has colours of its own and asks for less movement: what moves all
/// the same, what is chosen and does not look so, and drawings in colours of their own.
async fn hold_against_system_settings(page: &BrowserPage) -> Vec<String> {
    let (colours, motion) = ("forced-colors", "prefers-reduced-motion");
    page.emulate(&[(colours, "active"), (motion, "reduce")])
        .await;
    let found = page
        .eval(
            "(() => {
                const wrong = [];
                if (!matchMedia('(forced-colors: active)').matches) wrong.push('not emulated');
                const html = (part) => part.outerHTML.slice(0, 120);
                for (const part of document.querySelectorAll('*')) {
                    const style = getComputedStyle(part);
                    if (style.animationName !== 'none' || style.transitionDuration.split(', ').some((time) => parseFloat(time) > 0))
                        wrong.push(`moves: ${html(part)}`);
                }
                const ground = (part) => getComputedStyle(part).backgroundColor;
                for (const part of document.querySelectorAll('button[aria-pressed=true], a[aria-current], [role=tab][aria-selected=true]')) {
                    const other = part.parentElement?.parentElement?.querySelector('button[aria-pressed=false], a:not([aria-current]), [role=tab][aria-selected=false]');
                    if (other && ground(other) === ground(part)) wrong.push(`looks as if not chosen: ${html(part)}`);
                }
                // ink on what the system has for paper
                const root = getComputedStyle(document.documentElement);
                for (const [name, value] of [['ink', 'CanvasText'], ['sheet', 'Canvas']])
                    if (root.getPropertyValue(`--${name}`).trim() !== value) wrong.push(`--${name}`);
                return wrong;
            })()",
        )
        .await;
    page.emulate(&[]).await;
    serde_json::from_value(found).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_room_keeps_anybody_out() {
    hold_against_axe((1280, 800), false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_room_keeps_anybody_out_on_a_phone() {
    hold_against_axe(PHONE, true).await;
}

/// What opens over the sheet or beside it: each with what is done there and the element that shows.
const PAPERS: &[(&str, &str)] = &[
    // all of its panels at once: each was shown before, and has what it shows
    (
        "document.querySelectorAll('#drawer [role=tabpanel]').forEach((panel) => { panel.hidden = false; })",
        "#panel-history",
    ),
    ("document.getElementById('save').click()", "#save-form"),
    ("document.getElementById('share').click()", "#share-paper"),
    ("document.getElementById('worlds').click()", "#worlds-paper"),
    ("document.querySelector('[data-do=help]').click()", "#help"),
];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_opens_keeps_anybody_out() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "gosper-glider-gun",
        size: (1280, 800),
        ..BrowserSetup::default()
    })
    .await;
    page.command("stop").await;
    page.command("bookmark start").await;
    page.command("draw 1 9,9 12,9").await;
    page.eval("document.querySelector('.top-right [data-panel=library]').click()")
        .await;
    // a few of its cards are as good as all
    page.until("document.querySelectorAll('#library-list button').length > 100")
        .await;
    page.eval(
        "(() => {
            const search = document.getElementById('library-search');
            search.value = 'queen bee';
            search.dispatchEvent(new Event('input'));
        })()",
    )
    .await;
    page.client.execute(&axe(), Vec::new()).await.unwrap();
    let mut wrong = Vec::new();
    let here = |place: &str, rules: &str| {
        let script = format!(
            "const done = arguments[arguments.length - 1];
            axe.run('{place}', {{ {rules} resultTypes: ['violations'] }}).then(({{ violations }}) => done(violations
                .flatMap(({{ id, nodes }}) => nodes.map(({{ html }}) => `{place}: ${{id}}: ${{html.slice(0, 200)}}`))),
                (error) => done([String(error)]));"
        );
        let client = page.client.clone();
        async move {
            let found = client.execute_async(&script, Vec::new()).await.unwrap();
            serde_json::from_value::<Vec<String>>(found).unwrap()
        }
    };
    for (theme, rules) in [("paper", ""), ("blueprint", COLOURS)] {
        page.eval("document.getElementById('help').close()").await;
        page.command(&format!("theme {theme}")).await;
        page.until(&format!(
            "document.documentElement.dataset.theme === '{theme}'"
        ))
        .await;
        for tab in ["world", "rule", "settings", "plot", "history", "library"] {
            page.panel(tab).await;
        }
        for (action, place) in PAPERS {
            page.eval(action).await;
            page.until(&format!(
                "document.querySelector('{place}').getClientRects().length > 0"
            ))
            .await;
            page.settle().await;
            let place = if *place == "#panel-history" {
                "#drawer"
            } else {
                place
            };
            wrong.extend(here(place, rules).await);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_room_fits_a_phone() {
    let page = BrowserPage::open(&BrowserSetup {
        size: PHONE,
        phone: true,
        ..BrowserSetup::default()
    })
    .await;
    for place in PLACES {
        let path = go(&page, place, "paper").await;
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

/// All that the Tab key comes to, from the top of the page until it comes round. The keys come
/// many at a time; the page itself notes where each of them leads.
async fn tabbed(page: &BrowserPage) -> Vec<Value> {
    page.eval(
        "(() => {
            window.seen = new Map();
            window.stops = [];
            window.round = false;
            window.noteFocus ??= () => {
                const at = document.activeElement;
                if (at === document.body || round) return;
                if (seen.has(at)) {
                    round = true;
                    return;
                }
                seen.set(at, true);
                const style = getComputedStyle(at);
                const near = at.closest('label') ?? at;
                const marked = style.outlineStyle !== 'none' || style.boxShadow !== 'none'
                    || getComputedStyle(near).outlineStyle !== 'none' || at.matches('[role=gridcell], [role=grid], [role=application]');
                const box = at.getBoundingClientRect();
                stops.push({ html: at.outerHTML.slice(0, 160), marked, shown: box.width > 0 && box.height > 0 });
            };
            // the same function is added once, whatever was gone round before
            document.addEventListener('focusin', noteFocus);
            document.querySelector('#top a, #top button').focus();
            // a document that had no focus tells nobody
            if (stops.length === 0) noteFocus();
        })()",
    )
    .await;
    let tabs = char::from(Key::Tab).to_string().repeat(20);
    for _ in 0..20 {
        page.keys(&tabs).await;
        if page.eval("round").await == Value::Bool(true) {
            break;
        }
    }
    let stops = page.eval("stops").await;
    serde_json::from_value(stops).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_of_every_room_is_reached_by_keys() {
    let page = BrowserPage::open(&BrowserSetup {
        size: (1280, 800),
        ..BrowserSetup::default()
    })
    .await;
    for place in PLACES {
        let path = go(&page, place, "paper").await;
        page.eval("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
            .await;
        // what comes late, with the game's state, is met by going round again
        for round in 1.. {
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
            assert!(stops.len() > 5, "{path}: {stops:?}");
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
            if missed == serde_json::json!([]) {
                break;
            }
            assert!(round < 3, "{path}: {missed}");
        }
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_list_leads_everywhere_and_one_look_goes_with_it() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.go("/play").await;
    let before = page.eval("document.documentElement.dataset.theme").await;
    assert_eq!(before, "paper");
    page.eval("document.getElementById('theme-button').click()")
        .await;
    for name in [
        "replays",
        "arena",
        "census",
        "search",
        "laser",
        "classroom",
        "play",
    ] {
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
    // the workbench, whose world leaves it open
    page.go("/?canvas=2d").await;
    page.until("document.documentElement.dataset.theme === 'blueprint'")
        .await;
    // its header has the switch too, and what it chooses goes along
    page.eval("document.getElementById('theme-button').click()")
        .await;
    page.until("document.documentElement.dataset.theme === 'paper'")
        .await;
    page.go("/laser").await;
    page.until("document.documentElement.dataset.theme === 'paper'")
        .await;
    // a world's own theme comes first: then the switch changes that
    page.go("/?canvas=2d").await;
    page.command("theme blueprint").await;
    page.until("document.documentElement.dataset.theme === 'blueprint'")
        .await;
    page.eval("document.getElementById('theme-button').click()")
        .await;
    page.until("document.documentElement.dataset.theme === 'paper' && document.getElementById('theme').value === 'paper'")
        .await;
    page.close().await;
}

/// What is still English though the table of the page's language has it, one line a text.
const UNTRANSLATED: &str = "(async () => {
    const { TEXTS } = await import('/page/texts/de.js');
    const english = (text) => Object.hasOwn(TEXTS, text) && TEXTS[text] !== text && !Object.values(TEXTS).includes(text);
    const found = new Set();
    for (const part of document.querySelectorAll('*')) {
        if (part.closest('script, style, code, textarea, [translate=no]')) continue;
        for (const name of ['title', 'aria-label', 'placeholder', 'alt'])
            if (english(part.getAttribute(name) ?? '')) found.add(`${name}: ${part.outerHTML.slice(0, 120)}`);
        for (const node of part.childNodes)
            if (node.nodeType === 3 && english(node.data.trim().replace(/\\s+/g, ' '))) found.add(part.outerHTML.slice(0, 160));
    }
    return [...found];
})()";

/// The page speaks the browser's language where it can, and another one that is chosen.
#[tokio::test(flavor = "multi_thread")]
async fn every_room_speaks_german_too() {
    let page = BrowserPage::open(&BrowserSetup {
        flags: &["--accept-lang=de-DE,en"],
        ..BrowserSetup::default()
    })
    .await;
    let mut wrong = Vec::new();
    for place in PLACES {
        let path = go(&page, place, "paper").await;
        assert_eq!(page.eval("document.documentElement.lang").await, "de");
        let script = format!(
            "const done = arguments[arguments.length - 1]; {UNTRANSLATED}.then(done, (error) => done([String(error)]));"
        );
        let found = page
            .client
            .execute_async(&script, Vec::new())
            .await
            .unwrap();
        let found: Vec<String> = serde_json::from_value(found).unwrap();
        wrong.extend(found.iter().map(|text| format!("{path}: {text}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // texts that are put together are translated too
    page.go("/?canvas=2d").await;
    page.command("open glider").await;
    page.command("step 1").await;
    page.until_text(
        "voice",
        "Generation 1: 2 geboren, 2 gestorben, Population 5",
    )
    .await;
    // what is chosen is remembered, and counts in every room
    let choose = |language| {
        format!(
            "(() => {{
                const choice = document.getElementById('language');
                choice.value = '{language}';
                choice.dispatchEvent(new Event('change'));
            }})()"
        )
    };
    page.eval(&choose("en")).await;
    page.until("document.documentElement.lang === 'en' && document.getElementById('save')?.title.includes('save')")
        .await;
    page.go("/laser").await;
    page.until("document.querySelector('#laser-levels h2').textContent === 'levels'")
        .await;
    page.eval(&choose("de")).await;
    page.until("document.querySelector('#laser-levels h2')?.textContent === 'Aufgaben'")
        .await;
    page.close().await;
}
