# Fails when a public header does not compile alone (with Eigen, which is compiled once because it takes longest). A
# unity build does not show it.
# Usage: cmake -DSOURCE_DIR=... -DBINARY_DIR=... -DCOMPILER=... -DLAYERS=a,b -DINCLUDES=a,b -P check_headers.cmake
cmake_minimum_required(VERSION 3.22)

string(REPLACE "," ";" layers ${LAYERS})
string(REPLACE "," ";" include_folders ${INCLUDES})
list(TRANSFORM include_folders PREPEND -I)
set(faults "")
set(compiled 0)

set(command ${COMPILER} -std=c++20 -fopenmp ${include_folders})
file(WRITE ${BINARY_DIR}/eigen.hpp "#include <Eigen/Core>\n#include <Eigen/Geometry>\n")
execute_process(COMMAND ${command} -x c++-header ${BINARY_DIR}/eigen.hpp -o ${BINARY_DIR}/eigen.hpp.gch
                COMMAND_ERROR_IS_FATAL ANY)

foreach(layer ${layers})
    file(GLOB headers RELATIVE ${SOURCE_DIR}/include ${SOURCE_DIR}/include/talus/${layer}/*.hpp
         ${SOURCE_DIR}/include/talus/${layer}/*/*.hpp)
    foreach(header ${headers})
        get_filename_component(name ${header} NAME_WE)
        set(source ${BINARY_DIR}/${layer}_${name}.cpp)
        file(WRITE ${source} "#include \"${header}\"\n#include \"${header}\"\n")
        execute_process(COMMAND ${command} -fsyntax-only -include ${BINARY_DIR}/eigen.hpp ${source}
                        RESULT_VARIABLE failed ERROR_VARIABLE errors)
        math(EXPR compiled "${compiled} + 1")
        if(failed)
            string(APPEND faults "\n${header}:\n${errors}")
        endif()
    endforeach()
endforeach()

if(faults)
    message(FATAL_ERROR "headers that do not stand alone:${faults}")
endif()
message(STATUS "${compiled} headers compile alone")
