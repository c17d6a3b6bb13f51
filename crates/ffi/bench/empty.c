// Functions that do nothing. They show the least that a pair of calls costs.

int empty_lock(void *lock);
int empty_unlock(void *lock);

int empty_lock(void *lock) {
    __asm__ volatile("" ::"r"(lock));
    return 0;
}

int empty_unlock(void *lock) {
    __asm__ volatile("" ::"r"(lock));
    return 0;
}
