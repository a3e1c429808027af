# StaticPng::png: libpng16.a with libz.a, so that no shared zlib enters the trainer's process.
find_path(StaticPng_INCLUDE_DIR png.h)
find_library(StaticPng_LIBRARY NAMES libpng16.a libpng.a)
find_library(StaticPng_ZLIB NAMES libz.a)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  StaticPng
  REQUIRED_VARS StaticPng_LIBRARY StaticPng_ZLIB StaticPng_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libpng-dev and zlib1g-dev (they hold the .a files)")
if(StaticPng_FOUND AND NOT TARGET StaticPng::png)
  add_library(StaticPng::png STATIC IMPORTED GLOBAL)
  set_target_properties(
    StaticPng::png PROPERTIES IMPORTED_LOCATION ${StaticPng_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                     ${StaticPng_INCLUDE_DIR}
                              INTERFACE_LINK_LIBRARIES "${StaticPng_ZLIB};m")
endif()
