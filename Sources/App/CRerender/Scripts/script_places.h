// SPDX-License-Identifier: MIT
// Places in scripts, for those who find them.
#ifndef CRERENDER_SCRIPTS_SCRIPT_PLACES_H
#define CRERENDER_SCRIPTS_SCRIPT_PLACES_H

#include "CRerender.h"

/// No memory is ever there: the upper bits are those of no address that a processor accepts.
static const uintptr_t script_places_begin = (uintptr_t)0x00F5 << 48;

/// As many as there are stacks of writers.
enum { SCRIPT_PLACES = 4096 };

static inline bool is_script_place(uintptr_t address) { return address >> 48 == script_places_begin >> 48; }

/// The address of a place; 0 where there is no room.
static inline uintptr_t script_place(const char *function, const char *file, uint32_t line) {
    return crerender_address_of_script_place(function, file, line);
}

#endif
