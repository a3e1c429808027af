// Finding TensorFlow's C functions in the process.
#include "tap_op/tensorflow_api.h"

#include <dlfcn.h>

namespace tensortap::tap_op {
namespace {

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

const TensorFlowApi* find_tensorflow() {
  static const TensorFlowApi* const api = []() -> const TensorFlowApi* {
    // Not loaded by this: only a TensorFlow that is there already has anything to tap.
    void* library = dlopen("libtensorflow_framework.so.2", RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return nullptr;
    static TensorFlowApi found;
    bool all = true;
#define TENSORTAP_FIND(name, result, arguments) all &= find(library, #name, found.name);
    TENSORTAP_TENSORFLOW_FUNCTIONS(TENSORTAP_FIND)
#undef TENSORTAP_FIND
    return all ? &found : nullptr;
  }();
  return api;
}

}  // namespace tensortap::tap_op
