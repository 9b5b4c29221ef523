// SPDX-License-Identifier: MIT
// A program's own definitions come before those of libraries, for the libraries too.
#include "CAllocationCount.h"

#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local uint64_t count;

uint64_t callocation_count(void) { return count; }

void *malloc(size_t size) { return count++, __libc_malloc(size); }
void *calloc(size_t items, size_t size) { return count++, __libc_calloc(items, size); }
void *realloc(void *old, size_t size) { return count++, __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return count++, __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
