// A table that many threads read and some change.

#include <iostream>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <siftlock.hpp>
#include <string>

class Routes {
public:
    void add(const std::string &route) {
        std::unique_lock writing(lock_);
        routes_.insert(route);
    }

    bool knows(const std::string &route) const {
        std::shared_lock reading(lock_);
        return routes_.count(route) != 0;
    }

private:
    mutable siftlock::rwsem lock_;
    std::set<std::string> routes_;
};

int main() {
    Routes routes;
    routes.add("/");
    std::cout << "/ is " << (routes.knows("/") ? "known" : "unknown") << '\n';
}
