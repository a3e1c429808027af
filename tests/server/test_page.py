"""The page's files: out of the program and out of a directory; kept by browsers where that is right."""

from __future__ import annotations

import re


def test_the_page_in_the_program_comes_compressed_or_not(serve, recorded):
    served = serve(recorded, "--no-token")
    plain = served.ask("/")
    packed = served.ask("/", headers={"Accept-Encoding": "gzip, deflate, br"})
    assert plain.status == packed.status == 200
    assert plain.headers["content-type"] == "text/html; charset=utf-8"
    assert "content-encoding" not in plain.headers
    assert packed.plain == plain.body
    assert b"<title>Tensortap</title>" in plain.body


def test_the_page_names_only_files_that_are_there_and_of_this_server(serve, recorded):
    served = serve(recorded, "--no-token", "--path-prefix", "/lab")
    page = served.ask("/lab/").body.decode()
    links = re.findall(r'(?:src|href)="([^"]+)"', page)
    for link in links:
        assert not link.startswith(("http:", "https:", "//", "/", "data:")), link
        reply = served.ask("/lab/" + link.removeprefix("./"))
        assert reply.status == 200, link
    assert not re.search(r"<script>|<style>|\sstyle=|\son\w+=", page), "the content policy would block it"


def test_files_with_a_hash_are_kept_for_ever_and_the_page_is_asked_for(viewer):
    assert viewer.ask("/").headers["cache-control"] == "no-cache"
    script = viewer.ask("/assets/index-1a2b3c4d.js")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"


def test_what_a_browser_has_is_not_sent_again(viewer):
    for target in ("/", "/assets/index-1a2b3c4d.js"):
        tag = viewer.ask(target).headers["etag"]
        again = viewer.ask(target, headers={"If-None-Match": tag})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == tag
        assert viewer.ask(target, headers={"If-None-Match": '"other"'}).status == 200


def test_data_with_a_tag_is_not_sent_again_either(viewer):
    def picture(**headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return viewer.api("image", headers=sent, run="a", tag="picture", step=3)

    first = picture()
    assert first.headers["content-type"] == "image/png"
    assert picture(If_None_Match=first.headers["etag"]).status == 304


def test_answers_are_compressed_when_that_helps(viewer):
    gzip = {"Accept-Encoding": "gzip"}
    long = viewer.api("scalars", headers=gzip, run="a", tag="loss", format="json")
    assert long.headers["content-encoding"] == "gzip"
    assert long.headers["vary"] == "Accept-Encoding"
    assert long.plain == viewer.api("scalars", run="a", tag="loss", format="json").body
    assert len(long.body) < len(long.plain) / 2
    for small in (
        viewer.api("status", headers=gzip),
        viewer.api("image", headers=gzip, run="a", tag="picture", step=3),
    ):
        assert "content-encoding" not in small.headers
    refused = viewer.api("scalars", headers={"Accept-Encoding": "gzip;q=0"}, run="a", tag="loss", format="json")
    assert "content-encoding" not in refused.headers


def test_a_part_of_a_clip_can_be_asked_for(viewer):
    whole = viewer.api("audio/clip", run="a", tag="beep", step=1)
    assert whole.body[:4] == b"RIFF"
    part = viewer.api("audio/clip", headers={"Range": "bytes=100-199"}, run="a", tag="beep", step=1)
    assert part.status == 206
    assert part.headers["content-range"] == f"bytes 100-199/{len(whole.body)}"
    assert part.body == whole.body[100:200]
    beyond = viewer.api("audio/clip", headers={"Range": "bytes=99999999-"}, run="a", tag="beep", step=1)
    assert beyond.status == 416
