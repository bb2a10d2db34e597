# Installs talus to a temporary prefix, builds a client with find_package(talus) against it and runs it.
# Usage: cmake -DBINARY_DIR=<build of talus> -DCLIENT_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCOMPILER=...
#              -DSANITIZE=... -P check_install.cmake
cmake_minimum_required(VERSION 3.22)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(failed)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "failed: ${command}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${WORK_DIR}/prefix)
# Moved before use: no path of the build or of the first prefix may be needed.
file(RENAME ${WORK_DIR}/prefix ${WORK_DIR}/moved)
set(flags "")
if(SANITIZE)
    set(flags -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE})
endif()
run(${CMAKE_COMMAND} -S ${CLIENT_DIR} -B ${WORK_DIR}/client -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${WORK_DIR}/moved
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release ${flags})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/client)
foreach(program client lagrange autodiff)
    run(${WORK_DIR}/client/${program})
    message(STATUS "${output}")
endforeach()
if(EXISTS ${WORK_DIR}/moved/bin/talus)
    run(${WORK_DIR}/moved/bin/talus --version)
    message(STATUS "${output}")
endif()
file(REMOVE_RECURSE ${WORK_DIR})
