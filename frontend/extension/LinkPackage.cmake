# Links every file and folder of the package's sources into the folder it is imported from.
file(MAKE_DIRECTORY ${DESTINATION})
file(GLOB entries ${SOURCE}/*)
foreach(entry ${entries})
  get_filename_component(name ${entry} NAME)
  if(NOT name STREQUAL "__pycache__")
    file(CREATE_LINK ${entry} ${DESTINATION}/${name} SYMBOLIC)
  endif()
endforeach()
