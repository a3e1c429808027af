# StaticSqlite::sqlite: libsqlite3.a, so that SQLite in the trainer's process is ours and not TensorFlow's.
find_path(StaticSqlite_INCLUDE_DIR sqlite3.h)
find_library(StaticSqlite_LIBRARY NAMES libsqlite3.a)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  StaticSqlite
  REQUIRED_VARS StaticSqlite_LIBRARY StaticSqlite_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libsqlite3-dev (it holds the .a file)")
if(StaticSqlite_FOUND AND NOT TARGET StaticSqlite::sqlite)
  add_library(StaticSqlite::sqlite STATIC IMPORTED GLOBAL)
  set_target_properties(
    StaticSqlite::sqlite
    PROPERTIES IMPORTED_LOCATION ${StaticSqlite_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${StaticSqlite_INCLUDE_DIR}
               INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS};m")
endif()
