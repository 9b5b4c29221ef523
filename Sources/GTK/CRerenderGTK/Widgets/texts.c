// SPDX-License-Identifier: MIT
// Keeps texts in a table by their hash. One thread.

#include "texts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8192, PLACES = 2 * MOST };

static char *texts[MOST];
static uint32_t count;
/// Numbers by the hash of their text; 0 where a place is free.
static uint16_t numbers[PLACES];

static uint32_t hash_of(const char *text) {
    uint32_t hash = 2166136261u;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

uint32_t texts_number(const char *text) {
    uint32_t place = hash_of(text) % PLACES;
    for (; numbers[place]; place = (place + 1) % PLACES)
        if (strcmp(texts[numbers[place] - 1], text) == 0) return numbers[place];
    char *kept = count < MOST ? strdup(text) : NULL;
    if (!kept) return 0;
    texts[count++] = kept;
    numbers[place] = (uint16_t)count;
    return count;
}

const char *texts_at(uint32_t number) { return number && number <= count ? texts[number - 1] : NULL; }
