// The steps that calls would make if they were inline in the header: those of the library's fast
// paths. These are no locks: all cases but the first are left out.
//
// The thread's own words are in the program, where access to them is fastest.

#ifndef INLINE_H
#define INLINE_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct {
    _Atomic uint64_t count;
    _Atomic uint32_t owner;
} sketch;

enum { SKETCH_WRITER = 1, SKETCH_BIAS = 0x60000000 };

static _Thread_local uint32_t sketch_thread = 7;
static _Thread_local _Atomic uint64_t sketch_slot;

// Notes the lock in the thread's slot by a plain store. Then checks that the note holds: there is
// no writer, and the bias is unchanged.
static inline int sketch_read(sketch *lock) {
    uint32_t owner = atomic_load_explicit(&lock->owner, memory_order_relaxed);
    if (owner != SKETCH_BIAS || atomic_load_explicit(&sketch_slot, memory_order_relaxed) != 0) return 1;
    atomic_store_explicit(&sketch_slot, (uint64_t)(uintptr_t)lock << 8, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    uint64_t count = atomic_load_explicit(&lock->count, memory_order_acquire);
    return (count & SKETCH_WRITER) || atomic_load_explicit(&lock->owner, memory_order_relaxed) != owner;
}

static inline int sketch_read_unlock(sketch *lock) {
    if (atomic_load_explicit(&sketch_slot, memory_order_relaxed) != (uint64_t)(uintptr_t)lock << 8) return 1;
    atomic_store_explicit(&sketch_slot, 0, memory_order_release);
    return 0;
}

// One atomic step. The owner word has the thread's name already, so it is only compared.
static inline int sketch_write(sketch *lock) {
    uint64_t none = 0;
    if (!atomic_compare_exchange_strong_explicit(&lock->count, &none, SKETCH_WRITER,
                                                 memory_order_acquire, memory_order_relaxed))
        return 1;
    return atomic_load_explicit(&lock->owner, memory_order_relaxed) != sketch_thread;
}

static inline int sketch_write_unlock(sketch *lock) {
    uint64_t writer = SKETCH_WRITER;
    return !atomic_compare_exchange_strong_explicit(&lock->count, &writer, 0, memory_order_release,
                                                    memory_order_relaxed);
}

#endif
