// The callbacks of an Arrow C stream over a TableCursor.
#include "format/arrow_stream.h"

#include <cerrno>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "format/arrow_array.h"
#include "format/arrow_schema.h"

namespace tensortap::format {
namespace {

struct StreamState {
  std::unique_ptr<TableCursor> cursor;
  ArrowWords words;
  int failed = 0;  // the errno that every further call gives
  std::string error;
};

StreamState& state_of(ArrowArrayStream* stream) { return *static_cast<StreamState*>(stream->private_data); }

int errno_of(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalidArgument: return EINVAL;
    case StatusCode::kNotFound: return ENOENT;
    case StatusCode::kUnsupported: return ENOTSUP;
    default: return EIO;
  }
}

int fail(StreamState& state, int code, const char* sentence) noexcept {
  state.failed = code;
  try {
    state.error = sentence;
  } catch (...) {
    state.error.clear();  // no memory for the sentence: the number has to do
  }
  return code;
}

// Runs `call`, which gives a Status, and turns whatever goes wrong into an errno: C code calls us.
template <typename Call>
int guarded(StreamState& state, Call&& call) noexcept {
  if (state.failed != 0) return state.failed;
  try {
    const Status status = call();
    return status.ok() ? 0 : fail(state, errno_of(status.code()), status.message().c_str());
  } catch (const std::bad_alloc&) {
    return fail(state, ENOMEM, "out of memory");
  } catch (const std::exception& error) {
    return fail(state, EIO, error.what());
  } catch (...) {
    return fail(state, EIO, "unknown error");
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  StreamState& state = state_of(stream);
  return guarded(state, [&] {
    export_arrow_schema(state.cursor->heads(), out);
    return Status();
  });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  StreamState& state = state_of(stream);
  return guarded(state, [&]() -> Status {
    Result<std::optional<TableBatch>> batch = state.cursor->next();
    if (!batch.ok()) return batch.status();
    if (!batch->has_value()) {
      *out = {};  // without release(): the end
      return {};
    }
    return export_arrow_array(state.cursor->heads(), std::move(**batch), state.words, out);
  });
}

const char* get_last_error(ArrowArrayStream* stream) {
  const StreamState& state = state_of(stream);
  return state.failed != 0 && !state.error.empty() ? state.error.c_str() : nullptr;
}

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<StreamState*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void export_arrow_stream(std::unique_ptr<TableCursor> cursor, ArrowArrayStream* out) {
  auto state = std::make_unique<StreamState>();
  state->cursor = std::move(cursor);
  *out = {get_schema, get_next, get_last_error, release_stream, state.release()};
}

}  // namespace tensortap::format
