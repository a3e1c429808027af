// Question: the parameters of a request, taken one by one and checked.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/selection.h"
#include "server/http/message.h"
#include "store/kind.h"
#include "tensortap/status.h"

namespace tensortap::server {

// Threads:  one.
// Failure:  the first thing that is wrong is kept in status(); what is taken after it may be anything.
// Lifetime: the request must outlive it.
class Question {
 public:
  // A name with a '*' behind it may come several times, all others once. Parameters of other names are wrong.
  Question(const Request& request, std::initializer_list<std::string_view> names);

  // kInvalidArgument, with a sentence.
  const Status& status() const { return status_; }

  bool has(std::string_view name) const { return request_.parameters.find(name) != nullptr; }
  // Of a parameter that must be there.
  std::string text(std::string_view name);
  std::int64_t step(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  // Of parameters that may be left out.
  std::vector<std::string> any_texts(std::string_view name);
  std::uint64_t number(std::string_view name, std::uint64_t usual, std::uint64_t least, std::uint64_t most);
  bool flag(std::string_view name);  // "0" or "1"
  std::optional<store::Kind> kind();
  // One of these words; the first when it is left out.
  std::string word(std::string_view name, std::initializer_list<std::string_view> words);
  // first_step, last_step, and raw where it may be given.
  query::Selection selection();

  // For what only the answer shows to be wrong.
  void refuse(std::string message);

 private:
  std::optional<std::int64_t> integer(std::string_view name, std::int64_t least, std::int64_t most);

  const Request& request_;
  Status status_;
};

}  // namespace tensortap::server
