# Fails when a public header does not compile alone. Most headers are the first include of the source with their name,
# and the build has proven those; the others are compiled here.
# Usage: cmake -DSOURCE_DIR=... -DBINARY_DIR=... -DCOMPILER=... -DLAYERS=a,b -DINCLUDES=a,b -P check_headers.cmake
cmake_minimum_required(VERSION 3.22)

string(REPLACE "," ";" layers ${LAYERS})
string(REPLACE "," ";" include_folders ${INCLUDES})
list(TRANSFORM include_folders PREPEND -I)
set(faults "")
set(compiled 0)

foreach(layer ${layers})
    file(GLOB headers RELATIVE ${SOURCE_DIR}/include ${SOURCE_DIR}/include/talus/${layer}/*.hpp)
    foreach(header ${headers})
        get_filename_component(name ${header} NAME_WE)
        set(source ${SOURCE_DIR}/src/${layer}/${name}.cpp)
        set(first "")
        if(EXISTS ${source})
            file(STRINGS ${source} first REGEX "^#include" LIMIT_COUNT 1)
        endif()
        if(NOT first STREQUAL "#include \"${header}\"")
            file(WRITE ${BINARY_DIR}/${layer}_${name}.cpp "#include \"${header}\"\n#include \"${header}\"\n")
            execute_process(COMMAND ${COMPILER} -std=c++20 -fopenmp -fsyntax-only ${include_folders}
                                    ${BINARY_DIR}/${layer}_${name}.cpp
                            RESULT_VARIABLE failed ERROR_VARIABLE errors)
            math(EXPR compiled "${compiled} + 1")
            if(failed)
                string(APPEND faults "\n${header}:\n${errors}")
            endif()
        endif()
    endforeach()
endforeach()

if(faults)
    message(FATAL_ERROR "headers that do not stand alone:${faults}")
endif()
message(STATUS "${compiled} headers compiled alone; the others are the first include of their source")
