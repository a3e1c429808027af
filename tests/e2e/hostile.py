"""Names and texts that a page must show and never run; each would set window.__hostile if it ran."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tensortap as tap

RUN = "window.__hostile=1"
_EVENTS = ["onerror", "onload", "onclick", "onfocus", "onmouseover", "onanimationstart", "ontoggle", "onpointerenter"]
_ELEMENTS = [
    "img src=x",
    "svg",
    "body",
    "input autofocus",
    "details open",
    "video src=x",
    "audio src=x",
    "iframe src=about:blank",
    "marquee",
    "select autofocus",
]
_WHOLE = [
    f"<script>{RUN}</script>",
    f"<ScRiPt>{RUN}</sCrIpT>",
    f"<script src=data:text/javascript,{RUN}></script>",
    f"<scr<script>ipt>{RUN}</scr</script>ipt>",
    f'"><script>{RUN}</script>',
    f"'><script>{RUN}</script>",
    f"</title><script>{RUN}</script>",
    f"</textarea><script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"<!--><script>{RUN}</script-->",
    f"<![CDATA[<script>{RUN}</script>]]>",
    f'<iframe src="javascript:{RUN}"></iframe>',
    f'<iframe srcdoc="<script>parent.{RUN}</script>"></iframe>',
    f'<object data="javascript:{RUN}"></object>',
    f'<embed src="javascript:{RUN}">',
    f'<a href="javascript:{RUN}">a link</a>',
    f'<a href=" jav&#x09;ascript:{RUN}">a link</a>',
    f'<form action="javascript:{RUN}"><button>a button</button></form>',
    f'<math><a xlink:href="javascript:{RUN}">a</a></math>',
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s>",
    f"<svg><script>{RUN}</script></svg>",
    f"<svg><foreignObject><img src=x onerror={RUN}></foreignObject></svg>",
    f'<link rel=stylesheet href="javascript:{RUN}">',
    f"<style>@import 'javascript:{RUN}';</style>",
    "<style>body{display:none}</style>",
    "<style>*{background:url(/hostile-style.png)}</style>",
    f'<meta http-equiv=refresh content="0;url=javascript:{RUN}">',
    "<base href=https://example.org/>",
    f"<template><script>{RUN}</script></template>",
    f'<noscript><p title="</noscript><img src=x onerror={RUN}>">',
    f"[a link](javascript:{RUN})",
    f"[a link](data:text/html,<script>{RUN}</script>)",
    f"[a link](JaVaScRiPt:{RUN})",
    f"[a link](&#106;avascript:{RUN})",
    f'![a picture](x" onerror="{RUN})',
    "![a picture](https://example.org/hostile.png)",
    f"[a]: javascript:{RUN}\n[a]",
    f"`<script>{RUN}</script>`",
    f"```html\n<script>{RUN}</script>\n```",
    f"javascript:{RUN}",
    f"{{{{constructor.constructor('{RUN}')()}}}}",
    f"${{{RUN}}}",
    f"{{@html '<script>{RUN}</script>'}}",
    f'"-{RUN}-"',
    f"';{RUN};//",
    f'\\";{RUN};//',
    "<table><td background=/hostile-cell.png>",
    "<img src=/hostile-image.png>",
    '<div style="position:fixed;inset:0;background:red">over everything</div>',
    "<form id=app><input name=innerHTML>",
    "<img name=getElementById><img id=body>",
    "\u202eright to left\u202c",
    "zero\u200bwidth\u200djoined",
    "e\u0301" * 20 + "\u0336" * 20,
    "👩‍👩‍👧‍👦 日本語 größe العربية",
    "control \x01\x02\x1b[31mred\x7f",
    "a" * 4000,
    "word " * 400,
    "=1+1",
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    "__proto__",
    "constructor",
    "toString",
    "../../../etc/passwd",
    "%2e%2e%2f%00",
    "a?b=c&d=e#f/g",
    "%",
    "null",
    "undefined",
    "NaN",
]


def hostile_strings() -> list[str]:
    """More than a hundred; each is a text, and most are a tag and a run's name too."""
    by_event = [f"<{element} {event}={RUN}>" for element in _ELEMENTS for event in _EVENTS]
    return [*_WHOLE, *by_event]


def as_run_name(text: str) -> str:
    """What of it can be the name of a directory."""
    name = text.replace("/", "\u2215").replace("\0", "").replace("\n", " ")
    while len(name.encode()) > 200:
        name = name[:-1]
    return "dots" if name in (".", "..") else name


def write_hostile(directory: Path) -> int:
    """One run of each name with a point in it; one run whose tags, texts and hyperparameters are all of them."""
    strings = hostile_strings()
    for number, text in enumerate(strings):
        with tap.Run(directory / as_run_name(text), tensorboard=False) as run:
            run.scalar("train/loss", 1.0 + number, step=0)
            run.scalar("train/loss", 0.5 + number, step=1)
    picture = np.eye(8, dtype="float32")
    with tap.Run(directory / "hostile") as run:
        run.hparams({text[:200]: text for text in strings})
        for text in strings:
            run.scalar(f"train/{text}", 0.5, step=0)
            run.text(text, text, step=0)
        for text in strings[:20]:
            run.histogram(f"weights/{text}", picture, step=0)
            run.histogram(f"activations/{text}", picture, step=0)
            run.tensor(f"tensor/{text}", picture, step=0)
            run.image(f"image/{text}", picture, step=0)
            run.audio(f"audio/{text}", np.zeros(100), rate=8000, step=0)
        run.text("all of them", strings, step=0)
    return len(strings)
