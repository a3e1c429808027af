// PostgresqlPlugin: what tensortap_postgresql.so offers, in plain C.
//
// libpq brings OpenSSL, and TensorFlow has another one in the process: the plug-in is opened on first use, with its own
// libraries before everybody else's. Nothing that one side allocates is freed by the other, and no exception crosses.
#pragma once

#include <stddef.h>

#define TENSORTAP_POSTGRESQL_VERSION 1
#define TENSORTAP_POSTGRESQL_ENTRY "tensortap_postgresql"

extern "C" {

enum TensortapPgOutcome {
  kTensortapPgDone = 0,
  kTensortapPgRefused = 1,  // the same again would be refused again
  kTensortapPgLost = 2,     // the connection is gone, or the server cannot now
  kTensortapPgBadUrl = 3,
};

// Where a call leaves its text, cut to the size: the first value of an answer, or why there is none.
struct TensortapPgText {
  char* data;
  size_t size;
};

struct TensortapPgApi {
  int version;
  // NULL and the outcome when there is no connection. `cancel_descriptor` ends all waiting once it is readable.
  void* (*open)(const char* url, const char* application_name, int cancel_descriptor, int* outcome,
                struct TensortapPgText text);
  void (*close)(void* connection);
  // Each returns a TensortapPgOutcome.
  int (*run)(void* connection, const char* sql, struct TensortapPgText text);
  // The data is begin, rows, end, one after the other.
  int (*copy)(void* connection, const char* sql, const char* const* pieces, const size_t* sizes, size_t count,
              struct TensortapPgText text);
};

typedef const struct TensortapPgApi* (*TensortapPgEntry)(void);
}
