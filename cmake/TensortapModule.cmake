# tensortap_module(name SOURCES ... [TESTS ...] [LIBRARIES ...])
#
# One folder under src/: an object library, and beside it one test program of its *_test.cc.
# TENSORTAP_MODULES collects the object libraries; src/CMakeLists.txt decides where each ends up.
function(tensortap_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;TESTS;LIBRARIES")
  add_library(tensortap_${name} OBJECT ${arg_SOURCES})
  target_link_libraries(tensortap_${name} PUBLIC tensortap_options ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY TENSORTAP_MODULES ${name})
  set_property(GLOBAL APPEND PROPERTY TENSORTAP_MODULE_LIBRARIES ${arg_LIBRARIES})
  if(TENSORTAP_TESTS AND arg_TESTS)
    tensortap_test(${name}_test ${arg_TESTS})
  endif()
endfunction()

# tensortap_test(name sources...): a GoogleTest program over all modules, one ctest entry per TEST.
function(tensortap_test name)
  include(GoogleTest)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE tensortap_internals GTest::gmock GTest::gtest_main)
  if(NOT TENSORTAP_SANITIZE)
    # What is tested is optimised; the tests themselves would only take twice as long to compile.
    target_compile_options(${name} PRIVATE -O0 -g1)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300)
endfunction()
