"""check_public_headers finds headers that lean on others."""

import check_public_headers


def check(project, text):
    return check_public_headers.check(project({"include/tensortap/a.h": text}))


def test_good_header_passes(project):
    assert check(project, "#pragma once\n#include <string>\ninline std::string a;\n") == []


def test_missing_include_is_found(project):
    assert "does not compile alone" in check(project, "#pragma once\ninline std::string a;\n")[0]


def test_missing_guard_is_found(project):
    assert "does not compile alone" in check(project, "struct A {};\n")[0]


def test_third_party_include_is_found(project):
    assert "a.h:2: a public header includes <zlib.h>" in check(project, "#pragma once\n#include <zlib.h>\n")[0]


def test_no_headers_at_all_is_an_error(tmp_path):
    assert check_public_headers.check(tmp_path)
