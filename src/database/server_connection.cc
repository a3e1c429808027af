// Cancellation: a descriptor that becomes readable.
#include "database/server_connection.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace tensortap::database {

Cancellation::Cancellation() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Cancellation::~Cancellation() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Cancellation::cancel() {
  if (descriptor_ >= 0) (void)::eventfd_write(descriptor_, 1);
}

}  // namespace tensortap::database
