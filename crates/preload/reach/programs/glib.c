/* GLib: its lock, and its table of types, which such a lock protects. */
#include "load.h"

#include <glib-object.h>

enum { READS = 99 };

static GRWLock lock;
static unsigned long value;

static void reads(void) {
    for (int i = 0; i < READS; i++) {
        g_rw_lock_reader_lock(&lock);
        must(*(volatile unsigned long *)&value < ~0ul, "value");
        g_rw_lock_reader_unlock(&lock);
    }
}

static unsigned long read_only(void) {
    reads();
    return READS;
}

static unsigned long mixed(void) {
    reads();
    g_rw_lock_writer_lock(&lock);
    value++;
    g_rw_lock_writer_unlock(&lock);
    return READS + 1;
}

static unsigned long type_by_name(void) {
    must(g_type_from_name("GObject") == G_TYPE_OBJECT, "g_type_from_name");
    return 1;
}

static void make_type(void) { must(G_TYPE_OBJECT != 0, "G_TYPE_OBJECT"); }

int main(int argc, char **argv) {
    static const struct load loads[] = {
        {"read", NULL, read_only},
        {"mixed", NULL, mixed},
        {"type", make_type, type_by_name},
        {NULL, NULL, NULL},
    };
    return load_main(argc, argv, loads);
}
