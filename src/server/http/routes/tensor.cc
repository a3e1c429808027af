// Tensors: recorded values, whole or in part, as npy, JSON or CSV.
#include "format/element_text.h"
#include "format/npy.h"
#include "format/tensor_csv.h"
#include "query/slice_text.h"
#include "query/tensors.h"
#include "server/http/routes/answers.h"
#include "server/http/routes/one_value.h"
#include "server/http/routes/route_groups.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::server {
namespace {

using format::JsonWriter;
using query::OwnedTensor;

constexpr std::uint64_t kMaxTensorBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxJsonValues = 65536;

TensorView view_of(const OwnedTensor& tensor) { return {tensor.data.data(), tensor.dtype, tensor.shape, {}}; }

struct Sliced {
  OwnedTensor tensor;
  Shape whole_shape;
};

Status too_large(std::uint64_t size_bytes) {
  return Status(
      StatusCode::kInvalidArgument,
      "the tensor has " + std::to_string(size_bytes >> 20) + " MiB, and an answer has at most " +
          std::to_string(kMaxTensorBytes >> 20) +
          ": ask for a slice (slice=0,:,3:9), or read it in Python with tensortap.open(...)[run].tensor(tag)");
}

Result<Sliced> read_slice(const query::Place& place, const std::string& slice) {
  auto parsed = query::parse_slices(slice);
  if (!parsed.ok()) return parsed.status();
  Result<query::TensorDescription> whole = query::describe_tensor(place);
  if (!whole.ok()) return whole.status();
  Result<query::SlicePlan> plan = query::plan_slices(*parsed, whole->shape);
  if (!plan.ok()) return plan.status();
  const std::uint64_t size_bytes = TensorView{nullptr, whole->dtype, plan->shape, {}}.size_bytes();
  if (size_bytes > kMaxTensorBytes) return too_large(size_bytes);
  Result<OwnedTensor> tensor = query::tensor_at(place, plan->slices);
  if (!tensor.ok()) return tensor.status();
  tensor->shape = std::move(plan->shape);  // an index has dropped its axis
  return Sliced{std::move(*tensor), std::move(whole->shape)};
}

Response as_npy(const OwnedTensor& tensor) {
  auto file = tensor.dtype == DType::kString ? format::encode_npy_strings(tensor.strings, tensor.shape, kMaxTensorBytes)
                                             : format::encode_npy(view_of(tensor));
  if (!file.ok()) return error_response(file.status());
  Response response = bytes_response(std::move(*file), "application/octet-stream", "tensor.npy");
  response.headers.emplace_back("X-Tensortap-Dtype", dtype_name(tensor.dtype));
  return response;
}

Response as_csv(std::shared_ptr<const OwnedTensor> tensor) {
  Response response;
  response.content_type = "text/csv; charset=utf-8";
  response.file_name = "tensor.csv";
  auto csv = std::make_shared<format::TensorCsv>(tensor->dtype == DType::kString
                                                     ? format::TensorCsv(tensor->strings, tensor->shape)
                                                     : format::TensorCsv(view_of(*tensor)));
  response.body = BodyStream([tensor, csv]() -> Result<std::optional<std::string>> { return csv->next(); });
  return response;
}

void put_stats(JsonWriter& json, const OwnedTensor& tensor) {
  const auto computed = compute_stats(view_of(tensor));
  if (tensor.dtype == DType::kString || !computed.ok()) return json.null_member("stats");
  const TensorStats& stats = computed.value();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const bool has_finite = stats.finite_count() > 0;
  json.key("stats");
  json.begin_object();
  json.member("count", stats.count);
  json.member("min", has_finite ? stats.min : kNan);
  json.member("max", has_finite ? stats.max : kNan);
  json.member("mean", stats.mean());
  json.member("std", stats.std());
  json.member("zeros", stats.zeros);
  json.member("nan", stats.nan);
  json.member("positive_inf", stats.positive_inf);
  json.member("negative_inf", stats.negative_inf);
  json.end_object();
}

// Integers are whole, and floats the shortest of their dtype.
void put_values(JsonWriter& json, const OwnedTensor& tensor) {
  if (tensor.dtype == DType::kString) {
    if (tensor.strings.size() > kMaxJsonValues) return json.null_member("values");
    return json.list("values", tensor.strings);
  }
  const TensorView view = view_of(tensor);
  if (view.element_count() > kMaxJsonValues) return json.null_member("values");
  json.key("values");
  json.begin_array();
  std::string text;
  for (std::uint64_t i = 0; i < view.element_count(); ++i) {
    for (std::uint64_t part = 0; part < format::parts_of_element(view.dtype); ++part) {
      text.clear();
      format::append_element(text, view, i, part);
      const bool is_word = text.find_first_of("NI") != std::string::npos;
      is_word ? json.value(text) : json.encoded(text);
    }
  }
  json.end_array();
}

Response as_json(const Sliced& sliced) {
  JsonWriter json;
  json.begin_object();
  json.member("dtype", dtype_name(sliced.tensor.dtype));
  json.list("shape", sliced.tensor.shape);
  json.list("whole_shape", sliced.whole_shape);
  put_stats(json, sliced.tensor);
  put_values(json, sliced.tensor);
  json.end_object();
  return json_response(json);
}

Response tensor(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run", "tag", "step", "slice", "index", "format"});
  const ValueAddress address = value_address(question);
  const std::string slice = question.has("slice") ? *request.parameters.find("slice") : "";
  const std::string format = question.word("format", {"npy", "json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  const auto place = find_place(logs, address, store::Kind::kTensors);
  if (!place.ok()) return error_response(place.status());
  Result<Sliced> sliced = read_slice(place.value(), slice);
  if (!sliced.ok()) return error_response(sliced.status());
  if (format == "npy") return as_npy(sliced->tensor);
  if (format == "csv") return as_csv(std::make_shared<OwnedTensor>(std::move(sliced->tensor)));
  return as_json(*sliced);
}

Response tensor_info(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run", "tag", "step", "index"});
  const ValueAddress address = value_address(question);
  if (!question.status().ok()) return error_response(question.status());
  const auto place = find_place(logs, address, store::Kind::kTensors);
  if (!place.ok()) return error_response(place.status());
  Result<query::TensorDescription> tensor = query::describe_tensor(place.value());
  if (!tensor.ok()) return error_response(tensor.status());
  JsonWriter json;
  json.begin_object();
  json.member("dtype", dtype_name(tensor->dtype));
  json.list("shape", tensor->shape);
  if (tensor->dtype == DType::kString) {
    json.null_member("bytes");
  } else {
    json.member("bytes", TensorView{nullptr, tensor->dtype, tensor->shape, {}}.size_bytes());
  }
  json.end_object();
  return json_response(json);
}

}  // namespace

void add_tensor_routes(Router& router, ServedLogs& logs) {
  add_route(router, logs, "tensor", tensor);
  add_route(router, logs, "tensor/info", tensor_info);
}

}  // namespace tensortap::server
