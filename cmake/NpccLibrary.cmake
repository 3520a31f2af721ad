# One precompiled header for everything that includes MLIR: such a file takes 8-12 s without, and most of that is parsing.
add_library(NpccPch OBJECT ${PROJECT_SOURCE_DIR}/cmake/pch.cpp)
target_precompile_headers(NpccPch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h)

# npcc_add_library(NAME [WHOLE] sources... [DEPENDS targets...] [LINK libraries...])
# WHOLE: whoever links it gets all of its objects, also those that nothing names because they register themselves.
function(npcc_add_library name)
  cmake_parse_arguments(ARG "WHOLE" "" "DEPENDS;LINK" ${ARGN})
  set(kind STATIC)
  if(ARG_WHOLE)
    set(kind OBJECT)
  endif()
  add_library(${name} ${kind} ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM NpccPch)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
endfunction()
