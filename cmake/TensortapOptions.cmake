# tensortap_options: how every target of the project is compiled.
add_library(tensortap_options INTERFACE)
target_compile_features(tensortap_options INTERFACE cxx_std_20)
target_include_directories(tensortap_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(
  tensortap_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                              -fstack-protector-strong)
if(TENSORTAP_WARNINGS_AS_ERRORS)
  target_compile_options(tensortap_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of overlapping copies inside std::string's own operator+.
  target_compile_options(tensortap_options INTERFACE -Wno-restrict)
endif()
target_link_options(tensortap_options INTERFACE -Wl,-z,relro,-z,now)

# Header-only; wire/protobuf.h is its only user.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_writer.hpp REQUIRED)
target_include_directories(tensortap_options SYSTEM INTERFACE ${PROTOZERO_INCLUDE_DIR})

set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

if(TENSORTAP_SANITIZE)
  target_compile_options(tensortap_options INTERFACE -fsanitize=${TENSORTAP_SANITIZE} -fno-omit-frame-pointer
                                                     -fno-sanitize-recover=all)
  string(REPLACE "fuzzer-no-link," "" link_sanitizers "${TENSORTAP_SANITIZE}")
  target_link_options(tensortap_options INTERFACE -fsanitize=${link_sanitizers})
endif()

# Both only save time; the build does not need them.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The same file with the same flags is compiled once for all build directories, and for all clones.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
                                  ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
find_program(MOLD mold)
if(MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_link_options(tensortap_options INTERFACE -fuse-ld=mold)
endif()
