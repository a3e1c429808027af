# What `cmake --install` (find_package(tensortap) for C++ users) and `pip install` (SKBUILD) put where.
if(SKBUILD)
  install(TARGETS tensortap LIBRARY DESTINATION tensortap NAMELINK_SKIP)
  return()
endif()

include(CMakePackageConfigHelpers)
install(TARGETS tensortap EXPORT tensortapTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tensortap DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  EXPORT tensortapTargets
  NAMESPACE tensortap::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tensortap)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tensortapConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(WRITE ${PROJECT_BINARY_DIR}/tensortapConfig.cmake
     "include(\${CMAKE_CURRENT_LIST_DIR}/tensortapTargets.cmake)\n")
install(FILES ${PROJECT_BINARY_DIR}/tensortapConfig.cmake ${PROJECT_BINARY_DIR}/tensortapConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tensortap)
