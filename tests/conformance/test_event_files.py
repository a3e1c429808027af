"""The event file as a file: frames, the first record, metadata, times, and our own two fields."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest
import tensorflow as tf
from tensorboard.compat.proto import event_pb2, summary_pb2

import tensortap as tap

DATA_CLASSES = {
    "scalars": summary_pb2.DATA_CLASS_SCALAR,
    "histograms": summary_pb2.DATA_CLASS_TENSOR,
    "text": summary_pb2.DATA_CLASS_TENSOR,
    "hparams": summary_pb2.DATA_CLASS_TENSOR,
    "pr_curves": summary_pb2.DATA_CLASS_TENSOR,
    "mesh": summary_pb2.DATA_CLASS_TENSOR,
    "images": summary_pb2.DATA_CLASS_BLOB_SEQUENCE,
    "audio": summary_pb2.DATA_CLASS_BLOB_SEQUENCE,
    "graph_keras_model": summary_pb2.DATA_CLASS_BLOB_SEQUENCE,
}


def files_of(everything, pattern: str) -> list[Path]:
    return sorted(everything.log_directory.rglob(pattern))


@pytest.fixture(scope="module")
def all_events(everything, events_in):
    return {run: events_in(everything.log_directory / run) for run in everything.runs_with_events}


@pytest.mark.parametrize("pattern", ["events.out.tfevents.*", "captures.*.tap"])
def test_tensorflows_record_reader_checks_and_reads_every_frame(everything, capture_reader, pattern):
    paths = files_of(everything, pattern)
    assert len(paths) >= 5
    for path in paths:
        read = [bytes(record) for record in tf.data.TFRecordDataset(str(path)).as_numpy_iterator()]
        assert read == list(capture_reader.records(path))
        assert len(read) >= 2


@pytest.mark.parametrize("pattern", ["events.out.tfevents.*", "captures.*.tap"])
def test_frames_are_byte_for_byte_those_of_tensorflows_writer(everything, capture_reader, tmp_path, pattern):
    for path in files_of(everything, pattern):
        with tf.io.TFRecordWriter(str(tmp_path / "copy")) as writer:
            for record in capture_reader.records(path):
                writer.write(record)
        assert (tmp_path / "copy").read_bytes() == path.read_bytes()


def test_tensorflows_reader_notices_a_flipped_bit_in_our_frames(everything, tmp_path):
    damaged = bytearray(files_of(everything, "events.out.tfevents.*")[0].read_bytes())
    damaged[40] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    with pytest.raises(tf.errors.DataLossError):
        list(tf.data.TFRecordDataset(str(tmp_path / "damaged")).as_numpy_iterator())


def test_the_first_record_is_the_file_version_alone(all_events):
    for events in all_events.values():
        assert events[0].file_version == "brain.Event:2"
        assert not any(event.HasField("file_version") for event in events[1:])


def test_file_names_are_those_tensorboard_looks_for_and_sorts_by_time(everything):
    for path in files_of(everything, "events.out.tfevents.*"):
        name, seconds, host, process, number = path.name[len("events.out.") :].split(".")
        assert name == "tfevents"
        assert len(seconds) == 10 and seconds.isdigit() and process.isdigit() and number.isdigit()
        assert host


def test_wall_times_are_finite_and_never_run_backwards(all_events):
    for events in all_events.values():
        times = [event.wall_time for event in events]
        assert all(math.isfinite(time) and time > 1.6e9 for time in times)
        assert times == sorted(times)


def test_metadata_stands_on_the_first_event_of_a_tag_and_on_no_other(all_events):
    for events in all_events.values():
        seen = set()
        for event in events:
            for value in event.summary.value:
                assert value.HasField("metadata") == (value.tag not in seen), value.tag
                seen.add(value.tag)


def test_metadata_names_a_plugin_with_the_data_class_that_tensorboard_gives_it(all_events):
    plugins = set()
    for events in all_events.values():
        for event in events:
            for value in event.summary.value:
                if value.HasField("metadata"):
                    name = value.metadata.plugin_data.plugin_name
                    assert value.metadata.data_class == DATA_CLASSES[name], value.tag
                    plugins.add(name)
    assert plugins == set(DATA_CLASSES)


def test_every_event_of_one_call_carries_one_value(all_events):
    for events in all_events.values():
        for event in events[1:]:
            assert event.HasField("graph_def") or len(event.summary.value) == 1


DERIVED = b"\xa0\x38\x01"  # field 900 as a varint, true


def value_payloads(everything, capture_reader):
    for payload in capture_reader.records(capture_reader.event_files(everything.run)[0]):
        summary = capture_reader.one(capture_reader.fields(payload), 5, b"")
        yield from capture_reader.fields(summary).get(1, [])


def test_a_double_that_float32_cannot_hold_stands_beside_it_in_field_900(everything, capture_reader):
    recorded = capture_reader.scalars(everything.run)
    for tag, points in everything.scalars.items():
        assert [point.step for point in recorded[tag]] == [step for step, _ in points]
        wanted = [struct.pack("<d", value) for _, value in points]
        found = [struct.pack("<d", point.value) for point in recorded[tag]]
        assert wanted == found, tag


def test_field_900_stands_only_where_float32_is_not_exact(everything, capture_reader):
    exact = []
    for value in value_payloads(everything, capture_reader):
        message = capture_reader.fields(value)
        if capture_reader.one(message, 1) == b"accuracy":
            exact.append(900 not in message)
    wanted = [float(tf.constant(value, tf.float32)) == value for _, value in everything.scalars["accuracy"]]
    assert exact == wanted
    assert True in wanted and False in wanted


def test_parsers_that_do_not_know_field_900_keep_it_and_read_the_rest(everything, capture_reader):
    marked = 0
    for value in value_payloads(everything, capture_reader):
        message = capture_reader.fields(value)
        parsed = summary_pb2.Summary.Value.FromString(value)
        again = capture_reader.fields(parsed.SerializeToString())
        assert again.keys() == message.keys() and again.get(900) == message.get(900)
        marked += 900 in again
    assert marked > 1000


def test_derived_histograms_say_so_in_field_900_of_their_metadata(everything, capture_reader):
    marked, unmarked = set(), set()
    for value in value_payloads(everything, capture_reader):
        message = capture_reader.fields(value)
        if 9 not in message:
            continue
        metadata = capture_reader.one(message, 9)
        parsed = summary_pb2.SummaryMetadata.FromString(metadata)
        is_derived = capture_reader.one(capture_reader.fields(metadata), 900) == 1
        (marked if is_derived else unmarked).add(parsed.plugin_data.plugin_name)
        # The mark survives whoever parses the metadata and writes it again.
        assert (DERIVED in parsed.SerializeToString()) == is_derived
    assert marked == {"histograms"}
    assert "histograms" not in unmarked and "scalars" in unmarked


def test_tensorboards_parser_reads_metadata_with_the_mark_as_without_it(everything, accumulated):
    metadata = accumulated.SummaryMetadata("histograms/normal")
    assert metadata.plugin_data.plugin_name == "histograms"
    assert metadata.data_class == summary_pb2.DATA_CLASS_TENSOR
    assert metadata.plugin_data.content == b"" and metadata.summary_description == ""


def test_resuming_at_a_step_hides_what_older_files_hold_from_it_on(tmp_path, reload_as_tensorboard):
    path = tmp_path / "resumed"
    with tap.Run(path) as run:
        for step in range(10):
            run.scalar("loss", float(step), step=step)
    with tap.Run(path, mode="resume", resume_step=5) as run:
        for step in range(5, 8):
            run.scalar("loss", 100.0 + step, step=step)
    points = [(event.step, event.tensor_proto.float_val[0]) for event in reload_as_tensorboard(path).Tensors("loss")]
    assert points == [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 105), (6, 106), (7, 107)]


def test_a_resumed_file_says_twice_at_which_step_it_goes_on(tmp_path, events_in):
    with tap.Run(tmp_path / "run", mode="resume", resume_step=80) as run:
        run.scalar("loss", 1.0, step=80)
    starts = [event for event in events_in(tmp_path / "run") if event.HasField("session_log")]
    assert [(event.step, event.session_log.status) for event in starts] == [(80, event_pb2.SessionLog.START)] * 2
