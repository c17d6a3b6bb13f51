/* A library whose constructor calls the function that the program has told it of. */
#include <stdint.h>
#include <stdlib.h>

__attribute__((constructor)) static void when_loaded(void)
{
	const char *function = getenv("SIFTLOCK_TEST_CONSTRUCTOR");

	if (function)
		((void (*)(void))(uintptr_t)strtoull(function, NULL, 16))();
}
