# What `cmake --install` puts where, and the package that other projects find; lib/Runtime installs
# the runtime and its header itself.
include(CMakePackageConfigHelpers)

set(tools gyrec gyre-opt gyre-run gyre-call gyre-lsp-server gyre-reduce)
# Tools stand beside the runtime, and LLVM stays where it is.
set_target_properties(${tools} PROPERTIES
  INSTALL_RPATH "$ORIGIN/${GYRE_RUNTIME_FROM_TOOL};${LLVM_LIBRARY_DIR}")
install(TARGETS ${tools} EXPORT GyreTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/gyre
  FILES_MATCHING PATTERN "*.mlir")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/gyre DESTINATION ${CMAKE_INSTALL_DATADIR}/gyre/python
  FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Gyre)
install(EXPORT GyreTargets NAMESPACE Gyre:: DESTINATION ${package})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/GyreConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/GyreConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_DATADIR
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 the interfaces change with the minor version.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/GyreConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/GyreConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/GyreConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/GyreAddLibrary.cmake
  DESTINATION ${package})
