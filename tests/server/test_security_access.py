"""Who gets an answer: hosts, origins, tokens, methods; and what every answer carries."""

from __future__ import annotations

import http.client

import pytest

ROUTES = ["status", "runs", "tags", "events", "preferences", "health", "hparams"]
TARGETS = ["/", "/assets/index-1a2b3c4d.js", *(f"/api/v1/{route}" for route in ROUTES)]

OWN_HOSTS = ["localhost", "127.0.0.1", "LOCALHOST:1", "127.0.0.1:80", "[::1]", "[::1]:6007", "127.9.9.9"]
FOREIGN_HOSTS = [
    "", "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "localhost@evil.example",
    "10.0.0.1", "0.0.0.0", "169.254.169.254", "[::]", "[fe80::1]", "localhost:x", "localhost:", "127.1", "2130706433",
    "0x7f000001", "localhost, evil.example", "evil.example localhost", "[::1", "::1", "localhost\\evil",
    "localhost/", "*",
]  # fmt: skip
FOREIGN_ORIGINS = [
    "null", "http://evil.example", "https://evil.example", "http://localhost", "http://localhost:1", "http://127.0.0.1",
    "http://localhost.evil.example", "file://", "chrome-extension://abc", "http://", "localhost", "http://[::1]",
    "http://localhost@evil.example", "data:", "http://evil.example#localhost",
]  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_names_of_this_machine_are_answered(viewer, target):
    for host in OWN_HOSTS if not target.endswith("events") else []:
        assert viewer.ask(target, headers={"Host": host}).status == 200, host


@pytest.mark.parametrize("target", TARGETS)
def test_other_names_are_refused_on_every_route(viewer, target):
    """DNS rebinding: a page of evil.example whose name has come to mean 127.0.0.1."""
    for host in FOREIGN_HOSTS:
        reply = viewer.ask(target, headers={"Host": host})
        assert reply.status == 403, host
        assert b"run" not in reply.body.replace(b"running", b"")


def test_a_request_without_or_with_two_hosts_is_refused(viewer):
    for head in (b"", b"Host: localhost\r\nHost: localhost\r\n", b"Host: localhost\r\nHost: evil.example\r\n"):
        with viewer.connect() as connection:
            connection.sendall(b"GET /api/v1/runs HTTP/1.1\r\n" + head + b"Connection: close\r\n\r\n")
            assert int(connection.makefile("rb").readline().split()[1]) in (400, 403)


def test_a_name_can_be_allowed(serve, recorded):
    served = serve(recorded, "--no-token", "--allow-host", "lab.example", "--allow-host", "Other.Example")
    for host, status in {
        "lab.example": 200,
        "LAB.example:443": 200,
        "other.example": 200,
        "x.lab.example": 403,
    }.items():
        assert served.ask("/api/v1/status", headers={"Host": host}).status == status
    behind_proxy = {"Host": "127.0.0.1", "Origin": "https://lab.example"}
    assert served.ask("/api/v1/status", headers=behind_proxy).status == 200


@pytest.mark.parametrize("target", TARGETS)
def test_pages_of_other_origins_are_refused_on_every_route(viewer, target):
    for origin in FOREIGN_ORIGINS:
        assert viewer.ask(target, headers={"Origin": origin}).status == 403, origin


def test_the_own_origin_is_answered(viewer):
    for host in ("localhost", "127.0.0.1", "[::1]"):
        headers = {"Host": f"{host}:{viewer.port}", "Origin": f"http://{host}:{viewer.port}"}
        assert viewer.ask("/api/v1/runs", headers=headers).status == 200


def test_other_sites_may_link_to_the_page_but_load_nothing(viewer):
    def status(target: str, site: str, mode: str) -> int:
        return viewer.ask(target, headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}).status

    for site in ("cross-site", "same-site"):
        assert status("/", site, "navigate") == 200
        assert status("/api/v1/runs", site, "navigate") == 403
        for target in TARGETS:
            for mode in ("no-cors", "cors", "same-origin", "websocket", ""):
                assert status(target, site, mode) == 403
    assert status("/api/v1/runs", "same-origin", "cors") == 200
    assert status("/api/v1/runs", "none", "navigate") == 200


def test_without_the_token_nothing_is_told(guarded):
    wrong = guarded.token[:-1] + ("0" if guarded.token[-1] != "0" else "1")
    cookie = f"tensortap-{guarded.port}"
    attempts = [
        {"Authorization": ""}, {"Authorization": "Bearer"}, {"Authorization": f"Bearer {wrong}"},
        {"Authorization": f"Bearer {guarded.token}x"}, {"Authorization": f"Bearer {guarded.token[:-1]}"},
        {"Authorization": f"Basic {guarded.token}"}, {"Authorization": guarded.token},
        {"Authorization": f"Bearer {guarded.token.upper()}x"}, {"Cookie": ""}, {"Cookie": f"{cookie}={wrong}"},
        {"Cookie": f"tensortap-{guarded.port + 1}={guarded.token}"}, {"Cookie": f"{cookie}="}, {"Cookie": cookie},
        {"Cookie": f"x{cookie}={guarded.token}"}, {"Authorization": f"Bearer {guarded.token}\x00"},
    ]  # fmt: skip
    for headers in attempts:
        for target in TARGETS:
            reply = guarded.ask(target, headers=headers)
            assert reply.status in (400, 401), (headers, target)
            assert guarded.token.encode() not in reply.body
            assert "set-cookie" not in reply.headers
    for query in ("?token=", "?token=x", f"?token={wrong}", f"?Token={guarded.token}"):
        assert guarded.ask(f"/{query}", headers={"Cookie": ""}).status == 401
    assert guarded.ask(f"/api/v1/runs?token={guarded.token}", headers={"Cookie": ""}).status == 401


def test_the_token_opens_as_bearer_and_as_cookie(guarded):
    for headers in (
        {"Authorization": f"Bearer {guarded.token}"},
        {"Authorization": f"bearer {guarded.token}"},
        {"Cookie": f"a=b; tensortap-{guarded.port}={guarded.token}; c=d"},
    ):
        assert guarded.ask("/api/v1/runs", headers=headers).status == 200


def test_the_printed_link_sets_a_cookie_and_leads_to_the_page_without_the_token(guarded):
    target = guarded.url.partition(f":{guarded.port}")[2]
    reply = guarded.ask(target, headers={"Cookie": ""})
    assert reply.status == 303
    assert reply.headers["location"] == "/"
    cookie, *flags = reply.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} == set(flags)
    assert cookie.startswith(f"tensortap-{guarded.port}=")
    assert guarded.ask("/", headers={"Cookie": cookie}).status == 200
    assert guarded.ask("/api/v1/runs", headers={"Cookie": cookie}).status == 200
    assert "?" not in guarded.ask(target, headers={"Cookie": ""}).headers["location"]


def test_tokens_differ_from_start_to_start(serve, recorded):
    tokens = {serve(recorded).token for _ in range(3)}
    assert len(tokens) == 3
    assert all(len(token) == 32 for token in tokens)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "PATCH"])
def test_data_is_only_read(viewer, method):
    for target in TARGETS:
        if method == "PATCH" and target.endswith("preferences"):
            continue
        headers = {"Origin": "", "Access-Control-Request-Method": "GET"} if method == "OPTIONS" else {}
        reply = viewer.ask(target, method=method, headers=headers, body=b"{}" if method != "TRACE" else None)
        assert reply.status in ((404, 405) if target.endswith("events") else (405,)), target
        if reply.status == 405:
            assert "GET" in reply.headers["allow"]


@pytest.mark.parametrize("server", ["viewer", "guarded"])
def test_every_answer_is_harmless(server, request):
    served = request.getfixturevalue(server)
    for target in [*TARGETS, "/missing", "/api/v1/missing", "/../x", "/api/v1/series", "/?token=x"]:
        for method in ("GET", "HEAD", "POST"):
            if target.endswith("events") and method == "GET":
                continue
            headers = served.ask(target, method=method).headers
            policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
            assert policy["default-src"] == "'none'"
            assert policy["frame-ancestors"] == "'none'"
            assert not any(word in headers["content-security-policy"] for word in ("unsafe", "*", "http:", "https:"))
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert headers["cross-origin-opener-policy"] == "same-origin"
            assert not any(name.startswith("access-control-") for name in headers)


def test_the_page_may_load_its_own_files_only(viewer):
    policy = viewer.ask("/").headers["content-security-policy"]
    for part in (
        "script-src 'self';",
        "style-src 'self';",
        "connect-src 'self';",
        "base-uri 'none';",
        "form-action 'none';",
    ):
        assert part in policy


def test_head_answers_as_get_without_a_body(viewer):
    for target in TARGETS:
        head = viewer.ask(target, method="HEAD")
        assert head.body == b""
        if not target.endswith("events"):
            get = viewer.ask(target)
            assert (head.status, head.headers.get("content-length")) == (get.status, get.headers.get("content-length"))


def test_preferences_take_json_of_the_own_origin_only(serve, recorded, tmp_path):
    served = serve(recorded, "--no-token", TENSORTAP_CONFIG_DIR=str(tmp_path))
    patch = b'{"notes": {"a": "good"}}'

    def status(**headers: str) -> int:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return served.ask("/api/v1/preferences", method="PATCH", headers=sent, body=patch).status

    assert status() == 415
    assert status(Content_Type="text/plain") == 415
    assert status(Content_Type="application/x-www-form-urlencoded") == 415
    assert status(Content_Type="application/json", Origin="http://evil.example") == 403
    assert status(Content_Type="application/json", Sec_Fetch_Site="cross-site") == 403
    assert served.api("preferences").json()["notes"] == {}
    assert status(Content_Type="application/json") == 200
    assert served.api("preferences").json()["notes"] == {"a": "good"}


def test_keep_alive_answers_many_requests_on_one_connection(viewer):
    connection = http.client.HTTPConnection("127.0.0.1", viewer.port, timeout=10)
    for _ in range(50):
        connection.request("GET", "/api/v1/status")
        assert connection.getresponse().read().startswith(b'{"version"')
    connection.close()
