"""check_layers finds every kind of forbidden include."""

import pytest

import check_layers


def test_good_includes_pass(project):
    root = project(
        {
            "src/stats/kernel.cc": '#include "hwy/highway.h"\n#include "tensor/half.h"\n#include <vector>\n',
            "src/tensor/half.h": '#include "base/bytes.h"\n#include "tensortap/dtype.h"\n',
            "src/base/bytes.h": "#include <sys/mman.h>\n",
            "src/recorder/run.cc": '#include "wire/crc.h"\n',  # through event
            "src/wire/crc.h": "",
            "include/tensortap/dtype.h": '#include "tensortap/status.h"\n',
            "include/tensortap/status.h": "#include <string>\n",
            "python/bindings/run.cc": '#include <nanobind/nanobind.h>\n#include "recorder/channel.h"\n',
            "src/recorder/channel.h": '#include "tensortap/run.h"\n',
        }
    )
    assert check_layers.check(root) == []


@pytest.mark.parametrize(
    ("path", "include", "word"),
    [
        ("src/base/x.h", '"tensor/half.h"', "base may not include tensor"),
        ("src/recorder/x.cc", '"store/follow.h"', "recorder may not include store"),
        ("src/store/x.cc", '"recorder/queue.h"', "store may not include recorder"),
        ("src/stats/x.cc", '"tensortap/run.h"', "stats may not include recorder"),
        ("src/cli/show.cc", "<CLI/CLI.hpp>", "src/cli/program.cc only"),
        ("src/format/npy.cc", "<png.h>", "src/format/png.cc only"),
        ("src/recorder/x.cc", "<protozero/pbf_writer.hpp>", "src/wire/protobuf.h only"),
        ("src/recorder/x.cc", "<hwy/highway.h>", "src/stats/* only"),
        ("src/recorder/x.cc", "<nanobind/nanobind.h>", "python/bindings/* only"),
        ("src/recorder/x.cc", "<absl/status/status.h>", "unknown"),
        ("src/recorder/x.cc", '"nowhere.h"', "unknown"),
        ("python/bindings/x.cc", '"recorder/queue.h"', "python_record may not include recorder"),
        ("src/tap_op/x.cc", '"store/follow.h"', "tap_op may not include store"),
        ("include/tensortap/run.h", '"recorder/queue.h"', "not installed"),
        ("include/tensortap/strange.h", "<vector>", "belongs to no module"),
        ("src/helpers/x.h", "<vector>", "without a row"),
    ],
)
def test_bad_include_is_found(project, path, include, word):
    root = project({"src/base/y.h": "", path: f"// first line\n#include {include}\n"})
    problems = check_layers.check(root)
    assert any(word in problem for problem in problems), problems


def test_own_header_of_the_same_name_hides_no_third_party_one(project):
    root = project({"src/format/png.h": "", "src/format/npy.cc": "#include <png.h>\n"})
    assert len(check_layers.check(root)) == 1


def test_message_names_file_and_line(project):
    root = project({"src/base/x.h": '// first line\n#include "tensor/half.h"\n'})
    assert check_layers.check(root)[0].startswith("src/base/x.h:2: ")


def test_recording_and_reading_halves_never_meet():
    assert "store" not in check_layers.reachable("recorder")
    assert "recorder" not in check_layers.reachable("store")
    assert "recorder" not in check_layers.reachable("server")


def test_program_reaches_all_but_the_bindings():
    others = {"tap_op", "python_record", "python_read"}
    assert check_layers.reachable("cli") == set(check_layers.LAYERS) - others
