// TensorProtos are read as TensorFlow reads them; damaged ones are refused, never crash.
#include "event/tensor_proto.h"

#include <gtest/gtest.h>

#include <cmath>

#include "event/damage_testutil.h"

namespace tensortap::event {
namespace {

struct Sample {
  DType dtype;
  const char* proto;     // hex of the message
  const char* elements;  // hex of the array in memory
};

// tf.make_tensor_proto(np.array([1, 0, 3]).astype(dtype)), signed integers [1, -2, 3]; and the array's tobytes().
constexpr Sample kWhole[] = {
    {DType::kFloat32, "0801120412020803220c0000803f0000000000004040", "0000803f0000000000004040"},
    {DType::kFloat64, "08021204120208032218000000000000f03f00000000000000000000000000000840",
     "000000000000f03f00000000000000000000000000000840"},
    {DType::kInt32, "0803120412020803220c01000000feffffff03000000", "01000000feffffff03000000"},
    {DType::kUint8, "08041204120208032203010003", "010003"},
    {DType::kInt16, "080512041202080322060100feff0300", "0100feff0300"},
    {DType::kInt8, "0806120412020803220301fe03", "01fe03"},
    {DType::kInt64, "080912041202080322180100000000000000feffffffffffffff0300000000000000",
     "0100000000000000feffffffffffffff0300000000000000"},
    {DType::kBool, "080a1204120208035a03010001", "010001"},
    {DType::kBfloat16, "080e1204120208032206803f00004040", "803f00004040"},
    {DType::kUint16, "08111204120208033a03010003", "010000000300"},
    {DType::kFloat16, "08131204120208032206003c00000042", "003c00000042"},
    {DType::kUint32, "0816120412020803220c010000000000000003000000", "010000000000000003000000"},
    {DType::kUint64, "08171204120208032218010000000000000000000000000000000300000000000000",
     "010000000000000000000000000000000300000000000000"},
    {DType::kComplex64, "08081204120208034a180000803f0000000000000000000000000000404000000000",
     "0000803f0000000000000000000000000000404000000000"},
    {DType::kComplex128,
     "08121204120208036230000000000000f03f0000000000000000000000000000000000000000000000000000000000000840"
     "0000000000000000",
     "000000000000f03f00000000000000000000000000000000000000000000000000000000000008400000000000000000"},
    {DType::kFloat8E5m2, "081812041202080322033c0042", "3c0042"},
    {DType::kFloat8E4m3fn, "08191204120208032203380044", "380044"},
    {DType::kInt4, "081d1204120208033a0c01feffffffffffffffff0103", "010e03"},
    {DType::kUint4, "081e1204120208033a03010003", "010003"},
};

// tf.make_tensor_proto(the last two of the above, shape=[4]); and tobytes() of what tf.make_ndarray makes of it.
constexpr Sample kRepeated[] = {
    {DType::kFloat32, "08011204120208042a080000000000004040", "00000000000040400000404000004040"},
    {DType::kFloat64, "0802120412020804321000000000000000000000000000000840",
     "0000000000000000000000000000084000000000000008400000000000000840"},
    {DType::kInt32, "08031204120208043a0bfeffffffffffffffff0103", "feffffff030000000300000003000000"},
    {DType::kUint8, "08041204120208043a020003", "00030303"},
    {DType::kInt16, "08051204120208043a0bfeffffffffffffffff0103", "feff030003000300"},
    {DType::kInt8, "08061204120208043a0bfeffffffffffffffff0103", "fe030303"},
    {DType::kInt64, "0809120412020804520bfeffffffffffffffff0103",
     "feffffffffffffff030000000000000003000000000000000300000000000000"},
    {DType::kBool, "080a1204120208045a020001", "00010101"},
    {DType::kBfloat16, "080e1204120208046a0400c08001", "0000404040404040"},
    {DType::kUint16, "08111204120208043a020003", "0000030003000300"},
    {DType::kFloat16, "08131204120208046a0400808401", "0000004200420042"},
    {DType::kUint32, "08161204120208048201020003", "00000000030000000300000003000000"},
    {DType::kUint64, "08171204120208048a01020003", "0000000000000000030000000000000003000000000000000300000000000000"},
    {DType::kComplex64, "08081204120208044a1000000000000000000000404000000000",
     "0000000000000000000040400000000000004040000000000000404000000000"},
    {DType::kComplex128, "081212041202080462200000000000000000000000000000000000000000000008400000000000000000",
     "00000000000000000000000000000000000000000000084000000000000000000000000000000840000000000000000000000000"
     "000008400000000000000000"},
    {DType::kFloat8E5m2, "08181204120208049201020042", "00424242"},
    {DType::kFloat8E4m3fn, "08191204120208049201020044", "00444444"},
    {DType::kInt4, "081d1204120208043a0bfeffffffffffffffff0103", "0e030303"},
    {DType::kUint4, "081e1204120208043a020003", "00030303"},
};

// tf.make_tensor_proto(np.array(3).astype(dtype)).
constexpr const char* kScalars[] = {
    "080112002a0400004040", "0802120032080000000000000840",
    "080312003a0103",       "080412003a0103",
    "080512003a0103",       "080612003a0103",
    "08091200520103",       "080e12006a03c08001",
    "081112003a0103",       "081312006a03808401",
    "0816120082010103",     "081712008a010103",
    "0818120092010142",     "0819120092010144",
    "081d12003a0103",       "081e12003a0103",
};

// tf.make_tensor_proto(["a", "bc"])
constexpr const char* kStrings = "080712041202080242016142026263";

std::string text_of_data(const DecodedTensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()};
}

StatusCode code_of(const std::string& hex) { return decode_tensor_proto(from_hex(hex)).status().code(); }

TEST(TensorProto, EveryDtypeIsReadAsTensorFlowWritesIt) {
  for (const Sample& sample : kWhole) {
    SCOPED_TRACE(dtype_name(sample.dtype));
    DecodedTensor tensor = decode_tensor_proto(from_hex(sample.proto)).value();
    EXPECT_EQ(tensor.dtype, sample.dtype);
    EXPECT_EQ(tensor.shape, Shape{3});
    EXPECT_EQ(text_of_data(tensor), from_hex(sample.elements));
  }
}

TEST(TensorProto, AShortListRepeatsItsLastValue) {
  for (const Sample& sample : kRepeated) {
    SCOPED_TRACE(dtype_name(sample.dtype));
    DecodedTensor tensor = decode_tensor_proto(from_hex(sample.proto)).value();
    EXPECT_EQ(tensor.dtype, sample.dtype);
    EXPECT_EQ(tensor.shape, Shape{4});
    EXPECT_EQ(text_of_data(tensor), from_hex(sample.elements));
  }
}

TEST(TensorProto, AnEmptyListMeansZeroes) {
  for (const Sample& sample : kRepeated) {
    DecodedTensor tensor = decode_tensor_proto(from_hex(sample.proto).substr(0, 8)).value();
    EXPECT_EQ(text_of_data(tensor), std::string(4 * dtype_size_bytes(sample.dtype), '\0'));
  }
}

TEST(TensorProto, UnpackedListsAreRead) {
  // float_val, double_val, int_val, bool_val and scomplex_val, one field a number.
  EXPECT_EQ(text_of_data(decode_tensor_proto(from_hex("08011204120208022d0000803f2d00004040")).value()),
            from_hex("0000803f00004040"));
  EXPECT_EQ(text_of_data(decode_tensor_proto(from_hex("0802120031000000000000f03f")).value()),
            from_hex("000000000000f03f"));
  EXPECT_EQ(text_of_data(decode_tensor_proto(from_hex("0803120412020802380138feffffffffffffffff01")).value()),
            from_hex("01000000feffffff"));
  EXPECT_EQ(text_of_data(decode_tensor_proto(from_hex("080a12041202080258015800")).value()), from_hex("0100"));
  EXPECT_EQ(text_of_data(decode_tensor_proto(from_hex("080812004d0000803f4d00004040")).value()),
            from_hex("0000803f00004040"));
}

TEST(TensorProto, FieldsMayStandInAnyOrder) {
  EXPECT_EQ(text_of_data(decode_tensor_proto(from_hex("2a04000040401204120208020801")).value()),
            from_hex("0000404000004040"));
  EXPECT_EQ(scalar_of_tensor(from_hex("2a040000404012000801")), 3.0);
}

TEST(TensorProto, StringsAreRead) {
  DecodedTensor tensor = decode_tensor_proto(from_hex(kStrings)).value();
  EXPECT_EQ(tensor.dtype, DType::kString);
  EXPECT_TRUE(tensor.data.empty());
  EXPECT_EQ(tensor.strings, (std::vector<std::string>{"a", "bc"}));
}

TEST(TensorProto, StringsRepeatToo) {
  EXPECT_EQ(decode_tensor_proto(from_hex("080712041202080342016142026263"))->strings,
            (std::vector<std::string>{"a", "bc", "bc"}));
  EXPECT_EQ(decode_tensor_proto(from_hex("0807120412020802"))->strings, (std::vector<std::string>{"", ""}));
}

TEST(TensorProto, StringsInTensorContentAreRead) {
  // Tensor::AsProtoTensorContent(): lengths 1 and 2, then the characters.
  const std::string bytes = from_hex("080712041202080222050102616263");
  EXPECT_EQ(decode_tensor_proto(bytes)->strings, (std::vector<std::string>{"a", "bc"}));
  EXPECT_EQ(strings_of_tensor(bytes), (std::vector<std::string_view>{"a", "bc"}));
  EXPECT_EQ(code_of("080712041202080222050103616263"), StatusCode::kCorrupt);
  EXPECT_EQ(strings_of_tensor(from_hex("080712041202080222050101616263")), std::nullopt);
}

TEST(TensorProto, StringViewsPointIntoTheMessage) {
  const std::string bytes = from_hex(kStrings);
  const auto strings = strings_of_tensor(bytes).value();
  ASSERT_EQ(strings.size(), 2U);
  EXPECT_EQ(strings[1], "bc");
  EXPECT_EQ(strings[1].data(), bytes.data() + bytes.size() - 2);
  EXPECT_EQ(strings_of_tensor(from_hex(kScalars[0])), std::nullopt);
}

TEST(TensorProto, HeadHasDtypeAndShapeOnly) {
  TensorHead head = tensor_head(from_hex(kWhole[1].proto)).value();
  EXPECT_EQ(head.dtype, DType::kFloat64);
  EXPECT_EQ(head.shape, Shape{3});
  EXPECT_EQ(tensor_head(from_hex("080b1200")).value().dtype, DType::kInvalid);  // qint8
}

TEST(TensorProto, ValuesThatDoNotFitTheShapeAreDamage) {
  EXPECT_EQ(code_of("080112002a080000404000004040"), StatusCode::kCorrupt);  // two floats, rank 0
  EXPECT_EQ(code_of("080112041202080322080000404000004040"),
            StatusCode::kCorrupt);                                     // content of two for three
  EXPECT_EQ(code_of("0807120042016142026263"), StatusCode::kCorrupt);  // two strings, rank 0
  EXPECT_EQ(code_of("080812004a0400004040"), StatusCode::kCorrupt);    // half a complex number
  EXPECT_EQ(code_of("080112002a0300004040"), StatusCode::kCorrupt);    // three quarters of a float
}

TEST(TensorProto, UnknownRankAndNegativeExtentsAreDamage) {
  EXPECT_EQ(code_of("0801120218012a0400004040"), StatusCode::kCorrupt);
  EXPECT_EQ(code_of("0801120d120b08ffffffffffffffffff01"), StatusCode::kCorrupt);
  EXPECT_EQ(tensor_head(from_hex("0801120d120b08ffffffffffffffffff01")).status().code(), StatusCode::kCorrupt);
}

TEST(TensorProto, DtypesThatAreNotOursAreUnsupported) {
  EXPECT_EQ(code_of("080b12003a0103"), StatusCode::kUnsupported);  // qint8
  EXPECT_EQ(code_of("12003a0103"), StatusCode::kCorrupt);          // none
}

TEST(TensorProto, AShapeBombIsRefusedBeforeMemoryIsAskedFor) {
  EXPECT_EQ(code_of("0801120b1209088080808080808040"), StatusCode::kUnsupported);  // 2^55 zeroes
  EXPECT_EQ(code_of("0801120b12090880808080808080402a0400004040"), StatusCode::kUnsupported);
  EXPECT_EQ(code_of("0801121612090880808080808080401209088080808080808040"), StatusCode::kUnsupported);
  EXPECT_EQ(code_of("08011207120508808080402a0400004040"),
            StatusCode::kUnsupported);  // 512 MiB of one value
  EXPECT_EQ(code_of("0807120712050880808040420161"),
            StatusCode::kUnsupported);  // strings
  EXPECT_EQ(code_of("0801120d12090880808080808080401200"),
            StatusCode::kOk);  // times zero
}

TEST(Scalar, EveryRealDtypeCounts) {
  for (const char* hex : kScalars) EXPECT_EQ(scalar_of_tensor(from_hex(hex)), 3.0) << hex;
  EXPECT_EQ(scalar_of_tensor(from_hex("080a12005a0101")), 1.0);
  EXPECT_EQ(scalar_of_tensor(from_hex("080312003a0afeffffffffffffffff01")), -2.0);
  EXPECT_EQ(scalar_of_tensor(from_hex("081d12003a0afeffffffffffffffff01")), -2.0);
  EXPECT_EQ(scalar_of_tensor(from_hex("081712008a010affffffffffffffffff01")), 0x1p64);
}

TEST(Scalar, TheUsualBytesOfAFloatCount) {
  EXPECT_EQ(scalar_of_tensor(from_hex("080112002a040000003f")), 0.5);  // tf.make_tensor_proto(0.5)
  EXPECT_EQ(scalar_of_tensor(from_hex("0801120022040000003f")), 0.5);  // tf.summary.scalar
  EXPECT_EQ(scalar_of_tensor(from_hex("080112002d0000003f")), 0.5);    // unpacked
  EXPECT_EQ(scalar_of_tensor(from_hex("08012a040000003f")), 0.5);      // torch, new_style: no shape
  EXPECT_EQ(scalar_of_tensor(from_hex("08012d0000003f")), 0.5);
  EXPECT_TRUE(std::isnan(scalar_of_tensor(from_hex("080112002a040000c07f")).value()));
}

TEST(Scalar, AnyRankWithOneElementCounts) {
  EXPECT_EQ(scalar_of_tensor(from_hex("08011204120208012a040000003f")), 0.5);
  EXPECT_EQ(scalar_of_tensor(from_hex("08011208120208011202080122040000003f")), 0.5);
}

TEST(Scalar, NothingGivenIsZeroAsTensorFlowHasIt) { EXPECT_EQ(scalar_of_tensor(from_hex("08011200")), 0.0); }

TEST(Scalar, WhatIsNotOneRealNumberIsNone) {
  for (const char* hex :
       {"", "08", "08011204120208022a040000003f", "0801120212002a040000003f", "080112002a080000003f0000003f",
        "08071200420161", "080812004a080000404000000000", "080112002203000000", "0801120218012a040000003f",
        "12002a040000003f", "080b12003a0103", "08121200621000000000000008400000000000000000",
        "08121200221000000000000008400000000000000000"}) {
    EXPECT_EQ(scalar_of_tensor(from_hex(hex)), std::nullopt) << hex;
  }
}

TEST(Scalar, AgreesWithTheDecodedTensor) {
  for (const char* hex : kScalars) {
    decode_damaged(from_hex(hex), [](std::string_view bytes) {
      const auto tensor = decode_tensor_proto(bytes);
      if (tensor.ok()) return;
      EXPECT_EQ(scalar_of_tensor(bytes), std::nullopt);
    });
  }
}

TEST(TensorProto, DamageIsRefusedOrReadButNeverCrashes) {
  const auto decode_all = [](std::string_view bytes) {
    const auto tensor = decode_tensor_proto(bytes);
    if (tensor.ok()) {
      EXPECT_TRUE(tensor_head(bytes).ok());
      EXPECT_LE(tensor.value().data.size(), kMaxDenseBytes);
    } else {
      EXPECT_FALSE(tensor.status().message().empty());
    }
    static_cast<void>(scalar_of_tensor(bytes));
    static_cast<void>(strings_of_tensor(bytes));
  };
  for (const Sample& sample : kWhole) decode_damaged(from_hex(sample.proto), decode_all);
  for (const Sample& sample : kRepeated) decode_damaged(from_hex(sample.proto), decode_all);
  for (const char* hex : kScalars) decode_damaged(from_hex(hex), decode_all);
  decode_damaged(from_hex(kStrings), decode_all);
  decode_damaged(from_hex("080712041202080222050102616263"), decode_all);
}

}  // namespace
}  // namespace tensortap::event
