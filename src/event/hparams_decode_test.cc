// Hparams contents of all writers are read; damaged ones are refused, never crash.
#include "event/hparams_decode.h"

#include <gtest/gtest.h>

#include "event/damage_testutil.h"
#include "event/plugins.h"

namespace tensortap::event {
namespace {

// hp.hparams_pb({"lr": 0.001, "adam": True, "opt": "sgd"}, trial_id="t1", start_time_secs=12.5)
constexpr const char* kStart =
    "1a380a0c0a036f707412051a037367640a0f0a026c72120911fca9f1d24d62503f0a0a0a046164616d12022001220274312900000000"
    "00002940";
// hp.hparams_config_pb([HParam("lr", RealInterval(0., 1.), display_name="rate"), HParam("opt", Discrete(["a", "b"]))],
//                      [Metric("loss", group="val", display_name="Loss")], time_created_secs=3.5)
constexpr const char* kExperiment =
    "124c190000000000000c4022170a026c721204726174652003320911000000000000f03f22130a036f707420012a0a0a031a01610a03"
    "1a01622a130a0b0a0376616c12046c6f73731a044c6f7373";
// hparams.summary.session_end_pb(STATUS_SUCCESS, 99.5)
constexpr const char* kEnd = "220b0801110000000000e05840";
// {"cfg": {"a": 1}, "none": None, "units": [64, 'a"b', True, None, 1.5]}, model_uri "m", monitor_url "u"
constexpr const char* kNested =
    "1a5f0a190a0363666712122a100a0e0a0161120911000000000000f03f0a0a0a046e6f6e65120208000a300a05756e69747312273225"
    "0a091100000000000050400a051a036122620a0220010a0208000a0911000000000000f83f12016d1a0175";

TEST(HParamsDecode, SessionStartOfTensorBoardIsRead) {
  HParamsStart start = decode_hparams_start(from_hex(kStart)).value();
  EXPECT_EQ(start.hparams, (HParams{{"adam", true}, {"lr", 0.001}, {"opt", std::string("sgd")}}));
  EXPECT_EQ(start.group_name, "t1");
  EXPECT_EQ(start.start_secs, 12.5);
}

TEST(HParamsDecode, ExperimentOfTensorBoardIsRead) {
  HParamsExperiment experiment = decode_hparams_experiment(from_hex(kExperiment)).value();
  EXPECT_EQ(experiment.created_secs, 3.5);
  ASSERT_EQ(experiment.hparams.size(), 2U);
  EXPECT_EQ(experiment.hparams[0].name, "lr");
  EXPECT_EQ(experiment.hparams[0].display_name, "rate");
  EXPECT_EQ(experiment.hparams[0].type, HParamType::kNumber);
  EXPECT_EQ(experiment.hparams[1].type, HParamType::kString);
  ASSERT_EQ(experiment.metrics.size(), 1U);
  EXPECT_EQ(experiment.metrics[0].tag, "loss");
  EXPECT_EQ(experiment.metrics[0].group, "val");
  EXPECT_EQ(experiment.metrics[0].display_name, "Loss");
}

TEST(HParamsDecode, SessionEndOfTensorBoardIsRead) {
  HParamsEnd end = decode_hparams_end(from_hex(kEnd)).value();
  EXPECT_EQ(end.status, HParamsStatus::kSuccess);
  EXPECT_EQ(end.end_secs, 99.5);
}

TEST(HParamsDecode, ContentsOfTensorboardXAreRead) {
  // tensorboardX.summary.hparams({"lr": 0.1, "b": False, "s": "x"}, {"loss": 1.0}); torch writes the same.
  const std::string start = from_hex("1a240a080a017312031a01780a0f0a026c721209119a9999999999b93f0a070a016212022000");
  EXPECT_EQ(decode_hparams_start(start).value().hparams, (HParams{{"b", false}, {"lr", 0.1}, {"s", std::string("x")}}));
  const std::string experiment = from_hex("122022060a026c72200322050a0162200222050a017320012a080a0612046c6f7373");
  HParamsExperiment decoded = decode_hparams_experiment(experiment).value();
  ASSERT_EQ(decoded.hparams.size(), 3U);
  EXPECT_EQ(decoded.hparams[1].type, HParamType::kBool);
  ASSERT_EQ(decoded.metrics.size(), 1U);
  EXPECT_EQ(decoded.metrics[0].tag, "loss");
  EXPECT_EQ(decode_hparams_end(from_hex("22020801")).value().status, HParamsStatus::kSuccess);
}

TEST(HParamsDecode, NestedValuesBecomeJson) {
  HParamsStart start = decode_hparams_start(from_hex(kNested)).value();
  EXPECT_EQ(start.hparams.at("units"), HParam(std::string(R"([64, "a\"b", true, null, 1.5])")));
  EXPECT_EQ(start.hparams.at("cfg"), HParam(std::string(R"({"a": 1})")));
  EXPECT_EQ(start.hparams.at("none"), HParam(std::string("null")));
  EXPECT_EQ(start.model_uri, "m");
}

TEST(HParamsDecode, EndlessNestingIsRefused) {
  std::string value;
  for (int depth = 0; depth < 1000; ++depth) {
    for (char key : {'\x0a', '\x32'}) {  // an entry of a list; a list
      std::string length;
      for (std::size_t left = value.size(); true; left >>= 7) {
        length += static_cast<char>((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
        if (left <= 0x7f) break;
      }
      value = key + length + value;
    }
  }
  const auto wrap = [](char key, const std::string& inner) {
    const auto size = inner.size();
    return std::string{key, static_cast<char>((size & 0x7f) | 0x80), static_cast<char>(size >> 7)} + inner;
  };
  const std::string content = wrap('\x1a', wrap('\x0a', wrap('\x12', value)));
  EXPECT_EQ(decode_hparams_start(content).status().code(), StatusCode::kCorrupt);
}

TEST(HParamsDecode, IsTheInverseOfWhatWeWrite) {
  const HParams hparams = {{"adam", true}, {"lr", 1e-3}, {"name", std::string("x")}, {"", 0.0}};
  HParamsStart start = decode_hparams_start(hparams_start_content(hparams, "group", 7.5)).value();
  EXPECT_EQ(start.hparams, hparams);
  EXPECT_EQ(start.group_name, "group");
  EXPECT_EQ(start.start_secs, 7.5);
  HParamsEnd end = decode_hparams_end(hparams_end_content(false, 8.5)).value();
  EXPECT_EQ(end.status, HParamsStatus::kFailure);
  EXPECT_EQ(end.end_secs, 8.5);
  HParamsExperiment experiment =
      decode_hparams_experiment(hparams_experiment_content(hparams, {"val/loss", "accuracy"}, 6.5)).value();
  EXPECT_EQ(experiment.created_secs, 6.5);
  ASSERT_EQ(experiment.hparams.size(), 4U);
  EXPECT_EQ(experiment.hparams[1].name, "adam");
  EXPECT_EQ(experiment.hparams[1].type, HParamType::kBool);
  ASSERT_EQ(experiment.metrics.size(), 2U);
  EXPECT_EQ(experiment.metrics[0].group, "val");
  EXPECT_EQ(experiment.metrics[0].tag, "loss");
  EXPECT_EQ(experiment.metrics[1].group, "");
  EXPECT_EQ(experiment.metrics[1].tag, "accuracy");
}

TEST(HParamsDecode, AnotherContentIsRefused) {
  EXPECT_EQ(decode_hparams_start(from_hex(kEnd)).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(decode_hparams_end(from_hex(kStart)).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(decode_hparams_experiment("").status().code(), StatusCode::kCorrupt);
}

TEST(HParamsDecode, UnknownNumbersAreUnknown) {
  EXPECT_EQ(decode_hparams_end(from_hex("22020809")).value().status, HParamsStatus::kUnknown);
}

TEST(HParamsDecode, DamageIsRefusedOrReadButNeverCrashes) {
  for (const char* hex : {kStart, kExperiment, kEnd, kNested}) {
    decode_damaged(from_hex(hex), [](std::string_view bytes) {
      for (const Status& status : {decode_hparams_start(bytes).status(), decode_hparams_end(bytes).status(),
                                   decode_hparams_experiment(bytes).status()}) {
        EXPECT_EQ(status.ok(), status.message().empty());
      }
    });
  }
}

}  // namespace
}  // namespace tensortap::event
