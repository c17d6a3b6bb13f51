/* Loads: the work that threads repeat, and how often a second they do. */
#ifndef LOAD_H
#define LOAD_H

#ifdef __cplusplus
extern "C" {
#endif

struct load {
    const char *name;
    /* Makes the data that the threads share. Called once, before they start; may be null. */
    void (*prepare)(void);
    /* Does the work. Answers how many operations it did. */
    unsigned long (*work)(void);
};

/* `main` of a program whose arguments are the name of a load, a number of threads and a number of seconds. Prints
   operations a second, and the seconds of user and system time that one second took. */
int load_main(int argc, char **argv, const struct load *loads);

/* Ends the program with a message if the condition is false. */
void must(int condition, const char *what);

#ifdef __cplusplus
}
#endif
#endif
