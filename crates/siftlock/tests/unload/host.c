// A program that loads the plugin, unloads it, and goes on: `host PLUGIN SCENE`. Or it loads two
// copies of the plugin: `host PLUGIN copies OTHER`.

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef uint64_t (*adder)(void *number, uint64_t turns);

static void *plugin;
static void (*lock)(void);
static void (*reg)(int);
static void (*note)(int);
static adder add;
static sem_t used, closed;

static void *sym(const char *name)
{
	void *found = dlsym(plugin, name);

	if (!found)
		fprintf(stderr, "no %s: %s\n", name, dlerror()), exit(2);
	return found;
}

static void load(const char *path)
{
	plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!plugin)
		fprintf(stderr, "%s\n", dlerror()), exit(2);
	lock = sym("plugin_lock");
	reg = sym("plugin_register");
	note = sym("plugin_note");
	add = sym("plugin_add");
}

static void check(int ok, const char *what)
{
	if (!ok)
		fprintf(stderr, "%s\n", what), exit(2);
}

static void *locks(void *unused)
{
	lock();
	sem_post(&used);
	sem_wait(&closed);
	return unused;
}

static void *notes(void *unused)
{
	note(SIGUSR1);
	sem_post(&used);
	sem_wait(&closed);
	raise(SIGUSR1);
	return unused;
}

// A thread uses the plugin, which is closed before the thread ends.
static void outlive(void *(*use)(void *))
{
	pthread_t thread;

	check(!pthread_create(&thread, NULL, use, NULL), "no thread");
	sem_wait(&used);
	check(!dlclose(plugin), "not closed");
	sem_post(&closed);
	pthread_join(thread, NULL);
}

static void forks(void)
{
	int status;
	pid_t child;

	lock();
	reg(SIGUSR1);
	dlclose(plugin);
	child = fork();
	if (!child)
		_exit(0);
	check(waitpid(child, &status, 0) == child && status == 0, "the child died");
}

// More loads than a process has keys for thread-specific data.
static void reloads(const char *path)
{
	pthread_key_t key;
	int turn;

	for (turn = 0; turn < 1100; turn++) {
		if (turn)
			load(path);
		outlive(locks);
	}
	check(!pthread_key_create(&key, NULL), "the keys are used up");
}

#define TURNS 100000

// A lock and its number, at first unlocked and 0.
static uint64_t number[8];

static void *adds(void *function)
{
	adder *add = function;

	(*add)(number, TURNS);
	return NULL;
}

// Two copies of the crate use one lock.
static void copies(const char *other)
{
	adder adders[2];
	pthread_t threads[2];
	int copy;

	adders[0] = add;
	load(other);
	adders[1] = add;
	check(adders[0] != adders[1], "one copy");
	for (copy = 0; copy < 2; copy++)
		check(!pthread_create(&threads[copy], NULL, adds, &adders[copy]), "no thread");
	for (copy = 0; copy < 2; copy++)
		pthread_join(threads[copy], NULL);
	check(add(number, 0) == 2 * TURNS, "exclusion is lost");
}

int main(int argc, char **argv)
{
	const char *scene;

	check(argc > 2, "host PLUGIN SCENE");
	scene = argv[2];
	sem_init(&used, 0, 0);
	sem_init(&closed, 0, 0);
	load(argv[1]);
	if (!strcmp(scene, "thread")) {
		outlive(locks);
	} else if (!strcmp(scene, "handler")) {
		reg(SIGUSR1);
		outlive(notes);
		raise(SIGUSR1);
	} else if (!strcmp(scene, "fork")) {
		forks();
	} else if (!strcmp(scene, "reload")) {
		reloads(argv[1]);
	} else if (!strcmp(scene, "copies")) {
		check(argc == 4, "no other copy");
		copies(argv[3]);
	} else {
		check(0, "no such scene");
	}
	return 0;
}
