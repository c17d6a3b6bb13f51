// A C++ program for the tracer: its lock is taken behind wrappers of the C++ library.
#include <mutex>
#include <shared_mutex>

namespace shop {
struct Prices {
    std::shared_mutex lock;
    int price = 1;

    __attribute__((noinline)) int of(int pieces) {
        std::shared_lock<std::shared_mutex> held(lock);
        return price * pieces;
    }
};
} // namespace shop

int main() {
    static shop::Prices prices;
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum += prices.of(1);
    return sum == 1000 ? 0 : 1;
}
