# Installs the library, its headers, the executable, scenes, documents and what find_package(talus) reads.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/talus)

# talus::talus stands for every layer, so that a client names one target.
get_property(layer_targets GLOBAL PROPERTY TALUS_LAYERS)
add_library(talus_library INTERFACE)
add_library(talus::talus ALIAS talus_library)
set_target_properties(talus_library PROPERTIES EXPORT_NAME talus)
target_link_libraries(talus_library INTERFACE ${layer_targets})

install(TARGETS talus_library talus_options ${layer_targets} EXPORT talusTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT talusTargets NAMESPACE talus:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/talusConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/talusConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/talusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/talusConfig.cmake ${PROJECT_BINARY_DIR}/talusConfigVersion.cmake
        DESTINATION ${package_dir})

foreach(layer ${talus_layers})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/talus/${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/talus
            FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/talus/core/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/talus/core)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
if(TARGET talus)
    install(TARGETS talus RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/talus)
endif()
