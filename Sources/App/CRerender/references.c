// SPDX-License-Identifier: MIT
// Remembers references as unowned ones: the memory stays allocated, and the object ends when its owners release it.
#define _GNU_SOURCE
#include "references.h"

#include <malloc.h>
#include <stdlib.h>

// Swift's stable ABI.
extern void *swift_unownedRetain(void *), *swift_weakInit(void *, void *), *swift_weakLoadStrong(void *);
extern void swift_unownedRelease(void *), swift_weakDestroy(void *), swift_release(void *);
extern void swift_getErrorValue(const void *, void **, struct crerender_error *);

/// The low half of an object's counts is all ones where it was made by the compiler and lives for ever.
static bool is_immortal(uintptr_t object) { return (uint32_t)((const uint64_t *)object)[1] == UINT32_MAX; }

/// The metadata of a class begins with a zero; that of a closure's context or a box does not.
static bool is_class(uintptr_t object) { return **(const uint64_t *const *)object == 0; }

uintptr_t crerender_remember(uintptr_t object, size_t limit) {
    if (!object || is_immortal(object)) return 0;
    if (malloc_usable_size((void *)object) <= limit) return swift_unownedRetain((void *)object), object;
    if (!is_class(object)) return 1;
    void **reference = malloc(sizeof *reference);
    if (!reference) return 1;
    swift_weakInit(reference, (void *)object);
    return (uintptr_t)reference | 1;
}

void crerender_forget(uintptr_t hold) {
    if (hold <= 1) return;
    if (!(hold & 1)) {
        swift_unownedRelease((void *)hold);
        return;
    }
    swift_weakDestroy((void *)(hold & ~(uintptr_t)1));
    free((void *)(hold & ~(uintptr_t)1));
}

bool crerender_is_remembered(uintptr_t hold, uintptr_t object) {
    if (hold == 1 || !(hold & 1)) return true;
    return crerender_weak_target(hold & ~(uintptr_t)1) == object;
}

uintptr_t crerender_weak_target(uintptr_t variable) {
    void *object = swift_weakLoadStrong((void *)variable);
    if (object) swift_release(object);
    return (uintptr_t)object;
}

struct crerender_weak crerender_remember_weak(uintptr_t variable, size_t limit) {
    struct crerender_weak result = {0};
    void *object = swift_weakLoadStrong((void *)variable);
    if (!object) return result;
    result.object = (uintptr_t)object;
    result.metadata = *(const uintptr_t *)object;
    result.hold = crerender_remember(result.object, limit);
    swift_release(object);
    return result;
}

struct crerender_error crerender_error_value(uintptr_t box) {
    struct crerender_error result;
    void *scratch;
    swift_getErrorValue((const void *)box, &scratch, &result);
    return result;
}

__attribute__((no_sanitize("address", "thread"))) void crerender_copy_racing(void *copy, const void *object,
                                                                             size_t size) {
    volatile unsigned char *to = copy;
    const volatile unsigned char *from = object;
    for (size_t index = 0; index < size; index++) to[index] = from[index];
}

__attribute__((no_sanitize("address", "thread"))) bool crerender_equals_racing(const void *copy, const void *object,
                                                                               size_t size) {
    const volatile unsigned char *first = copy, *second = object;
    for (size_t index = 0; index < size; index++) {
        if (first[index] != second[index]) return false;
    }
    return true;
}
