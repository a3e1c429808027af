// Protobuf fields: protozero, set up so that bytes from outside can do no harm.
//
// protozero only asserts that a field has the wire type its reader asks for. Here that is an exception like the rest
// of its damage reports; decode functions catch them all. Include protozero through this header alone: its functions
// are inline, and must be the same everywhere.
#pragma once

#include <stdexcept>

namespace tensortap::wire {
struct WrongWireType : std::runtime_error {
  WrongWireType() : std::runtime_error("a field has another wire type than its number says") {}
};
}  // namespace tensortap::wire

#ifdef PROTOZERO_CONFIG_HPP
#error "include protozero through wire/protobuf.h"
#endif
#define protozero_assert(condition) ((condition) ? void() : throw ::tensortap::wire::WrongWireType())
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include <string_view>

namespace tensortap::wire {

using MessageReader = protozero::pbf_reader;
using MessageWriter = protozero::pbf_writer;

inline std::string_view text_of(protozero::data_view view) { return {view.data(), view.size()}; }

// A bool field. protozero's own get_bool() reads one byte beyond a message that ends with the field's key.
inline bool bool_of(MessageReader& message) { return message.get_uint64() != 0; }

inline void add_text(MessageWriter& message, std::uint32_t field, std::string_view text) {
  message.add_bytes(field, text.data(), text.size());
}

}  // namespace tensortap::wire
