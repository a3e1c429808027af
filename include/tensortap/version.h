// The version of Tensortap; CMake and the Python package read it from here.
#pragma once

#define TENSORTAP_VERSION "0.1.0"
