// NPY: the bytes that np.load takes; tests/server has NumPy itself read them.
#include "format/npy.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tensortap::format {
namespace {

std::string text_of(const std::string& file) {
  const std::size_t length = static_cast<unsigned char>(file[8]) + 256U * static_cast<unsigned char>(file[9]);
  return file.substr(10, length);
}

template <typename T>
std::vector<T> elements_of(const std::string& file) {
  const std::size_t start = 10 + text_of(file).size();
  std::vector<T> elements((file.size() - start) / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), file.data() + start, elements.size() * sizeof(T));
  return elements;
}

TEST(Npy, BeginsWithAHeaderThatFillsSixtyFourBytes) {
  const std::string file = encode_npy(view(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3})).value();
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\1\0", 8));
  EXPECT_EQ((10 + text_of(file).size()) % 64, 0U);
  EXPECT_EQ(text_of(file).substr(0, 60), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3,), }");
  EXPECT_EQ(text_of(file).back(), '\n');
  EXPECT_EQ(elements_of<float>(file), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, WritesScalarsAndEmptyTensors) {
  const double one = 1.5;
  EXPECT_NE(text_of(encode_npy(view(&one, Shape{})).value()).find("'shape': ()"), std::string::npos);
  const std::string empty = encode_npy(view(std::vector<double>{}, {0, 3})).value();
  EXPECT_NE(text_of(empty).find("'shape': (0, 3,)"), std::string::npos);
  EXPECT_TRUE(elements_of<double>(empty).empty());
}

TEST(Npy, HasADescriptionForEveryDtypeOfNumbers) {
  for (const char* name : {"float16",
                           "float32",
                           "float64",
                           "bfloat16",
                           "float8_e5m2",
                           "float8_e4m3fn",
                           "float8_e4m3fnuz",
                           "float8_e4m3b11fnuz",
                           "float8_e5m2fnuz",
                           "int4",
                           "int8",
                           "int16",
                           "int32",
                           "int64",
                           "uint4",
                           "uint8",
                           "uint16",
                           "uint32",
                           "uint64",
                           "bool",
                           "complex64",
                           "complex128"}) {
    const DType dtype = dtype_from_name(name).value();
    EXPECT_TRUE(npy_header(dtype, {1}).ok()) << name;
    EXPECT_GE(dtype_size_bytes(npy_dtype(dtype)), dtype_size_bytes(dtype)) << name;
  }
  EXPECT_EQ(npy_header(DType::kString, {1}).status().code(), StatusCode::kUnsupported);
}

TEST(Npy, WidensWhatNumPyDoesNotKnow) {
  const std::vector<std::uint16_t> bits = {0x3f80, 0xc000};  // 1, -2
  const std::string file = encode_npy({bits.data(), DType::kBfloat16, {2}, {}}).value();
  EXPECT_NE(text_of(file).find("<f4"), std::string::npos);
  EXPECT_EQ(elements_of<float>(file), (std::vector<float>{1, -2}));
}

TEST(Npy, ReadsStridedViews) {
  const std::vector<std::int32_t> numbers = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(elements_of<std::int32_t>(encode_npy({numbers.data(), DType::kInt32, {3}, {8}}).value()),
            (std::vector<std::int32_t>{1, 3, 5}));
}

TEST(Npy, GivesStringsEqualWidth) {
  const std::vector<std::string> strings = {"a", "", "abc"};
  const std::string file = encode_npy_strings(strings, {3}, 1 << 20).value();
  EXPECT_NE(text_of(file).find("|S3"), std::string::npos);
  EXPECT_EQ(file.substr(file.size() - 9), std::string("a\0\0\0\0\0abc", 9));
}

TEST(Npy, RefusesStringsThatItWouldChangeOrBlowUp) {
  EXPECT_EQ(encode_npy_strings(std::vector<std::string>{std::string("a\0", 2)}, {1}, 100).status().code(),
            StatusCode::kUnsupported);
  EXPECT_EQ(encode_npy_strings(std::vector<std::string>{std::string(60, 'x'), "y"}, {2}, 100).status().code(),
            StatusCode::kUnsupported);
}

}  // namespace
}  // namespace tensortap::format
