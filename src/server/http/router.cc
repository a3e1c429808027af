// Router: a map of paths, and what to say where it has none.
#include "server/http/router.h"

#include <algorithm>
#include <exception>
#include <new>

#include "base/near_names.h"

namespace tensortap::server {
namespace {

std::string_view method_name(Method method) {
  switch (method) {
    case Method::kGet: return "GET";
    case Method::kHead: return "HEAD";
    case Method::kPatch: break;
  }
  return "PATCH";
}

}  // namespace

void Router::add(std::string path, std::initializer_list<Method> methods, Handler handler) {
  Route route{methods, std::move(handler)};
  if (std::find(route.methods.begin(), route.methods.end(), Method::kGet) != route.methods.end()) {
    route.methods.push_back(Method::kHead);
  }
  routes_.insert_or_assign(std::move(path), std::move(route));
}

bool Router::allows(std::string_view path, Method method) const {
  const auto found = routes_.find(path);
  if (found == routes_.end()) return false;
  const auto& methods = found->second.methods;
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

std::string Router::allowed(std::string_view path) const {
  const auto found = routes_.find(path);
  std::string text;
  if (found == routes_.end()) return text;
  for (const Method method : {Method::kGet, Method::kHead, Method::kPatch}) {
    if (allows(path, method)) text.append(text.empty() ? "" : ", ").append(method_name(method));
  }
  return text;
}

Response Router::dispatch(const Request& request) const {
  const auto found = routes_.find(request.path);
  if (found == routes_.end()) {
    return error_response(404, "not_found", "there is no " + request.path + "." + did_you_mean(request.path, paths()));
  }
  if (!allows(request.path, request.method)) {
    Response response = error_response(405, "method_not_allowed", request.path + " takes " + allowed(request.path));
    response.headers.emplace_back("Allow", allowed(request.path));
    return response;
  }
  // A handler has no business throwing; but a request must not end the program for everybody.
  try {
    return found->second.handler(request);
  } catch (const std::bad_alloc&) {
    return error_response(503, "out_of_memory", "not enough memory for this answer; ask for less at once");
  } catch (const std::exception& error) {
    return error_response(500, "internal", error.what());
  }
}

std::vector<std::string> Router::paths() const {
  std::vector<std::string> all;
  all.reserve(routes_.size());
  for (const auto& [path, route] : routes_) all.push_back(path);
  return all;
}

}  // namespace tensortap::server
