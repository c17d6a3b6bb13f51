// The lock of C++.
#include "load.h"

#include <mutex>
#include <shared_mutex>

static constexpr unsigned long reads_each = 99;

static std::shared_mutex lock;
static unsigned long value;

static unsigned long read_only() {
    for (unsigned long i = 0; i < reads_each; i++) {
        std::shared_lock reading(lock);
        must(*const_cast<volatile unsigned long *>(&value) < ~0ul, "value");
    }
    return reads_each;
}

static unsigned long mixed() {
    read_only();
    std::unique_lock writing(lock);
    value++;
    return reads_each + 1;
}

int main(int argc, char **argv) {
    static const load loads[] = {
        {"read", nullptr, read_only},
        {"mixed", nullptr, mixed},
        {nullptr, nullptr, nullptr},
    };
    return load_main(argc, argv, loads);
}
