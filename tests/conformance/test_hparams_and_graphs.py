"""Hyperparameters and graphs reach TensorBoard's own code for them."""

from __future__ import annotations

import json

import pytest
import tensorflow as tf
from tensorboard import context
from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.plugins import base_plugin
from tensorboard.plugins.graph import keras_util
from tensorboard.plugins.hparams import api_pb2, backend_context, error, list_session_groups
from tensorboard.plugins.hparams import metadata as hparams_metadata


def python_value(value):
    return getattr(value, value.WhichOneof("kind"))


def content(accumulator, name: str) -> bytes:
    metadata = accumulator.SummaryMetadata(f"_hparams_/{name}")
    assert metadata.plugin_data.plugin_name == hparams_metadata.PLUGIN_NAME
    return metadata.plugin_data.content


def test_hyperparameters_are_read_with_their_types(everything_module, accumulated):
    info = hparams_metadata.parse_session_start_info_plugin_data(content(accumulated, "session_start_info"))
    found = {name: python_value(value) for name, value in info.hparams.items()}
    assert found == everything_module.HPARAMS
    assert isinstance(found["dropout"], bool) and isinstance(found["learning rate"], float)
    assert abs(info.start_time_secs - accumulated.FirstEventTimestamp()) < 60


@pytest.mark.parametrize(("run", "status"), [("all", api_pb2.STATUS_SUCCESS), ("failed", api_pb2.STATUS_FAILURE)])
def test_the_end_of_a_session_says_how_it_went(everything, accumulate, run, status):
    accumulator = accumulate(everything.log_directory / run)
    info = hparams_metadata.parse_session_end_info_plugin_data(content(accumulator, "session_end_info"))
    assert info.status == status
    start = hparams_metadata.parse_session_start_info_plugin_data(content(accumulator, "session_start_info"))
    assert start.start_time_secs <= info.end_time_secs < start.start_time_secs + 60


def test_the_experiment_names_every_parameter_with_its_type_and_every_metric(everything_module, accumulated):
    experiment = hparams_metadata.parse_experiment_plugin_data(content(accumulated, "experiment"))
    types = {info.name: info.type for info in experiment.hparam_infos}
    kinds = {bool: api_pb2.DATA_TYPE_BOOL, str: api_pb2.DATA_TYPE_STRING}
    assert types == {
        name: kinds.get(type(value), api_pb2.DATA_TYPE_FLOAT64) for name, value in everything_module.HPARAMS.items()
    }
    metrics = [(info.name.group, info.name.tag) for info in experiment.metric_infos]
    assert metrics == [("", "loss"), ("val", "epoch_loss")]


@pytest.fixture(scope="module")
def hparams_context(everything):
    multiplexer = plugin_event_multiplexer.EventMultiplexer(tensor_size_guidance={"scalars": 0})
    multiplexer.AddRunsFromDirectory(str(everything.log_directory)).Reload()
    provider = data_provider.MultiplexerDataProvider(multiplexer, str(everything.log_directory))
    return backend_context.Context(base_plugin.TBContext(data_provider=provider))


def test_tensorboards_hparams_page_lists_both_sessions_with_values_and_metrics(
    everything, everything_module, hparams_context
):
    request = api_pb2.ListSessionGroupsRequest(
        start_index=0,
        slice_size=10,
        allowed_statuses=[api_pb2.STATUS_SUCCESS, api_pb2.STATUS_FAILURE, api_pb2.STATUS_UNKNOWN],
    )
    request_context = context.RequestContext()
    experiment = hparams_context.experiment_from_metadata(
        request_context,
        "",
        include_metrics=True,
        hparams_run_to_tag_to_content=hparams_context.hparams_metadata(request_context, ""),
        data_provider_hparams=[],
    )
    assert {info.name for info in experiment.hparam_infos} == set(everything_module.HPARAMS)
    groups = list_session_groups.Handler(request_context, hparams_context, "", request).run()
    sessions = {session.name: session for group in groups.session_groups for session in group.sessions}
    assert {name: session.status for name, session in sessions.items()} == {
        "all": api_pb2.STATUS_SUCCESS,
        "failed": api_pb2.STATUS_FAILURE,
    }
    metrics = {(m.name.group, m.name.tag): (m.training_step, m.value) for m in sessions["all"].metric_values}
    last_step, last_loss = everything.scalars["loss"][-1]
    assert metrics[("", "loss")] == (last_step, pytest.approx(last_loss, rel=1e-6))
    assert metrics[("val", "epoch_loss")] == (2, pytest.approx(2.8, rel=1e-6))


def test_the_plugin_refuses_what_it_does_not_know_so_that_the_tests_above_can_fail():
    with pytest.raises(error.HParamsError):
        hparams_metadata.parse_session_start_info_plugin_data(b"")


def test_a_graph_comes_back_equal(everything, accumulated, events_in):
    wanted = everything.graph.as_graph_def()
    parsed = tf.compat.v1.GraphDef.FromString(accumulated.Graph().SerializeToString())
    assert parsed == wanted
    (event,) = [event for event in events_in(everything.run) if event.HasField("graph_def")]
    assert tf.compat.v1.GraphDef.FromString(event.graph_def) == wanted
    assert {node.name for node in parsed.node} >= {"input", "product", "output"}


@pytest.fixture
def keras_config(everything, accumulate, tensors_of):
    def read(name: str) -> dict:
        accumulator = accumulate(everything.log_directory / "models" / name)
        metadata = accumulator.SummaryMetadata("keras")
        assert metadata.plugin_data.plugin_name == "graph_keras_model"
        assert metadata.plugin_data.content == b"1"
        ((_, array),) = tensors_of(accumulator, "keras")
        return json.loads(array.ravel()[0])

    return read


@pytest.mark.parametrize("name", ["sequential", "functional"])
def test_a_keras_model_comes_back_as_its_own_json(everything_module, keras_config, name):
    model = getattr(everything_module, f"{name}_model")()
    assert keras_config(name) == json.loads(model.to_json())


def test_a_keras_model_has_the_shape_that_needs_no_migration_once_the_data_class_is_set(
    everything, accumulate, tensors_of
):
    """TensorBoard makes a list of a lone string only for tags without a data class."""
    accumulator = accumulate(everything.log_directory / "models" / "sequential")
    ((_, array),) = tensors_of(accumulator, "keras")
    assert array.shape == (1,)


def test_tensorboard_draws_a_sequential_model_as_a_chain_of_its_layers(keras_config):
    graph = keras_util.keras_model_to_graph_def(keras_config("sequential"))
    inputs = {node.name: list(node.input) for node in graph.node}
    assert inputs["stack/drop"] == ["stack/hidden"]
    assert inputs["stack/scores"] == ["stack/drop"]


def test_tensorboard_draws_a_functional_model_with_its_branches(keras_config):
    graph = keras_util.keras_model_to_graph_def(keras_config("functional"))
    inputs = {node.name: list(node.input) for node in graph.node}
    assert set(inputs) == {f"net/{name}" for name in ("left", "right", "dense", "joined", "first", "second")}
    assert inputs["net/joined"] == ["net/dense", "net/right"]
    assert inputs["net/first"] == inputs["net/second"] == ["net/joined"]
    assert inputs["net/dense"] == ["net/left"]
