/* Waits for a report of a signal. */
#pragma once
#include "../../../preload/tests/programs/check.h"
#include <signal.h>

/* Asks for a report in JSON, and returns when it is there and whole. */
static inline void await_report(const char *report) {
    static char text[1 << 20];
    OK(raise(SIGUSR1));
    for (long size = 0; size < 2 || text[size - 2] != '}' || text[size - 1] != '\n';) {
        sleep_ms(1);
        FILE *file = fopen(report, "r");
        if (file == NULL) continue;
        size = fread(text, 1, sizeof text, file);
        fclose(file);
    }
}
