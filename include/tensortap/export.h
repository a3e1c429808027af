// Marks what libtensortap.so shows to others; everything else stays hidden.
#pragma once

#define TENSORTAP_API [[gnu::visibility("default")]]
