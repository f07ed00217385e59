//! Hexagons and triangles on the sheet: what is clicked is the cell that is drawn there.

use crate::browser::{BrowserPage, BrowserSetup};

#[tokio::test(flavor = "multi_thread")]
async fn hexagons_and_triangles_are_drawn_and_clicked() {
    let emulated: &[&str] = &["--enable-unsafe-swiftshader", "--use-angle=swiftshader"];
    let ways: [(&str, &[&str]); 2] = [("/?canvas=2d", &[]), ("/?canvas=webgl2", emulated)];
    for (path, flags) in ways {
        let setup = BrowserSetup {
            path,
            flags,
            ..BrowserSetup::default()
        };
        let page = BrowserPage::open(&setup).await;
        page.command("clear all").await;
        page.command("rule B2/SH").await;
        page.near().await;
        page.until("document.getElementById('sheet').dataset.lattice === 'hexagonal'")
            .await;
        page.click_cell(0, 0).await;
        page.click_cell(1, 0).await;
        page.until_text("population", "2").await;
        page.until_cells(-1, -1, "....\n.oo.\n....").await;
        // The two cells that touch both of them.
        page.press("step").await;
        page.until_text("generation", "1").await;
        page.until_cells(-1, -1, ".o..\n....\n..o.").await;

        page.command("clear all").await;
        page.command("rule B1/S0LE").await;
        page.near().await;
        page.until("document.getElementById('sheet').dataset.lattice === 'triangular'")
            .await;
        page.click_cell(0, 0).await;
        page.until_text("population", "1").await;
        // Its point is below, so the third neighbour lies above.
        page.press("step").await;
        page.until_text("population", "4").await;
        page.until_cells(-1, -1, ".o.\nooo\n...").await;
        page.close().await;
    }
}
