//! The classroom: five boards that step together, reasons, maps.

use crate::browser::{BrowserPage, BrowserSetup};
use crate::webdriver::Key;
use models::classroom::{ClassroomBoards, ClassroomRule};
use serde_json::json;

async fn open(path: &str) -> BrowserPage {
    let page = BrowserPage::open(&BrowserSetup {
        path,
        size: (1280, 800),
        ..BrowserSetup::default()
    })
    .await;
    page.until("document.querySelectorAll('.classroom-board[data-text]').length === 5")
        .await;
    page
}

async fn until_boards(page: &BrowserPage, boards: &ClassroomBoards) {
    for rule in ClassroomRule::ALL {
        page.until(&format!(
            "document.querySelector('[data-rule={rule}].classroom-board').dataset.text === {}",
            json!(boards.text(rule))
        ))
        .await;
    }
}

async fn click(page: &BrowserPage, id: &str) {
    page.eval(&format!("document.getElementById('{id}').click()"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_five_step_together_and_go_back() {
    let page = open("/classroom?map=colorised-meeting").await;
    let mut boards = ClassroomBoards::new(25, 25).unwrap();
    boards.open("colorised-meeting").unwrap();
    until_boards(&page, &boards).await;
    page.eval(crate::laser::CAUGHT).await;
    for round in 1..=6 {
        // by key and by button
        if round % 2 == 0 {
            page.eval("document.activeElement.blur()").await;
            page.keys(&char::from(Key::Enter).to_string()).await;
        } else {
            click(&page, "class-step").await;
        }
        boards.step(1);
        page.until_text("class-round", &round.to_string()).await;
        until_boards(&page, &boards).await;
        // a connection that is lost on the way takes nothing along
        if round == 3 {
            page.eval("window.before = caught, caught.close()").await;
            page.until("caught !== before && caught.readyState === WebSocket.OPEN")
                .await;
        }
    }
    click(&page, "class-start").await;
    page.until_text("class-round", "0").await;
    boards.restart();
    until_boards(&page, &boards).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cell_tells_why_and_is_drawn_by_keys() {
    let page = open("/classroom?map=weighted-block").await;
    let mut boards = ClassroomBoards::new(25, 25).unwrap();
    boards.open("weighted-block").unwrap();
    until_boards(&page, &boards).await;
    page.eval("document.querySelector('[data-rule=weighted] [role=gridcell]').focus()")
        .await;
    let mut keys = String::new();
    keys.extend(std::iter::repeat_n(char::from(Key::Right), 10));
    keys.extend(std::iter::repeat_n(char::from(Key::Down), 11));
    page.keys(&keys).await;
    let received = |boards: &ClassroomBoards, rule: ClassroomRule| {
        format!(
            "document.querySelector('#class-reasons [data-rule={rule}]')?.dataset.words === {}",
            json!(boards.explain(rule, 10, 11).words)
        )
    };
    for rule in ClassroomRule::ALL {
        page.until(&received(&boards, rule)).await;
    }
    page.until(&format!(
        "document.activeElement.ariaLabel === {}",
        json!(format!(
            "10,11 dead; {}",
            boards.explain(ClassroomRule::Weighted, 10, 11).words
        ))
    ))
    .await;
    // a stroke is in all five
    page.keys(" ").await;
    boards.draw(ClassroomRule::Weighted, 10, 11, 1).unwrap();
    until_boards(&page, &boards).await;
    for rule in ClassroomRule::ALL {
        page.until(&received(&boards, rule)).await;
    }
    page.close().await;
}

/// Has the page open a file, as if it had been dropped.
async fn drop_file(page: &BrowserPage, text: &str) {
    page.eval(&format!(
        "(() => {{
            const data = new DataTransfer();
            data.items.add(new File([{}], 'a.cells'));
            document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}));
        }})()",
        json!(text)
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn maps_are_read_as_the_homework_has_them() {
    let page = open("/classroom").await;
    let mut boards = ClassroomBoards::new(25, 25).unwrap();
    let map = "! red and blue\nRRB\n.R\n";
    drop_file(&page, map).await;
    boards.read(map.as_bytes(), &Default::default()).unwrap();
    until_boards(&page, &boards).await;
    for (broken, words) in [
        ("..O\n.x.\n", "line 2, column 2: "),
        ("R.5\n", "line 1, column 3: "),
        (&".".repeat(26), "line 1, column 26: "),
    ] {
        drop_file(&page, broken).await;
        page.until(&format!(
            "document.getElementById('class-error').textContent.startsWith({})",
            json!(words)
        ))
        .await;
        until_boards(&page, &boards).await;
    }
    // a comment takes up a row for the course's own loader
    click(&page, "class-cs100").await;
    drop_file(&page, map).await;
    let how = models::classroom::MapReadOptions {
        cs100: true,
        ..Default::default()
    };
    boards.read(map.as_bytes(), &how).unwrap();
    until_boards(&page, &boards).await;
    // a reload keeps the boards and the round
    click(&page, "class-step").await;
    page.until_text("class-round", "1").await;
    page.client.refresh().await.unwrap();
    page.until_text("class-round", "1").await;
    boards.step(1);
    until_boards(&page, &boards).await;
    page.close().await;
}
