// TENSORTAP_TRY: hands an error on to the caller.
#pragma once

#include "tensortap/status.h"

// Returns from the enclosing function when `expression`, a Status, is an error.
#define TENSORTAP_TRY(expression)                                \
  do {                                                           \
    ::tensortap::Status tensortap_try_status = (expression);     \
    if (!tensortap_try_status.ok()) return tensortap_try_status; \
  } while (false)
