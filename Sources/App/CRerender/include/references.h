// SPDX-License-Identifier: MIT
// Remembers references to Swift objects without keeping the objects alive.
#ifndef CRERENDER_REFERENCES_H
#define CRERENDER_REFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// Keeps an object's memory, not the object, so that no other object gets its address. Returns what `crerender_forget` takes: 0
/// if there was nothing to keep (an object for ever), 1 if the address is all that is kept because more would cost too
/// much (`limit` in bytes), the address of a weak reference with its lowest bit set, or the object's address.
uintptr_t crerender_remember(uintptr_t object, size_t limit);
void crerender_forget(uintptr_t hold);
/// Whether the object at this address is still the one that was remembered.
bool crerender_is_remembered(uintptr_t hold, uintptr_t object);

/// The object that a weak variable refers to, or 0; only for comparing, it may end at any time.
uintptr_t crerender_weak_target(uintptr_t variable);

struct crerender_weak {
    uintptr_t object, metadata, hold;
};
/// The object that a weak variable refers to, its class, and what `crerender_remember` gives for it; zeros if it has ended.
struct crerender_weak crerender_remember_weak(uintptr_t variable, size_t limit);

/// Copies an object's bytes while another thread may write them: each word is one that was there, or a part of two.
void crerender_copy_racing(void *copy, const void *object, size_t size);
/// Whether an object's bytes are those of a copy, while another thread may write them.
bool crerender_equals_racing(const void *copy, const void *object, size_t size);

struct crerender_error {
    uintptr_t value, type, conformance;
};
/// What an error's box holds. Nothing is retained.
struct crerender_error crerender_error_value(uintptr_t box);

#pragma GCC visibility pop

#endif
