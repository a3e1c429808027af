// Routes: parameters that are refused, answers in their forms. tests/server compares values with the Python reader.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "event/damage_testutil.h"
#include "event/plugins.h"
#include "server/http/routes/routes_testutil.h"

namespace tensortap::server {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const event::Metadata kImages{event::plugin::kImages, "", event::DataClass::kBlobSequence, "", false};
const event::Metadata kAudio{event::plugin::kAudio, "", event::DataClass::kBlobSequence, "", false};

std::string images_record(const std::vector<std::string>& images) {
  std::vector<std::string> strings = {"2", "1"};
  strings.insert(strings.end(), images.begin(), images.end());
  return event::encode_strings({1, 7}, "picture", strings, {static_cast<std::int64_t>(strings.size())}, &kImages);
}

TEST_F(RoutesTest, UnknownAndRepeatedParametersAreRefusedEverywhere) {
  write_events("a", {point(0, 1)});
  for (const char* route : {"status", "runs",   "tags",       "series",     "steps",  "scalars",     "latest",
                            "stats",  "layers", "network",    "histograms", "tensor", "tensor/info", "images",
                            "image",  "audio",  "audio/clip", "text",       "graph",  "hparams",     "health"}) {
    EXPECT_THAT(body(std::string(route) + "?nonsense=1", 400), HasSubstr("has no parameter 'nonsense'")) << route;
  }
  EXPECT_THAT(body("series?run=a&run=b", 400), HasSubstr("may be given once"));
}

TEST_F(RoutesTest, ParametersThatAreMissingOrWrongAreNamed) {
  write_events("a", {point(0, 1)});
  EXPECT_THAT(body("scalars?run=a", 400), HasSubstr("needs the parameter 'tag'"));
  EXPECT_THAT(body("series?run=", 400), HasSubstr("needs the parameter 'run'"));
  EXPECT_THAT(body("scalars?run=&tag=x", 400), HasSubstr("'run' is empty"));
  for (const char* number : {"x", "1x", "1.5", "-1", "", "99999999999999999999", "0x10", " 1", "1e3"}) {
    EXPECT_THAT(body(std::string("scalars?tag=loss&max_points=") + number, 400), HasSubstr("a whole number")) << number;
  }
  EXPECT_THAT(body("scalars?tag=loss&first_step=5&last_step=4", 400), HasSubstr("beyond last_step"));
  EXPECT_THAT(body("scalars?tag=loss&format=xml", 400), HasSubstr("it may be columns, json, csv"));
  EXPECT_THAT(body("tags?kind=pictures", 400), HasSubstr("there is no kind 'pictures'; there are scalars"));
  EXPECT_THAT(body("network?run=a&columns=2001", 400), HasSubstr("from 1 to 2000"));
  EXPECT_THAT(body("steps?run=a&tag=loss&kind=scalars", 400), HasSubstr("/api/v1/scalars"));
}

TEST_F(RoutesTest, WhatIsNotThereIsSaidWithNearNames) {
  write_events("train-1", {point(0, 1)});
  EXPECT_THAT(body("series?run=trian-1", 404), HasSubstr("Did you mean 'train-1'?"));
  EXPECT_THAT(body("scalars?run=train-1&tag=lsos", 404), HasSubstr("Did you mean 'loss'?"));
  EXPECT_THAT(body("tensor?run=train-1&tag=loss&step=0", 404), HasSubstr("but scalars"));
}

TEST_F(RoutesTest, AnEmptyDirectoryHasEmptyLists) {
  EXPECT_THAT(body("runs"), HasSubstr(R"("runs":[])"));
  EXPECT_THAT(body("tags"), HasSubstr(R"("tags":[])"));
  EXPECT_EQ(body("latest"), R"({"rows":[]})");
  EXPECT_EQ(body("hparams"), R"({"names":[],"runs":[]})");
  EXPECT_THAT(body("health"), HasSubstr(R"("files":[])"));
}

TEST_F(RoutesTest, ScalarsLeaveOutRunsWithoutTheTag) {
  write_events("a", {point(0, 0.5), point(10, kNan), point(20, 2)});
  write_events("b", {point(0, 1, "other")});
  EXPECT_EQ(body("scalars?tag=loss&format=json&wall_time=1"),
            R"({"series":[{"run":"a","tag":"loss","step":[0,10,20],"value":[0.5,"NaN",2],"wall_time":[100,110,120],)"
            R"("bad_step":[10],"bad_value":["NaN"],"bad_wall_time":[110],"total_points":3,"total_non_finite":1,)"
            R"("replaced_points":0}]})");
  EXPECT_EQ(body("scalars?tag=loss&format=csv&first_step=20"), "run,tag,step,wall_time,value\r\na,loss,20,120,2\r\n");
  const Response columns = get("scalars?tag=loss");
  EXPECT_EQ(columns.content_type, "application/vnd.tensortap.columns");
  EXPECT_THAT(text_of(columns), StartsWith("TTCOLS1\n"));
}

TEST_F(RoutesTest, LongCsvIsStreamedAndComplete) {
  std::vector<std::string> records;
  for (int step = 0; step < 100'000; ++step) records.push_back(point(step, step));
  write_events("a", records);
  const Response response = get("scalars?tag=loss&format=csv");
  EXPECT_TRUE(std::holds_alternative<BodyStream>(response.body));
  EXPECT_EQ(response.file_name, "scalars.csv");
  const std::string text = text_of(response);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 100'001);
  EXPECT_THAT(text, testing::EndsWith("a,loss,99999,100099,99999\r\n"));
}

TEST_F(RoutesTest, ATagOfEveryLettersCanBeAskedFor) {
  const std::string odd = "a/<b>\"'&=%?#\n\xE6\x97\xA5";
  write_events("a", {point(0, 1, odd)});
  EXPECT_THAT(body("scalars?run=a&format=json&tag=a%2F%3Cb%3E%22%27%26%3D%25%3F%23%0A%E6%97%A5"),
              HasSubstr(R"("tag":"a/<b>\"'&=%?#\n)"));
}

TEST_F(RoutesTest, TooManySeriesAreRefusedBeforeAnythingIsRead) {
  std::vector<std::string> records;
  for (int tag = 0; tag < 5001; ++tag) records.push_back(point(0, 1, "t" + std::to_string(tag)));
  write_events("a", records);
  EXPECT_THAT(body("scalars?tag=t*", 400), HasSubstr("5001 series are too many"));
}

TEST_F(RoutesTest, TooManyNumbersAreRefusedBeforeAnythingIsRead) {
  std::vector<std::string> records;
  for (int step = 0; step < 342; ++step) records.push_back(query::stats_record(step, "w", {1, 2}));
  write_captures("a", records);
  const std::string asked = "histograms?tag=w&format=json&max_buckets=4096&max_steps=";
  EXPECT_THAT(body(asked + "0", 400), HasSubstr("342 values of 1 series are too many for one answer"));
  EXPECT_THAT(body(asked + "341"), HasSubstr(R"("total_steps":342)"));
}

TEST_F(RoutesTest, TensorsComeAsNpyJsonAndCsv) {
  write_captures("a", {query::tensor_record<std::int64_t>(7, "x", {1, 2, 3, std::int64_t{1} << 60}, {2, 2})});
  const Response npy = get("tensor?run=a&tag=x&step=7");
  EXPECT_THAT(text_of(npy), StartsWith("\x93NUMPY"));
  EXPECT_FALSE(npy.etag.empty());
  EXPECT_THAT(npy.headers, testing::Contains(testing::Pair("X-Tensortap-Dtype", "int64")));
  EXPECT_THAT(body("tensor?run=a&tag=x&step=7&slice=1,:&format=json"),
              AllOf(HasSubstr(R"("shape":[2],"whole_shape":[2,2])"), HasSubstr(R"("values":[3,1152921504606846976])")));
  EXPECT_EQ(body("tensor?run=a&tag=x&step=7&slice=...,0&format=csv"), "axis_0,value\r\n0,1\r\n1,3\r\n");
  EXPECT_EQ(body("tensor/info?run=a&tag=x&step=7"), R"({"dtype":"int64","shape":[2,2],"bytes":32})");
  EXPECT_THAT(body("tensor?run=a&tag=x&step=7&slice=5", 400), HasSubstr("index 5 is out of range"));
  EXPECT_THAT(body("tensor?run=a&tag=x&step=8", 404), HasSubstr("the nearest step is 7"));
  EXPECT_THAT(body("tensor?run=a&tag=x&step=7&index=1", 400), HasSubstr("has 1, counted from 0"));
}

TEST_F(RoutesTest, ATensorThatIsTooLargeIsRefusedWithAWayOut) {
  // 2^28 floats of which no value is given: a few bytes in the file, a GiB in an answer.
  const std::string tensor = event::from_hex(
      "0801120812060880808080"
      "01");
  const std::string value = event::from_hex("0a017442") + static_cast<char>(tensor.size()) + tensor;
  const std::string summary = event::from_hex("0a") + static_cast<char>(value.size()) + value;
  write_events("a", {event::from_hex("09000000000000f83f10032a") + static_cast<char>(summary.size()) + summary});
  EXPECT_EQ(body("tensor/info?run=a&tag=t&step=3"), R"({"dtype":"float32","shape":[268435456],"bytes":1073741824})");
  EXPECT_THAT(body("tensor?run=a&tag=t&step=3", 400), AllOf(HasSubstr("1024 MiB"), HasSubstr("ask for a slice")));
}

TEST_F(RoutesTest, ImagesAreSentOnlyInFormsThatBrowsersDraw) {
  const std::string png = "\x89PNG\r\n\x1a\n....", svg = "<svg onload=alert(1)>";
  write_events("a", {images_record({png, svg})});
  EXPECT_EQ(body("images?run=a&tag=picture"),
            R"({"total":1,"steps":[{"step":7,"wall_time":1,"width":2,"height":1,"count":2}]})");
  const Response image = get("image?run=a&tag=picture&step=7");
  EXPECT_EQ(image.content_type, "image/png");
  EXPECT_EQ(text_of(image), png);
  EXPECT_FALSE(image.etag.empty());
  EXPECT_THAT(body("image?run=a&tag=picture&step=7&index=1", 415),
              AllOf(HasSubstr("unsupported"), Not(HasSubstr("svg"))));
  EXPECT_THAT(body("image?run=a&tag=picture&step=7&index=2", 404), HasSubstr("has 2 images"));
}

TEST_F(RoutesTest, OfManyStepsWithImagesSomeAreDescribed) {
  std::vector<std::string> records;
  for (int step = 0; step < 10; ++step) {
    const std::vector<std::string> strings = {"2", "1", "png"};
    records.push_back(event::encode_strings({1, step}, "picture", strings, {3}, &kImages));
  }
  write_events("a", records);
  const std::string asked = "images?run=a&tag=picture&format=csv&max_steps=";
  EXPECT_EQ(body(asked + "2"), "step,wall_time,width,height,count\r\n0,1,2,1,1\r\n9,1,2,1,1\r\n");
  EXPECT_EQ(body(asked + "1"), "step,wall_time,width,height,count\r\n9,1,2,1,1\r\n");
  EXPECT_THAT(body("images?run=a&tag=picture&max_steps=3"), StartsWith(R"({"total":10,"steps":[{"step":0,)"));
}

TEST_F(RoutesTest, ClipsAreSentOnlyAsWav) {
  const std::string wav("RIFF\x24\0\0\0WAVEfmt ", 16);
  write_events("a", {event::encode_strings({1, 7}, "beep", std::vector<std::string>{wav, "OggS"}, {2}, &kAudio)});
  const Response clip = get("audio/clip?run=a&tag=beep&step=7");
  EXPECT_EQ(clip.content_type, "audio/wav");
  EXPECT_EQ(text_of(clip), wav);
  EXPECT_EQ(get("audio/clip?run=a&tag=beep&step=7&index=1").status, 415U);
}

TEST_F(RoutesTest, HealthTellsPathsBelowTheLogDirectoryOnly) {
  write_events("a", {point(0, 1)});
  EXPECT_THAT(body("health"), AllOf(HasSubstr(R"("path":"a/events.out)"), Not(HasSubstr(root_))));
  EXPECT_THAT(body("health?format=csv"), HasSubstr("\r\na/events.out"));
}

TEST_F(RoutesTest, TheNetworkIsAGrid) {
  write_captures("a",
                 {query::stats_record(0, "activations/x", {3, -4}), query::stats_record(5, "activations/x", {0, 0})});
  EXPECT_EQ(body("network?run=a&stat=l2&format=json"),
            R"({"of":"activations","stat":"l2","first_step":0,"last_step":5,"columns":2,"column_steps":5,"layers":[{)"
            R"("path":"x","shape":[]}],"runs":[{"run":"a","value":[5,0],"mark":[1,1],"tags":["activations/x"],)"
            R"("last_step":5}]})");
  EXPECT_EQ(body("network?run=a&stat=l2&format=csv"),
            "run,layer,tag,first_step,value,mark\r\na,x,activations/x,0,5,value\r\na,x,activations/x,5,0,value\r\n");
  EXPECT_THAT(body("layers?run=a"),
              HasSubstr(R"("path":"x","output_shape":[],"dtype":"float32","activations":["activations/x"])"));
}

}  // namespace
}  // namespace tensortap::server
