# tensortap_embed_page(target): adds to the target a source with the files of web/dist in it, compressed.
#
# That source is written anew whenever web/dist/index.html is: the names of the other files change with their contents.
# Without web/dist it has no files in it. The same file, run by cmake -P, writes the source.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(tensortap_embed_page target)
    set(dist ${PROJECT_SOURCE_DIR}/web/dist)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/page)
    set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake)
    file(GLOB index ${dist}/index.html) # none or one
    # web/dist comes and goes in web/. (CONFIGURE_DEPENDS in the line above would do, but then `ninja -n` always has work.)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web)
    add_custom_command(
      OUTPUT ${folder}/page_assets.cc
      COMMAND ${CMAKE_COMMAND} -Ddist=${dist} -Dfolder=${folder} -P ${script}
      DEPENDS ${index} ${script}
      COMMENT "embedding the page"
      VERBATIM)
    target_sources(${target} PRIVATE ${folder}/page_assets.cc)
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.25)
set(type_of_html "text/html; charset=utf-8")
set(type_of_js "text/javascript; charset=utf-8")
set(type_of_css "text/css; charset=utf-8")
set(type_of_json "application/json")
set(type_of_svg "image/svg+xml")
set(type_of_png "image/png")
set(type_of_ico "image/x-icon")
set(type_of_woff2 "font/woff2")
set(type_of_txt "text/plain; charset=utf-8")

file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})
file(GLOB_RECURSE names RELATIVE ${dist} ${dist}/*)
list(FILTER names EXCLUDE REGEX "(^|/)\\.|\\.map$")
list(SORT names)

set(number 0)
set(blocks "")
set(declarations "")
set(rows "")
foreach(name IN LISTS names)
  string(REGEX REPLACE "^.*\\." "" ending "${name}")
  if(NOT DEFINED type_of_${ending})
    message(FATAL_ERROR "web/dist/${name}: cmake/EmbedPage.cmake has no content type for .${ending}")
  endif()
  set(packed ${folder}/${number}.gz)
  execute_process(
    COMMAND gzip -9 -n -c ${dist}/${name} # -n: the same bytes whenever it is built
    OUTPUT_FILE ${packed} COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 ${packed} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  set(is_immutable false)
  if(name MATCHES "^assets/.*-[A-Za-z0-9_-]+\\.[a-z0-9]+$")
    set(is_immutable true)
  endif()
  string(APPEND blocks "    \"page_${number}: .incbin \\\"${packed}\\\"\\n\"\n    \"page_${number}_end: .byte 0\\n\"\n")
  string(APPEND declarations "extern const char page_${number}[], page_${number}_end[];\n")
  string(
    APPEND rows
    "      {\"${name}\", \"${type_of_${ending}}\", \"\\\"${hash}\\\"\", ${is_immutable}, {page_${number}, page_${number}_end}},\n"
  )
  math(EXPR number "${number} + 1")
endforeach()

set(text "// Written by cmake/EmbedPage.cmake out of web/dist.\n#include \"server/http/page_assets.h\"\n\n")
if(number EQUAL 0)
  string(APPEND text "std::span<const tensortap::server::PageAsset> tensortap::server::page_assets() { return {}; }\n")
else()
  string(
    APPEND
    text
    "asm(\".pushsection .rodata\\n\"\n${blocks}    \".popsection\\n\");\n\n"
    "extern \"C\" {\n${declarations}}\n\n"
    "std::span<const tensortap::server::PageAsset> tensortap::server::page_assets() {\n"
    "  static const PageAsset all[] = {\n${rows}  };\n"
    "  return all;\n}\n")
endif()
file(WRITE ${folder}/page_assets.cc "${text}")
