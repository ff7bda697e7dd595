# The C interface as target `texwire`: include("<repository>/harness/capi/texwire.cmake"), then
# target_link_libraries(simulator PRIVATE texwire). `cargo build --release -p texwire-capi` comes first; TEXWIRE_LIBRARY is
# another place of the library.
get_filename_component(TEXWIRE_ROOT "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(TEXWIRE_LIBRARY "${TEXWIRE_ROOT}/target/release/libtexwire_capi.a" CACHE FILEPATH "static library of texwire's C interface")
if(NOT EXISTS "${TEXWIRE_LIBRARY}")
    message(FATAL_ERROR "no library at ${TEXWIRE_LIBRARY}: run cargo build --release -p texwire-capi in ${TEXWIRE_ROOT}")
endif()
add_library(texwire STATIC IMPORTED)
set_target_properties(texwire PROPERTIES
    IMPORTED_LOCATION "${TEXWIRE_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_LIST_DIR}/include"
    INTERFACE_LINK_LIBRARIES "pthread;dl;m")
