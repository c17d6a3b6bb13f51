/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* In place of a header that Debian's packages of headers leave out: torture.c wants one thing of it. */
#define rcu_ftrace_dump(mode) do { } while (0)
