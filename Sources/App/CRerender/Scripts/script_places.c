// SPDX-License-Identifier: MIT
// The places in scripts that were met, each once, and their texts. Nothing here takes a lock or memory: a signal handler adds places, too.
#include "script_places.h"

#include <string.h>

enum { TEXTS = 4096, TEXT_BYTES = 192 * 1024, PROBES = 64 };

/// Texts by hash: 0 is free. Where one begins, plus 1, once it is complete; NO_ROOM where its bytes had none.
static uint64_t hashes[TEXTS];
static uint32_t starts[TEXTS];
static char texts[TEXT_BYTES];
static uint32_t used_bytes;
static const uint32_t no_room = UINT32_MAX;

/// A function's text above 48 bits, a file's above 32, and a line; 0 is free. Texts are numbered from 1: 0 is the empty one.
static uint64_t places[SCRIPT_PLACES];
static uint32_t missed;

static uint64_t hash_of(const char *bytes, size_t length) {
    uint64_t hash = length;
    for (size_t index = 0; index < length; index++) {
        hash = (hash ^ (unsigned char)bytes[index]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
    return hash ? hash : 1;
}

static bool is_same(uint32_t slot, const char *bytes, size_t length) {
    uint32_t start = __atomic_load_n(&starts[slot], __ATOMIC_ACQUIRE);
    // Another thread is about to complete it, or this very one, in a signal handler: then 64 bits of hash must do.
    if (start == 0) return true;
    return start != no_room && memcmp(texts + start - 1, bytes, length) == 0 && !texts[start - 1 + length];
}

static void fill(uint32_t slot, const char *bytes, size_t length) {
    uint32_t start = __atomic_fetch_add(&used_bytes, (uint32_t)length + 1, __ATOMIC_RELAXED);
    // What is not written stays 0, as the end of a text.
    bool has_room = start + length + 1 <= TEXT_BYTES;
    if (has_room) memcpy(texts + start, bytes, length);
    __atomic_store_n(&starts[slot], has_room ? start + 1 : no_room, __ATOMIC_RELEASE);
}

/// The number of a text; TEXTS + 1 where there is no room.
static uint32_t number_of(const char *bytes, size_t length) {
    if (length == 0) return 0;
    uint64_t hash = hash_of(bytes, length);
    for (uint32_t probe = 0; probe < PROBES; probe++) {
        uint32_t slot = (uint32_t)(hash + probe) % TEXTS;
        uint64_t found = __atomic_load_n(&hashes[slot], __ATOMIC_RELAXED);
        // The number of bytes that are used grows no further than by what each thread adds at a time.
        if (found == 0 && __atomic_load_n(&used_bytes, __ATOMIC_RELAXED) + length + 1 > TEXT_BYTES) break;
        if (found == 0 &&
            __atomic_compare_exchange_n(&hashes[slot], &found, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            fill(slot, bytes, length);
            return slot + 1;
        }
        if (found == hash && is_same(slot, bytes, length)) return slot + 1;
    }
    return TEXTS + 1;
}

static uintptr_t address_of(uint32_t slot) { return script_places_begin | (uintptr_t)slot << 4 | 8; }

static uintptr_t address_of_key(uint64_t key) {
    uint64_t hash = key * 0x9e3779b97f4a7c15 >> 32;
    for (uint32_t probe = 0; probe < PROBES; probe++) {
        uint32_t slot = (uint32_t)(hash + probe) % SCRIPT_PLACES;
        uint64_t found = __atomic_load_n(&places[slot], __ATOMIC_RELAXED);
        if (found == 0 &&
            __atomic_compare_exchange_n(&places[slot], &found, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return address_of(slot);
        if (found == key) return address_of(slot);
    }
    return 0;
}

uintptr_t crerender_address_of_script_place(const char *function, const char *file, uint32_t line) {
    struct crerender_script_place *bounds = NULL;
    size_t function_length = strnlen(function, sizeof bounds->function - 1), file_length = strlen(file);
    if (file_length >= sizeof bounds->file) {
        file += file_length - (sizeof bounds->file - 1);
        file_length = sizeof bounds->file - 1;
    }
    uint32_t first = number_of(function, function_length), second = number_of(file, file_length);
    uint64_t key = (uint64_t)first << 48 | (uint64_t)second << 32 | line;
    uintptr_t address = first > TEXTS || second > TEXTS || key == 0 ? 0 : address_of_key(key);
    if (address == 0) __atomic_fetch_add(&missed, 1, __ATOMIC_RELAXED);
    return address;
}

uint32_t crerender_missed_script_places(void) { return __atomic_load_n(&missed, __ATOMIC_RELAXED); }

/// False where another thread has not completed it.
static bool copy_text(uint32_t number, char *to, size_t room) {
    if (number == 0) return true;
    uint32_t start = __atomic_load_n(&starts[number - 1], __ATOMIC_ACQUIRE);
    return start != 0 && start != no_room && memccpy(to, texts + start - 1, 0, room);
}

bool crerender_script_place(uintptr_t address, struct crerender_script_place *place) {
    uintptr_t slot = (address - script_places_begin) >> 4;
    uint64_t key = slot < SCRIPT_PLACES ? __atomic_load_n(&places[slot], __ATOMIC_RELAXED) : 0;
    if (key == 0) return false;
    memset(place, 0, sizeof *place);
    place->line = (uint32_t)key;
    return copy_text((uint32_t)(key >> 48), place->function, sizeof place->function) &&
           copy_text((uint32_t)(key >> 32) & 0xFFFF, place->file, sizeof place->file);
}

// MARK: What is passed over

/// What the user passes over. Written once, before anything is read.
static char further[1024];

void crerender_pass_over_scripts(const char *names) {
    size_t length = strnlen(names, sizeof further - 1);
    memcpy(further, names, length);
    further[length] = 0;
}

/// Whether a part of a path is the one that begins there.
static bool has_part(const char *path, const char *part, size_t length) {
    for (const char *at = path; at; at = strchr(at, '/')) {
        if (*at == '/') at++;
        if (strncmp(at, part, length) == 0 && (at[length] == '/' || !at[length])) return true;
    }
    return false;
}

bool crerender_passes_over_script(const char *file) {
    // Modules that Python was built with, and what it makes around a call. A program may compile code under a name of that form, too.
    static const char frozen[] = "<frozen ";
    if (strncmp(file, frozen, sizeof frozen - 1) == 0 || strcmp(file, "<shim>") == 0) return true;
    if (strstr(file, "/gi/overrides/") || strstr(file, "-packages/gi/")) return true;
    for (const char *name = further; *name;) {
        size_t length = strcspn(name, ":");
        if (length && has_part(file, name, length)) return true;
        name += length + (name[length] == ':');
    }
    return false;
}
