// SPDX-License-Identifier: MIT
// Which loaded file an address belongs to, as the dynamic loader knows it; works in static executables, too.
#define _GNU_SOURCE
#include "CRerender.h"

#include <link.h>
#include <string.h>

struct search {
    uintptr_t address;
    struct crerender_image *image;
    char *path;
    size_t capacity;
    int position;
};

/// More is not needed: the headers and the first tables hold the segments' sizes and, if there is one, the build's ID.
enum { HEAD_MAX = 4096 };

uint64_t crerender_fingerprint(const void *bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325, word;
    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, (const char *)bytes + at, sizeof word);
        hash = (hash ^ word) * 0x100000001b3;
        hash ^= hash >> 29;
    }
    return hash;
}

/// Read here, under the loader's lock, because afterwards the file may be unloaded.
static void note_head(const struct dl_phdr_info *info, struct crerender_image *image) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_offset != 0 || !(segment->p_flags & PF_R)) continue;
        image->head_size = segment->p_filesz < HEAD_MAX ? segment->p_filesz : HEAD_MAX;
        image->fingerprint =
            crerender_fingerprint((const void *)(info->dlpi_addr + segment->p_vaddr), image->head_size);
        return;
    }
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    struct search *search = context;
    // The program itself is the first and has no name.
    bool is_program = search->position++ == 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || search->address < start || search->address - start >= segment->p_memsz)
            continue;
        const char *path = is_program ? "/proc/self/exe" : info->dlpi_name;
        size_t length = strlen(path);
        if (length >= search->capacity) return 0;
        memcpy(search->path, path, length + 1);
        search->image->bias = info->dlpi_addr;
        if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
            search->image->unloads = info->dlpi_subs;
        note_head(info, search->image);
        return 1;
    }
    return 0;
}

bool crerender_find_image(uintptr_t address, struct crerender_image *image, char *path, size_t capacity) {
    *image = (struct crerender_image){0};
    struct search search = {.address = address, .image = image, .path = path, .capacity = capacity};
    return dl_iterate_phdr(visit, &search) == 1;
}

static int note_unloads(struct dl_phdr_info *info, size_t size, void *context) {
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(uint64_t *)context = info->dlpi_subs;
    return 1;
}

uint64_t crerender_unloads(void) {
    uint64_t unloads = 0;
    dl_iterate_phdr(note_unloads, &unloads);
    return unloads;
}
