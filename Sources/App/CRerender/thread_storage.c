// SPDX-License-Identifier: MIT
// Finds the calling thread's copies of the thread-local variables of a loaded file.
#define _GNU_SOURCE
#include "CRerender.h"

#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

struct search {
    uintptr_t address;
    void *storage;
    size_t size;
};

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    struct search *search = context;
    if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data) return 1;
    bool is_it = false;
    size_t storage_size = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_TLS) storage_size = segment->p_memsz;
        if (segment->p_type == PT_LOAD && search->address >= start && search->address - start < segment->p_memsz)
            is_it = true;
    }
    if (!is_it) return 0;
    search->storage = info->dlpi_tls_data;
    search->size = storage_size;
    return 1;
}

void *crerender_thread_storage(uintptr_t address, size_t *size) {
    struct search search = {.address = address};
    dl_iterate_phdr(visit, &search);
    *size = search.size;
    return search.storage;
}

_Thread_local int32_t crerender_this_thread_slot;

int32_t crerender_learn_this_thread(void) { return crerender_this_thread_slot = (int32_t)syscall(SYS_gettid); }

_Thread_local void **crerender_access_list_slot;

__attribute__((noinline)) uintptr_t crerender_stack_address(void) { return (uintptr_t)__builtin_frame_address(0); }
