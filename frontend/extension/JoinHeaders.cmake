# The runtime's interface as users have it, one header: npcc_rt.h with the text of the headers that it includes.
#   cmake -DSOURCE=<root of the project> -DDESTINATION=<folder> -P JoinHeaders.cmake
file(READ ${SOURCE}/runtime/npcc_rt.h joined)
string(REGEX MATCHALL "runtime/abi/[a-z_]+\\.h" headers "${joined}")
foreach(header ${headers})
  file(READ ${SOURCE}/${header} text)
  string(REGEX REPLACE "#include \"runtime/[^\n]*\n" "" text "${text}") # it stands above: npcc_rt.h has them in order
  string(REPLACE "#include \"${header}\"\n" "\n${text}" joined "${joined}")
endforeach()
file(CONFIGURE OUTPUT ${DESTINATION}/npcc_rt.h CONTENT "${joined}" @ONLY)
