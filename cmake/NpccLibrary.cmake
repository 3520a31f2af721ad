# One precompiled header for everything that includes MLIR: such a file takes 8-12 s without, and most of that is parsing.
add_library(NpccPch OBJECT ${PROJECT_SOURCE_DIR}/cmake/pch.cpp)
target_precompile_headers(NpccPch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h)

# npcc_add_library(NAME sources... [DEPENDS targets...] [LINK libraries...])
function(npcc_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM NpccPch)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
endfunction()
