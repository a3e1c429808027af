// Arrays: vectors of C++ as NumPy arrays that own them; nothing is copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace tensortap::python {

// One dimension, writable: nobody else has this memory. Bytes become uint8.
template <typename Element>
nanobind::object to_array(std::vector<Element> values) {
  namespace nb = nanobind;
  using Shown = std::conditional_t<std::is_same_v<Element, std::byte>, std::uint8_t, Element>;
  static Element nothing{};  // an array without elements still wants an address
  auto kept = std::make_unique<std::vector<Element>>(std::move(values));
  Element* data = kept->empty() ? &nothing : kept->data();
  const std::size_t size = kept->size();
  nb::capsule owner(kept.get(), [](void* vector) noexcept { delete static_cast<std::vector<Element>*>(vector); });
  (void)kept.release();
  return nb::cast(nb::ndarray<nb::numpy, Shown, nb::ndim<1>>(reinterpret_cast<Shown*>(data), {size}, owner));
}

}  // namespace tensortap::python
