// CopyRows: rows in the binary format of PostgreSQL's COPY.
//
//   "PGCOPY\n" FF 0D 0A 00   flags: u32   length of the extension: u32       once
//   number of fields: u16    length: i32 (-1: NULL)   bytes   ...            for every row
//   FF FF                                                                    once
//
// All big-endian. Numbers arrive bit by bit as they were, NaN and infinities too.
#pragma once

#include <string>
#include <string_view>

#include "database/row.h"

namespace tensortap::database {

std::string_view copy_begin();
std::string_view copy_end();

// PostgreSQL's text has no zero bytes: each becomes U+FFFD.
void append_copy_row(std::string& out, const Row& row);

}  // namespace tensortap::database
