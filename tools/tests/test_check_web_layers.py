"""check_web_layers keeps the rooms of the page apart."""

import pytest

import check_web_layers


def problems_of(project, path, text):
    return check_web_layers.check(project({path: text}))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("web/src/state/catalog.svelte.ts", 'import { api } from "$api/client";'),
        ("web/src/views/network/View.svelte", 'import Card from "$widgets/Card.svelte";'),
        ("web/src/views/network/View.svelte", 'import { grid } from "./parts/grid";'),
        ("web/src/views/network/parts/Grid.svelte", 'import { grid } from "../grid";'),
        ("web/src/charts/curve.ts", 'import type { Tokens } from "$state/theme.svelte";'),
        ("web/src/charts/curve.ts", 'import { LineChart } from "echarts/charts";'),
        ("web/src/app/views.ts", 'const all = import.meta.glob<View>("../views/*/index.ts", { eager: true });'),
        ("web/src/api/client.ts", "const answer = await fetch(url);"),
        ("web/src/widgets/Markdown.svelte", "<div>{@html html}</div>"),
        ("web/src/api/client.test.ts", 'vi.stubGlobal("fetch", () => fetch(x)); box.innerHTML = "";'),
        ("web/src/widgets/Dot.svelte", "<i style:color={color}></i>"),
        ("web/e2e/visitor.ts", 'import { x } from "../src/app/x"; fetch(y)'),
    ],
)
def test_what_is_allowed(project, path, line):
    assert problems_of(project, path, line) == []


@pytest.mark.parametrize(
    ("path", "line", "words"),
    [
        ("web/src/api/client.ts", 'import { x } from "$state/x";', "api may not import state"),
        ("web/src/state/x.ts", 'import Card from "$widgets/Card.svelte";', "state may not import widgets"),
        ("web/src/charts/curve.ts", 'import { theme } from "$state/theme.svelte";', "charts may not import state"),
        ("web/src/widgets/Card.svelte", 'import { x } from "$app/x";', "widgets may not import app"),
        ("web/src/views/a/View.svelte", 'import App from "../../app/App.svelte";', "views may not import app"),
        ("web/src/views/a/View.svelte", 'import X from "../b/X.svelte";', "another view"),
        ("web/src/views/a/View.svelte", 'const x = await import("../b/X.svelte");', "another view"),
        ("web/src/views/a/View.svelte", 'export { x } from "../b/x";', "another view"),
        ("web/src/views/a/View.svelte", 'import { x } from "../../charts/x";', "by its alias"),
        ("web/src/state/x.ts", 'import { y } from "$state/y";', "relative"),
        ("web/src/state/x.ts", 'import {\n  y,\n} from "$charts/y";', "state may not import charts"),
        ("web/src/elsewhere/x.ts", "", "no room"),
        ("web/src/views/a/View.svelte", 'const x = fetch("/api/v1/runs");', "only web/src/api asks"),
        ("web/src/state/live.ts", 'new EventSource("events")', "only web/src/api asks"),
        ("web/src/views/text/View.svelte", "<p>{@html text}</p>", "only in web/src/widgets/Markdown.svelte"),
        ("web/src/charts/tip.ts", "tip.innerHTML = text;", "only in web/src/widgets/Markdown.svelte"),
        ("web/src/widgets/Dot.svelte", '<i style="color: red"></i>', "style attribute"),
    ],
)
def test_what_is_not(project, path, line, words):
    problems = problems_of(project, path, "// First line.\n" + line)
    assert len(problems) == 1
    assert problems[0].startswith(f"{path}:")
    assert words in problems[0]


def test_the_line_is_named(project):
    problems = problems_of(project, "web/src/state/x.ts", '// A\n\nimport Card from "$widgets/Card.svelte";\n')
    assert problems[0].startswith("web/src/state/x.ts:3: ")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('{"version": "1.0.0", "integrity": "sha512-x", "funding": {"url": "https://example.org/npm/x"}}', 0),
        ('{"resolved": "x"}', 1),
        ('{"url": "https://npm.example.org/x.tgz"}', 1),
        ('{"url": "http://nexus:8081/x.tgz"}', 1),
    ],
)
def test_no_registry_in_the_lock_file(project, text, count):
    assert len(problems_of(project, "web/package-lock.json", text)) == count
