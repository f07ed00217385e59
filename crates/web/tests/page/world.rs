use crate::browser::{BrowserPage, BrowserSetup, BrowserTestServer};
use crate::webdriver::Key;
use serde_json::Value;
use std::sync::Arc;

async fn drop_file(page: &BrowserPage, name: &str, text: &str) {
    page.eval(&format!(
        "(() => {{
            const data = new DataTransfer();
            data.items.add(new File([{text:?}], {name:?}));
            const sheet = document.getElementById('sheet');
            for (const kind of ['dragenter', 'dragover', 'drop'])
                sheet.dispatchEvent(new DragEvent(kind, {{dataTransfer: data, bubbles: true, cancelable: true}}));
        }})()"
    ))
    .await;
}

/// Issue 31: a link that was dropped or pasted was called a file that does not exist.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_not_fetched_and_the_page_says_so() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    for event in ["drop", "paste"] {
        let field = match event {
            "drop" => "dataTransfer",
            _ => "clipboardData",
        };
        page.eval(&format!(
            "(() => {{
                const data = new DataTransfer();
                data.setData('text/plain', 'https://example.org/{event}.rle');
                const kind = '{event}' === 'drop' ? DragEvent : ClipboardEvent;
                const event = new kind('{event}', {{{field}: data, bubbles: true, cancelable: true}});
                document.getElementById('sheet').dispatchEvent(event);
            }})()"
        ))
        .await;
        page.until(&format!(
            "document.getElementById('note-words').textContent.includes('{event}.rle is an address')"
        ))
        .await;
        page.until("document.body.innerText.includes('save the file and open that')")
            .await;
    }
    assert_eq!(page.text("population").await, "3");
    page.close().await;
}

async fn fetched(page: &BrowserPage, path: &str) -> String {
    let script = "const [path, done] = arguments;
        fetch(path).then((answer) => answer.text()).then(done, (error) => done(String(error)));";
    let answer = page
        .client
        .execute_async(script, vec![Value::from(path)])
        .await
        .unwrap();
    answer.as_str().unwrap_or_default().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_saved_is_read_back_equal() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "acorn",
        ..BrowserSetup::default()
    })
    .await;
    page.command("step 200").await;
    page.until_text("generation", "200").await;
    let population = page.text("population").await;
    let saved = fetched(&page, "/save?format=rle&name=mine").await;
    assert!(saved.contains("rule = B3/S23"), "{saved}");
    page.command("anyway new").await;
    page.until_text("population", "0").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.rle");
    std::fs::write(&file, &saved).unwrap();
    let chooser = page.client.find("#chooser").await.unwrap();
    chooser
        .send_keys(&file.display().to_string())
        .await
        .unwrap();
    page.until_text("population", &population).await;
    page.until_text("generation", "200").await;
    let again = fetched(&page, "/save?format=rle&name=mine").await;
    let cells = |rle: &str| {
        rle.lines()
            .filter(|line| !line.starts_with('#'))
            .collect::<String>()
    };
    assert_eq!(cells(&again), cells(&saved));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn random_cells_are_exactly_as_many_as_were_asked_for() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.command("clear all").await;
    page.command("resize 60x50").await;
    page.panel("world").await;
    page.eval("document.querySelector('input[name=how][value=count]').click()")
        .await;
    page.until("document.getElementById('random-count').getClientRects().length === 1")
        .await;
    let count = page.client.find("#random-count").await.unwrap();
    count.clear().await.unwrap();
    count.send_keys("777").await.unwrap();
    count
        .send_keys(&char::from(Key::Enter).to_string())
        .await
        .unwrap();
    page.until_text("population", "777").await;
    count.clear().await.unwrap();
    count.send_keys("3001").await.unwrap();
    count
        .send_keys(&char::from(Key::Enter).to_string())
        .await
        .unwrap();
    page.until("document.body.innerText.includes('60x50 has 3000 cells, not 3001')")
        .await;
    assert_eq!(page.text("population").await, "777");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_smaller_size_says_what_was_lost() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "gosper-glider-gun",
        ..BrowserSetup::default()
    })
    .await;
    page.command("stop").await;
    page.command("reset").await;
    page.until_text("population", "36").await;
    page.panel("world").await;
    page.run_command("resize 20x20").await;
    page.until("document.getElementById('note-words').textContent.includes('outside the grid')")
        .await;
    page.until("Number(document.getElementById('population').textContent) < 36")
        .await;
    page.until("document.getElementById('rule-name').textContent.includes('P20,20')")
        .await;
    page.press("undo").await;
    page.until_text("population", "36").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file_is_told_and_leaves_the_world_unharmed() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    drop_file(
        &page,
        "broken.rle",
        "x = 3, y = 3, rule = B3/S23\n3o$\n2?o!\n",
    )
    .await;
    page.until("document.getElementById('note-words').textContent.includes('broken.rle:3:2')")
        .await;
    assert_eq!(page.text("population").await, "3");
    assert!(
        page.text("title-words")
            .await
            .eq_ignore_ascii_case("blinker")
    );
    drop_file(
        &page,
        "good.rle",
        "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n",
    )
    .await;
    page.until_text("population", "5").await;
    page.until_text("title-words", "good.rle").await;
    // a script's label stands at its cell, and its world runs at once up to where it stops
    drop_file(
        &page,
        "told.rle",
        "#C [[ AUTOSTART STOP 3 ZOOM 8 LABEL 20 0 8 \"here\" ]]\nx = 3, y = 1, rule = B3/S23\n3o!\n",
    )
    .await;
    page.until_text("generation", "3").await;
    page.until("document.getElementById('note-words').textContent.includes('as its script says')")
        .await;
    page.until(
        "(() => {
            const canvas = document.querySelector('.overlay-canvas');
            const { width, height } = canvas;
            // right of the middle, where nothing else is drawn
            const seen = canvas.getContext('2d').getImageData(width / 2 + 100, 0, width / 4, height);
            return seen.data.some((part) => part > 0);
        })()",
    )
    .await;
    page.close().await;
}

/// Issue 31: a question stood there through new edits, and its button then lost these.
#[tokio::test(flavor = "multi_thread")]
async fn unsaved_work_that_is_replaced_comes_back_by_undo() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    page.near().await;
    page.click_cell(5, 5).await;
    page.until("!document.getElementById('unsaved').hidden")
        .await;
    drop_file(
        &page,
        "good.rle",
        "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n",
    )
    .await;
    page.until_text("population", "5").await;
    page.until("!document.getElementById('note-undo').hidden")
        .await;
    page.eval("document.getElementById('note-undo').click()")
        .await;
    page.until_text("population", "4").await;
    page.until("!document.getElementById('unsaved').hidden")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_a_dialog_that_escape_ends() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    let ask = "import('/page/question.js').then(({ showQuestion }) => showQuestion(
        { question: 'discard them?', yes: 'discard', command: 'anyway new' },
        () => (document.body.dataset.said = 'yes'))) && null";
    let question = "document.querySelector('dialog[role=alertdialog]')";
    page.eval("document.getElementById('sheet').focus()").await;
    page.eval(ask).await;
    page.until(&format!(
        "{question}?.open && document.activeElement.dataset.leave !== undefined"
    ))
    .await;
    // keys of the sheet do nothing meanwhile, and Escape loses nothing
    let active = page.client.active_element().await.unwrap();
    active.send_keys("z").await.unwrap();
    active
        .send_keys(&char::from(Key::Escape).to_string())
        .await
        .unwrap();
    page.until(&format!(
        "!{question} && document.activeElement.id === 'sheet'"
    ))
    .await;
    assert_eq!(page.text("population").await, "3");
    assert_eq!(
        page.eval("document.body.dataset.said ?? null").await,
        Value::Null
    );
    page.eval(ask).await;
    page.until(&format!("!!{question}")).await;
    page.eval(&format!("{question}.querySelector('.strong').click()"))
        .await;
    page.until("document.body.dataset.said === 'yes'").await;
    // an edit withdraws it, of another tab or of this one
    page.near().await;
    page.click_cell(5, 5).await;
    page.until_text("population", "4").await;
    page.eval("delete document.body.dataset.said").await;
    page.eval(ask).await;
    page.until(&format!("!!{question}")).await;
    page.eval("document.querySelector('.tools [data-do=undo], [data-do=undo]').click()")
        .await;
    page.until(&format!("!{question}")).await;
    page.until_text("population", "3").await;
    assert_eq!(
        page.eval("document.body.dataset.said ?? null").await,
        Value::Null
    );
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_opens_its_pattern() {
    let page = BrowserPage::open(&BrowserSetup {
        path: "/?canvas=2d&rle=bo%242bo%243o!",
        ..BrowserSetup::default()
    })
    .await;
    page.until_text("population", "5").await;
    page.go("/?canvas=2d&name=acorn&rule=HighLife").await;
    page.until_text("population", "7").await;
    page.until("document.getElementById('rule-name').textContent.includes('B36/S23')")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_library_shows_pictures_and_opens_what_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.rle"), "x = 2, y = 1\n2o!").unwrap();
    let server = BrowserTestServer::with_folder(folder.path());
    let page = BrowserPage::at(Arc::new(server), &BrowserSetup::default()).await;
    page.panel("library").await;
    // it begins with what people look for; own files stand before it
    for (what, begin, end) in [
        (
            "#library-kinds button",
            "all,spaceship,gun,oscillator,methuselah,",
            ",circuit",
        ),
        (
            "#library-list .card-title",
            "Glider,Gosper glider gun,Pulsar,",
            "",
        ),
        (
            "#library-list .card-facts",
            "3 × 3,36 × 9,13 × 13,",
            "WireWorld",
        ),
        ("#library-files button", "mine.rle", ""),
    ] {
        let texts = format!(
            "[...document.querySelectorAll('{what}')].map((part) => part.textContent).join()"
        );
        page.until(&format!(
            "{texts}.startsWith('{begin}') && {texts}.endsWith('{end}')"
        ))
        .await;
    }
    let search = page.client.find("#panel-library input").await.unwrap();
    search.send_keys("pulsar").await.unwrap();
    page.until("[...document.querySelectorAll('#panel-library img')].some((i) => i.complete && i.naturalWidth > 50)").await;
    page.eval("[...document.querySelectorAll('#panel-library button')].find((b) => b.textContent.startsWith('Pulsar')).click()").await;
    page.until_text("title-words", "Pulsar").await;
    // what was opened stands before the rest, and in the next world too
    page.command("open acorn").await;
    page.go("/?canvas=2d").await;
    page.panel("library").await;
    let recent =
        "[...document.querySelectorAll('#library-recent button')].map((b) => b.textContent).join()";
    page.until(&format!("{recent} === 'acorn,pulsar'")).await;
    page.eval("document.querySelectorAll('#library-recent button')[1].click()")
        .await;
    page.until_text("title-words", "Pulsar").await;
    page.until(&format!("{recent} === 'pulsar,acorn'")).await;
    page.close().await;
}

/// Issue 31: after *open* the keys belonged to the button that had been pressed.
#[tokio::test(flavor = "multi_thread")]
async fn the_keys_are_the_sheets_again_after_open() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    let on_sheet = "document.activeElement.id === 'sheet'";
    page.eval(
        "(() => {
            const open = document.querySelector('.top [data-do=open]');
            const chooser = document.getElementById('chooser');
            chooser.click = () => {
                const files = new DataTransfer();
                files.items.add(new File(['bo$2bo$3o!'], 'mine.rle'));
                chooser.files = files.files;
                chooser.dispatchEvent(new Event('change'));
            };
            open.focus();
            open.click();
        })()",
    )
    .await;
    page.until_text("population", "5").await;
    page.until(on_sheet).await;
    page.panel("library").await;
    page.until("document.querySelector('[data-do=\"open pulsar\"]')")
        .await;
    page.eval("document.querySelector('[data-do=\"open pulsar\"]').focus()")
        .await;
    page.keys(&char::from(crate::webdriver::Key::Enter).to_string())
        .await;
    page.until_text("population", "48").await;
    page.until(on_sheet).await;
    page.keys(" ").await;
    page.until_text("generation", "1").await;
    // a key that opens the drawer leads into its field, also while it slides
    page.eval("document.getElementById('drawer-close').click()")
        .await;
    page.until("getComputedStyle(document.getElementById('drawer')).visibility === 'hidden'")
        .await;
    page.eval("document.getElementById('sheet').focus()").await;
    page.keys("r").await;
    page.until("document.activeElement.id === 'rule-text'")
        .await;
    page.eval("document.getElementById('rule-text').value = 'HighLife'")
        .await;
    page.keys(&char::from(Key::Enter).to_string()).await;
    page.until_text("rule-name", "B36/S23").await;
    page.until(on_sheet).await;
    page.close().await;
}

/// Issue 31: all formats were offered, whatever the world, and one with an empty ending.
#[tokio::test(flavor = "multi_thread")]
async fn save_offers_what_can_hold_this_world() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "wireworld-or",
        ..BrowserSetup::default()
    })
    .await;
    let offered =
        "[...document.getElementById('save-format').options].map((option) => option.text).join()";
    let refused = "document.getElementById('save-refusals').textContent";
    page.command("save").await;
    page.until(&format!("{refused} !== ''")).await;
    assert_eq!(
        page.eval(offered).await,
        "rle (.rle),classroom,macrocell (.mc)"
    );
    let reasons = page.eval(refused).await;
    for words in [
        "plaintext cannot hold this pattern: it has no sign for some of the states",
        "apgcode: an apgcode tells the period",
    ] {
        assert!(reasons.as_str().unwrap().contains(words), "{reasons}");
    }
    page.keys(&char::from(crate::webdriver::Key::Escape).to_string())
        .await;
    page.command("open glider").await;
    page.command("save").await;
    page.until(&format!("{offered}.includes('plaintext (.cells)')"))
        .await;
    let list = page.eval(offered).await;
    assert!(!list.as_str().unwrap().contains("(.)"), "{list}");
    page.eval(
        "(() => {
            const format = document.getElementById('save-format');
            format.value = 'life106';
            format.dispatchEvent(new Event('change'));
        })()",
    )
    .await;
    page.until("document.getElementById('save-losses').textContent.startsWith('life106 leaves out the rule, the name')")
        .await;
    page.close().await;
}

/// Issue 31: a film from one generation to another, with progress and a way to cancel it.
#[tokio::test(flavor = "multi_thread")]
async fn a_film_is_made_and_one_can_be_cancelled() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "gosper-glider-gun",
        ..BrowserSetup::default()
    })
    .await;
    page.command("goto 40").await;
    page.until_text("generation", "40").await;
    page.eval(
        "(() => {
            window.saved = [];
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => {
                blob.arrayBuffer().then((bytes) => window.saved.push(new Uint8Array(bytes)));
                return make(blob);
            };
            document.getElementById('save').click();
            document.getElementById('film').open = true;
        })()",
    )
    .await;
    let film = async |kind: &str, fields: [(&str, &str); 3]| {
        page.until("document.getElementById('film-from').value !== ''")
            .await;
        page.eval(&format!(
            "document.getElementById('film-kind').value = '{kind}'"
        ))
        .await;
        for (field, value) in fields {
            page.eval(&format!(
                "document.getElementById('film-{field}').value = '{value}'"
            ))
            .await;
        }
        page.eval("document.getElementById('film-make').click()")
            .await;
    };
    // the generations before the present one too
    film("gif", [("from", "10"), ("to", "30"), ("every", "10")]).await;
    page.until("window.saved.length === 1").await;
    let text = "(n) => new TextDecoder('latin1').decode(window.saved[n])";
    let is_gif = format!("({text})(0).startsWith('GIF89a') && ({text})(0).endsWith(';')");
    assert_eq!(page.eval(&is_gif).await, true);
    film("apng", [("from", "40"), ("to", "140"), ("every", "25")]).await;
    page.until("window.saved.length === 2").await;
    let frames = format!("({text})(1).split('fcTL').length - 1");
    assert_eq!(page.eval(&frames).await, 5);
    assert_eq!(page.text("generation").await, "40", "the world stays");
    // the whole pattern, each cell five pixels: 36 x 9 cells at first, 18 rows later, and one around
    page.eval(
        "(() => {
            document.getElementById('picture-what').value = 'whole';
            document.getElementById('picture-zoom').value = '5';
        })()",
    )
    .await;
    film("gif", [("from", "0"), ("to", "30"), ("every", "30")]).await;
    page.until("window.saved.length === 3").await;
    let size = "(() => {
        const side = (at) => window.saved[2][at] + 256 * window.saved[2][at + 1];
        return [side(6), side(8)];
    })()";
    assert_eq!(page.eval(size).await, serde_json::json!([190, 70]));
    film("gif", [("from", "9"), ("to", "3"), ("every", "1")]).await;
    page.until("document.getElementById('film-answer').textContent.includes('3 comes before 9')")
        .await;
    // one that would take for ever
    let far = "1".to_string() + &"0".repeat(40);
    page.command("open max").await;
    page.command("engine tiles").await;
    page.eval("document.getElementById('save').click()").await;
    film("gif", [("from", &far), ("to", &far), ("every", "1")]).await;
    page.until("!document.getElementById('film-progress').hidden")
        .await;
    page.eval("document.getElementById('film-cancel').click()")
        .await;
    page.until("document.getElementById('note-words').textContent === 'the film was cancelled'")
        .await;
    film("gif", [("from", "0"), ("to", "1"), ("every", "1")]).await;
    // the server may not know yet that nobody waits for the other one
    page.until(
        "window.saved.length === 4 || (() => {
            const answer = document.getElementById('film-answer');
            if (!answer.textContent.includes('being made already')) return false;
            answer.replaceChildren();
            document.getElementById('film-make').click();
            return false;
        })()",
    )
    .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_made_at_random_changed_and_remembered() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    page.panel("rule").await;
    let rule = "document.getElementById('rule-text').value";
    page.eval("document.getElementById('rule-random').click()")
        .await;
    page.until(&format!("/^B[23][0-8]*\\/S[0-8]*$/.test({rule}) && document.getElementById('rule-meaning').textContent !== ''"))
        .await;
    // one change and the same again differ in one sign
    // at once: between two calls, what the server answers late may be put in the field
    let change = async |text: &str| {
        let click = "document.getElementById('rule-change').click()";
        page.eval(&format!("({rule} = '{text}', {click})")).await;
    };
    change("B36/S23").await;
    let length = page.eval(&format!("{rule}.length")).await.as_u64();
    assert!([Some(6), Some(8)].contains(&length), "{length:?}");
    page.eval("document.querySelector('#rule-form').requestSubmit()")
        .await;
    page.until(&format!(
        "document.getElementById('rule-name').textContent.length > 0 &&
        document.querySelector('#rule-recent button .offer-text')?.textContent === {rule}"
    ))
    .await;
    change("WireWorld").await;
    page.until("document.getElementById('rule-answer').textContent.includes('B3/S23')")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn curves_are_chosen_read_and_downloaded() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "r-pentomino",
        size: (1280, 800),
        ..BrowserSetup::default()
    })
    .await;
    page.panel("plot").await;
    let tick = async |word: &str| {
        let ticked = format!("document.querySelector('#plot-curves [value={word}]')");
        page.eval(&format!("{ticked}.click()")).await;
        page.until(&format!("{ticked}.checked")).await;
    };
    tick("births").await;
    tick("deaths").await;
    // The blocks of the first generations are known: 5, 6, 7, 9, 8 live.
    for generation in 1..=12 {
        page.press("step").await;
        page.until_text("generation", &generation.to_string()).await;
    }
    page.until("document.getElementById('plot-reading').textContent.startsWith('generation 12: population ')")
        .await;
    tick("log-y").await;
    let read = async |part: f64| {
        page.eval(&format!(
            "(() => {{
                const plot = document.getElementById('plot');
                const box = plot.getBoundingClientRect();
                const x = box.left + 52 + {part} * (box.width - 62);
                plot.dispatchEvent(new PointerEvent('pointermove', {{ clientX: x, clientY: box.top + 50, bubbles: true }}));
            }})()"
        ))
        .await;
        page.text("plot-reading").await
    };
    let first = read(1.0 / 12.0).await;
    assert_eq!(first, "generation 1: population 6, births 2, deaths 1");
    // ink of the curves within the axes
    let box_of = page
        .eval("(() => { const b = document.getElementById('plot').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
        .await;
    let [left, top, width, height] = [0, 1, 2, 3].map(|i| box_of[i].as_f64().unwrap());
    let look = page.look().await;
    let is_red = |x: f64, y: f64| {
        let [r, g, b] = look.colour(x, y).map(i32::from);
        r - g > 60 && r - b > 40
    };
    let red = (0..height as i32)
        .flat_map(|y| (0..width as i32).map(move |x| (x, y)))
        .filter(|(x, y)| is_red(left + f64::from(*x), top + f64::from(*y)))
        .count();
    assert!(red > 60, "the curve of deaths: {red} pixels");
    page.eval(
        "document.getElementById('plot-csv').addEventListener('click', (e) => e.preventDefault())",
    )
    .await;
    page.eval("document.getElementById('plot-csv').click()")
        .await;
    let path = page
        .eval("document.getElementById('plot-csv').getAttribute('href')")
        .await;
    let csv = fetched(&page, path.as_str().unwrap()).await;
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("generation,population,births,deaths,width,height")
    );
    assert_eq!(lines.next(), Some("0,5,,,,"));
    assert_eq!(lines.next(), Some("1,6,2,1,3,3"));
    assert_eq!(lines.count(), 11);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_in_the_list_of_changes_goes_there() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "blinker",
        ..BrowserSetup::default()
    })
    .await;
    for command in ["draw 1 9,9 12,9", "step 2", "flip 20,20", "clear all"] {
        page.command(command).await;
    }
    page.until_text("population", "0").await;
    page.panel("history").await;
    let rows = "[...document.querySelectorAll('#changes button')]";
    let words = format!("{rows}.map((b) => b.firstChild.textContent).join('; ')");
    page.until(&format!(
        "{words} === 'clear; draw, 1 cell; run; draw, 4 cells; before all changes'"
    ))
    .await;
    let current =
        "[...document.querySelectorAll('#changes li')].findIndex((l) => l.ariaCurrent === 'step')";
    // a state far back, one ahead of it, and the first of all
    for (row, population) in [(3, "7"), (1, "10"), (4, "3"), (0, "0"), (2, "9")] {
        page.eval(&format!("{rows}[{row}].click()")).await;
        page.until_text("population", population).await;
        page.until(&format!("{current} === {row}")).await;
        assert_eq!(page.eval(&format!("{rows}.length")).await, 5);
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_timeline_has_pictures_that_lead_to_their_generations() {
    let page = BrowserPage::open(&BrowserSetup {
        pattern: "r-pentomino",
        size: (1000, 1000),
        ..BrowserSetup::default()
    })
    .await;
    page.panel("history").await;
    // a checkpoint is kept before each run that follows an edit
    for (generation, populated) in [("100", "flip 40,40"), ("130", "flip 41,41"), ("150", "")] {
        page.command(&format!("goto {generation}")).await;
        page.until_text("generation", generation).await;
        if !populated.is_empty() {
            page.command(populated).await;
        }
    }
    let pictures = "[...document.querySelectorAll('#timeline img')]";
    page.until(&format!(
        "{pictures}.length === 3 && {pictures}.every((i) => i.complete && i.naturalWidth === 112)"
    ))
    .await;
    let inked = |row: usize| {
        format!(
            "(() => {{
                const canvas = document.createElement('canvas');
                const context = canvas.getContext('2d');
                context.drawImage({pictures}[{row}], 0, 0);
                const data = context.getImageData(0, 0, 112, 80).data;
                let dark = 0;
                for (let i = 0; i < data.length; i += 4) dark += data[i] < 100 ? 1 : 0;
                return dark;
            }})()"
        )
    };
    // five cells fill the first picture, and many small ones the second
    let (first, second) = (page.eval(&inked(0)).await, page.eval(&inked(1)).await);
    assert!(
        first.as_u64() > Some(500) && second.as_u64() > Some(100),
        "{first} {second}"
    );
    let current =
        "[...document.querySelectorAll('#timeline li')].findIndex((l) => l.ariaCurrent === 'step')";
    assert_eq!(page.eval(current).await, 2);
    page.eval("document.querySelectorAll('#timeline button')[1].click()")
        .await;
    page.until_text("generation", "100").await;
    page.until(&format!("{current} === 1")).await;
    // other colours, other pictures
    let before = page.eval(&inked(1)).await;
    page.command("theme blueprint").await;
    page.until(&format!(
        "{pictures}[1]?.complete && {pictures}[1].naturalWidth === 112 && {} > 4000",
        inked(1)
    ))
    .await;
    assert!(before.as_u64() < Some(4000));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cells_are_the_icons_of_a_rule_file() {
    let page = BrowserPage::open(&BrowserSetup::default()).await;
    // two states that never change, as an orange bar and as a grey diamond that is tinted
    let bar = |row: &str| format!("\"{row}\"\n");
    let rule =
        "x = 2, y = 1, rule = Icons\nAB!\n@RULE Icons\n@TABLE\nn_states:3\nneighborhood:Moore\n\
         symmetries:none\n@COLORS\n1 0 0 200\n2 0 160 0\n@ICONS\nXPM\n\"7 14 3 1\"\n\
         \". c #000000\"\n\"o c #FF8000\"\n\"w c #FFFFFF\"\n"
            .to_string()
            + &bar("ooooooo").repeat(2)
            + &bar(".......").repeat(5)
            + &bar("wwwwwww").repeat(7);
    drop_file(&page, "icons.rle", &rule).await;
    page.until_text("population", "2").await;
    page.command("zoom 32").await;
    page.command("centre 0,0").await;
    page.until("document.getElementById('sheet').dataset.zoom === '32'")
        .await;
    let (x, y) = page.pixel_of(0, 0).await;
    let (right, _) = page.pixel_of(1, 0).await;
    let begun = std::time::Instant::now();
    let look = loop {
        let look = page.look().await;
        if look.colour(x, y - 12.0) == [0xff, 0x80, 0] {
            break look;
        }
        assert!(
            begun.elapsed().as_secs() < 60,
            "no icon: {:?}",
            look.colour(x, y - 12.0)
        );
    };
    assert!(look.brightness(x, y + 8.0) > 650, "paper under the bar");
    assert_eq!(look.colour(right, y), [255, 255, 255]);
    // switched off, both are squares in their colours
    page.command("icons off").await;
    page.until("!document.querySelector('[data-setting=icons]').checked")
        .await;
    let begun = std::time::Instant::now();
    while page.look().await.colour(x, y + 8.0) != [0, 0, 200] {
        assert!(begun.elapsed().as_secs() < 60);
    }
    page.close().await;
}
