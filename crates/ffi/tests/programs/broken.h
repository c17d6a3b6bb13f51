// Replaces the locks of a program by locks that do not exclude: the compiler includes it before the
// program's own lines. The program has to notice.

#include <siftlock.h>

#undef siftlock_rwsem_read
#undef siftlock_rwsem_try_read
#undef siftlock_rwsem_read_unlock
#undef siftlock_rwsem_write
#undef siftlock_rwsem_try_write
#undef siftlock_rwsem_write_unlock
#undef siftlock_psrw_write
#undef siftlock_psrw_write_unlock

#define siftlock_rwsem_read(lock) ((void)(lock), 0)
#define siftlock_rwsem_try_read(lock) ((void)(lock), 0)
#define siftlock_rwsem_read_unlock(lock) ((void)(lock), 0)
#define siftlock_rwsem_write(lock) ((void)(lock), 0)
#define siftlock_rwsem_try_write(lock) ((void)(lock), 0)
#define siftlock_rwsem_write_unlock(lock) ((void)(lock), 0)
#define siftlock_psrw_write(lock) ((void)(lock), 0)
#define siftlock_psrw_write_unlock(lock) ((void)(lock), 0)
