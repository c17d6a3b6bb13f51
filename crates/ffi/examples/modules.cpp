// A list that a signal handler reads. A change makes the new list first, and frees the old one afterwards: a write must
// not allocate.

#include <csignal>
#include <iostream>
#include <siftlock.hpp>
#include <string>
#include <utility>
#include <vector>

static siftlock::psrw lock;
static std::vector<std::string> modules;

static volatile std::sig_atomic_t seen = -1;

extern "C" void count(int, const void *, void *) {
    siftlock::handler_read reading(lock);
    seen = static_cast<std::sig_atomic_t>(modules.size());
}

static void add(const std::string &name) {
    std::vector<std::string> list;
    {
        auto writing = lock.update([&] {
            list = modules;
            list.push_back(name);
        });
        std::swap(modules, list);
    }
    // The old list ends here, where the lock is free.
}

int main() {
    if (siftlock_register(SIGUSR1, count) != 0) return 1;
    add("main");
    add("libc");
    std::raise(SIGUSR1);
    std::cout << "the handler saw " << seen << " modules\n";
    return seen == 2 ? 0 : 1;
}
