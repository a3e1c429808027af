// OnWorkers: work that a coroutine of the I/O thread waits for while a worker does it.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

namespace tensortap::server {

// Runs `work` on the workers and comes back to the I/O thread with what it returns. It is named, not copied: GCC 12
// destroys temporaries of co_await expressions twice.
template <typename Work>
auto on_workers(boost::asio::thread_pool& workers, Work& work)
    -> boost::asio::awaitable<std::unique_ptr<decltype(work())>> {
  using Value = decltype(work());
  const auto begin = [&workers, &work](auto handler) {
    boost::asio::post(workers, [&work, handler = std::move(handler)]() mutable {
      auto value = std::make_unique<Value>(work());
      auto executor = boost::asio::get_associated_executor(handler);
      boost::asio::post(executor, [handler = std::move(handler), value = std::move(value)]() mutable {
        std::move(handler)(std::move(value));
      });
    });
  };
  co_return co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(std::unique_ptr<Value>)>(
      begin, boost::asio::use_awaitable);
}

}  // namespace tensortap::server
