// SPDX-License-Identifier: MIT
// What becomes of signposts in a forked child.
#ifndef CSIGNPOST_FORK_H
#define CSIGNPOST_FORK_H

#pragma GCC visibility push(hidden)

/// Set in a forked child, which has no LTTng threads: it stays silent.
extern int cs_forked;

/// Once per process, before there are threads of ours. 0: no memory for it, so LTTng must not be loaded.
int cs_fork_handlers_install(void);

#pragma GCC visibility pop

#endif
