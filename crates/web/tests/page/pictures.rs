//! The README's pictures: `cargo xtask pictures` takes them anew.

use crate::browser::{Page, Setup};
use std::path::Path;

/// Writes what the window shows to a file in the README's folder.
async fn take(page: &Page, name: &str) {
    // a pointer over the sheet would show a cell
    page.eval("document.activeElement.blur()").await;
    page.settle().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    let bytes = page.client.screenshot().await.unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes pictures; cargo xtask pictures"]
async fn pictures_of_the_page() {
    let page = Page::open(&Setup {
        pattern: "gosper-glider-gun",
        size: (1280, 800),
        ..Setup::default()
    })
    .await;
    page.command("stop").await;
    page.command("theme paper").await;
    page.command("goto 110").await;
    page.until_text("generation", "110").await;
    page.command("zoom 14").await;
    page.command("centre 20,16").await;
    take(&page, "page.png").await;

    page.command("open r-pentomino").await;
    // whoever has drawn once knows how: the hint goes with the first stroke
    page.click_cell(5, 5).await;
    page.press("undo").await;
    page.eval("document.getElementById('note-close').click()")
        .await;
    page.command("theme blueprint").await;
    page.command("age on").await;
    page.command("history on").await;
    for generation in [200, 240] {
        page.command(&format!("goto {generation}")).await;
        page.until_text("generation", &generation.to_string()).await;
    }
    page.command("zoom 7").await;
    page.command("centre 24,2").await;
    page.panel("library").await;
    let chip = "[...document.querySelectorAll('#panel-library button')].find((b) => b.textContent.trim() === 'gun')";
    page.eval(&format!("{chip}.click()")).await;
    page.until("[...document.querySelectorAll('#panel-library img')].slice(0, 2).every((i) => i.complete && i.naturalWidth > 0)")
        .await;
    take(&page, "page-library.png").await;
    page.close().await;
}
