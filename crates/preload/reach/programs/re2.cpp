// One expression that all threads match. Its cache has a lock, which each match takes to read.
#include "load.h"

#include <re2/re2.h>

static const RE2 *expression;

static void prepare() {
    expression = new RE2("(\\w+)@(\\w+)\\.example\\.(com|org)");
    must(expression->ok(), "the expression");
}

static unsigned long find() {
    must(RE2::PartialMatch("a short line from somebody@mail.example.org, and so on", *expression), "PartialMatch");
    return 1;
}

static unsigned long refuse() {
    must(!RE2::FullMatch("nobody", *expression), "FullMatch");
    return 1;
}

int main(int argc, char **argv) {
    static const load loads[] = {{"find", prepare, find}, {"refuse", prepare, refuse}, {nullptr, nullptr, nullptr}};
    return load_main(argc, argv, loads);
}
