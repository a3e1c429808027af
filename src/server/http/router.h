// Router: which handler answers a path.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.h"

namespace tensortap::server {

// Threads:  add() before anybody asks; everything else any.
// Failure:  dispatch() answers 404 with near names, 405 with the methods there are; a handler that throws is a 500.
// Lifetime: owns the handlers.
class Router {
 public:
  // `path` is whole and exact: "/api/v1/runs". Who may GET may HEAD.
  void add(std::string path, std::initializer_list<Method> methods, Handler handler);
  void get(std::string path, Handler handler) { add(std::move(path), {Method::kGet}, std::move(handler)); }

  bool has(std::string_view path) const { return routes_.contains(path); }
  // Whether the path is there and allows the method; both decide between 404, 405 and an answer.
  bool allows(std::string_view path, Method method) const;
  // "GET, HEAD": for Allow.
  std::string allowed(std::string_view path) const;

  Response dispatch(const Request& request) const;

  std::vector<std::string> paths() const;

 private:
  struct Route {
    std::vector<Method> methods;
    Handler handler;
  };
  std::map<std::string, Route, std::less<>> routes_;
};

}  // namespace tensortap::server
