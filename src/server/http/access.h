// Access: who may ask. Names of this server, origins of requests, and the token.
//
// A page of another site can make a browser send requests here, also under a name of its own that it lets point to
// this machine (DNS rebinding). Such requests carry a Host or an Origin that is not ours, or say so in Sec-Fetch-Site.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tensortap/status.h"

namespace tensortap::server {

struct AccessRules {
  std::string token;               // empty: everybody may
  std::string cookie_name;         // with the port: browsers send cookies of one port to all
  std::vector<std::string> hosts;  // names that are ours besides the loopback's; lower case
  bool any_address = false;        // every numeric address is ours: nobody can rebind one
};

// The host of "name:port", "1.2.3.4" or "[::1]:80" in lower case, without brackets; empty when it is none.
std::string host_of(std::string_view untrusted_authority);

bool is_loopback_name(std::string_view host);
bool is_own_host(const AccessRules& rules, std::string_view untrusted_host_header);
// `untrusted_origin` as browsers send it: "http://localhost:6007". True when it is the address that was asked.
bool is_own_origin(const AccessRules& rules, std::string_view untrusted_origin, std::string_view host_header);

// Whether "Bearer TOKEN" or the cookies show the token.
bool shows_token(const AccessRules& rules, std::string_view authorization, std::string_view cookies);

// Takes as long for every secret of the same length.
bool is_same_secret(std::string_view left, std::string_view right);

// 32 hexadecimal digits from the system.
std::string make_token();
// kInvalidArgument: too short, or not made of characters that need no escapes in addresses and cookies.
Status check_token(std::string_view token);

}  // namespace tensortap::server
