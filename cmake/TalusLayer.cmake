# A layer is one static library made of every source in its folder and below; LINK names the layers and packages it may use.
# Who may use whom is the table in tests/check_layers.cmake.

add_library(talus_options INTERFACE)
target_compile_features(talus_options INTERFACE cxx_std_20)
# Products must not be contracted: the same bits on every compiler and for every thread count.
target_compile_options(talus_options INTERFACE -ffp-contract=off)
if(TALUS_NATIVE)
    target_compile_options(talus_options INTERFACE $<BUILD_INTERFACE:-march=native>)
    # Clients, who may be compiled for another instruction set, hand over Eigen's vectors: both sides must allocate and
    # free them with the same alignment.
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null OUTPUT_VARIABLE native_macros)
    set(eigen_alignment 16)
    if(native_macros MATCHES "__AVX512F__ ")
        set(eigen_alignment 64)
    elseif(native_macros MATCHES "__AVX__ ")
        set(eigen_alignment 32)
    endif()
    target_compile_definitions(talus_options
                               INTERFACE $<INSTALL_INTERFACE:EIGEN_MAX_ALIGN_BYTES=${eigen_alignment}>)
endif()
set(TALUS_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms in its own AVX-512 headers.
    list(APPEND TALUS_WARNINGS -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overread)
endif()
if(TALUS_WERROR)
    list(APPEND TALUS_WARNINGS -Werror)
endif()
if(TALUS_SANITIZE)
    target_compile_options(talus_options INTERFACE -fsanitize=${TALUS_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(talus_options INTERFACE -fsanitize=${TALUS_SANITIZE})
endif()

set_property(GLOBAL PROPERTY TALUS_LAYERS "")

function(talus_add_layer name)
    cmake_parse_arguments(ARG "" "" "LINK;PRIVATE_LINK" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp
         ${CMAKE_CURRENT_SOURCE_DIR}/*/*.cpp)
    set(target talus_${name})
    add_library(${target} STATIC ${sources})
    add_library(talus::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_options(${target} PRIVATE ${TALUS_WARNINGS})
    target_link_libraries(${target} PUBLIC talus_options ${ARG_LINK})
    # Packages that are headers alone, used in sources alone, are of no concern to clients of the installed library.
    foreach(package ${ARG_PRIVATE_LINK})
        if(package STREQUAL "Boost::headers")
            target_compile_definitions(${target} PRIVATE BOOST_ALLOW_DEPRECATED_HEADERS)  # its own, of each other
        endif()
        if(package MATCHES "^(Boost::headers|nanoflann::nanoflann)$")
            set(package $<BUILD_INTERFACE:${package}>)
        endif()
        target_link_libraries(${target} PRIVATE ${package})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY TALUS_LAYERS ${target})
endfunction()
