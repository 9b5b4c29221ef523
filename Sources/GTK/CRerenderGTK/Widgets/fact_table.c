// SPDX-License-Identifier: MIT
// Keeps facts for the thread that reads them. The one that writes never waits.

#include "questions.h"

#ifdef RERENDER_GTK
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct crerender_fact table[CRERENDER_FACTS];
static _Atomic uint32_t epoch;

/// How many places each kind has; they lie one behind the other.
static const size_t rooms[] = {[CRERENDER_FACT_ASKER] = CRERENDER_ASKERS,
                               [CRERENDER_FACT_LAYOUT] = CRERENDER_LAYOUTS,
                               [CRERENDER_FACT_ANEW] = CRERENDER_ANEW,
                               [CRERENDER_FACT_INTERACTION] = CRERENDER_INTERACTIONS};

bool fact_table_put(enum crerender_fact_kind kind, const struct crerender_fact *facts, size_t count, uint32_t began) {
    size_t room = rooms[kind];
    if (count > room) count = room;
    if (pthread_mutex_trylock(&lock) != 0) return false;
    if (began == atomic_load_explicit(&epoch, memory_order_relaxed)) {
        struct crerender_fact *first = table;
        for (int before = CRERENDER_FACT_ASKER; before < (int)kind; before++) first += rooms[before];
        if (count) memcpy(first, facts, count * sizeof *facts);
        memset(first + count, 0, (room - count) * sizeof *facts);
    }
    pthread_mutex_unlock(&lock);
    return true;
}

uint32_t fact_table_epoch(void) { return atomic_load_explicit(&epoch, memory_order_relaxed); }

void crerender_facts_read(struct crerender_fact facts[CRERENDER_FACTS]) {
    pthread_mutex_lock(&lock);
    memcpy(facts, table, sizeof table);
    pthread_mutex_unlock(&lock);
}

void crerender_facts_reset(void) {
    pthread_mutex_lock(&lock);
    atomic_fetch_add_explicit(&epoch, 1, memory_order_relaxed);
    memset(table, 0, sizeof table);
    pthread_mutex_unlock(&lock);
}
#endif
