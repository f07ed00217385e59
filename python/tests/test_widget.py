"""`World.show()`: what the page is given and told, and what it tells. The page's side is tested with
the site: `cargo xtask site OUT --check`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gridpaper as gp


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site's folder that has the element, which is a line here."""
    (tmp_path / "grid-paper.single.js").write_text("const element = 1;\n", "utf-8")
    monkeypatch.setenv("GRIDPAPER_SITE", str(tmp_path))
    return tmp_path


def test_a_widget_starts_as_the_world_is(site: Path) -> None:
    world = gp.World("r-pentomino")
    world.run(1103)
    widget = world.show(autostart=True, step=4, theme="blueprint")
    assert (widget.generation, widget.population, widget.running) == ("1103", "116", False)
    assert (widget.controls, widget.autostart, widget.step, widget.speed) == (True, True, "4", "")
    there = gp.World(widget.pattern)
    assert (there.generation, there.hash) == (1103, world.hash)
    assert widget.get_state("theme") == {"theme": "blueprint"}
    esm = widget.get_state("_esm")["_esm"]
    assert esm.startswith("const element = 1;\n") and "export default" in esm


def test_a_large_world_is_given_as_a_quadtree(site: Path) -> None:
    gun = gp.World("gosper-glider-gun")
    gun.run(10**30)
    widget = gun.show()
    assert widget.pattern.startswith("[M2]") and len(widget.pattern) < 100_000
    assert gp.World(widget.pattern).hash == gun.hash
    assert widget.generation == str(10**30)


def test_the_page_is_told_and_tells(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    widget = gp.World("glider").show()
    sent: list[Any] = []
    monkeypatch.setattr(type(widget), "send", lambda self, content: sent.append(content))
    widget.run()
    widget.goto(10**30)
    widget.load("lwss")
    widget.load(gp.World("block"))
    widget.command("rule B36/S23")
    calls = [(message["call"], *message["of"][:1]) for message in sent]
    assert calls[:3] == [("run",), ("goto", "1" + "0" * 30), ("load", "lwss")]
    assert "2o" in calls[3][1] and calls[4] == ("command", "rule B36/S23")
    seen = []
    widget.observe(lambda change: seen.append(change["new"]), "generation")
    widget.set_state({"generation": "7", "running": True})
    assert seen == ["7"] and widget.running


def test_without_the_element_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDPAPER_SITE", str(tmp_path))
    with pytest.raises(gp.Unsupported, match="cargo xtask site"):
        gp.World("glider").show()
