// SPDX-License-Identifier: MIT
// Reads and writes the tables of imports of a file that is loaded.

#define _GNU_SOURCE
#include "CImports.h"

#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { SLOT = R_X86_64_JUMP_SLOT, ADDRESS = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { SLOT = R_AARCH64_JUMP_SLOT, ADDRESS = R_AARCH64_GLOB_DAT };
#else
enum { SLOT = -1, ADDRESS = -1 };
#endif

/// What a file says of the names that it needs.
struct tables {
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * calls, *others;
    size_t call_bytes, other_bytes;
};

/// The loader has added the file's address to these already.
static void read_dynamic(const ElfW(Dyn) * entry, struct tables *tables) {
    for (; entry->d_tag != DT_NULL; entry++) switch (entry->d_tag) {
        case DT_SYMTAB: tables->symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: tables->names = (const void *)entry->d_un.d_ptr; break;
        case DT_JMPREL: tables->calls = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: tables->call_bytes = entry->d_un.d_val; break;
        case DT_RELA: tables->others = (const void *)entry->d_un.d_ptr; break;
        case DT_RELASZ: tables->other_bytes = entry->d_un.d_val; break;
        default: break;
        }
}

void cimports_each(const struct dl_phdr_info *file, const char *name,
                   void (*visit)(const struct dl_phdr_info *file, void **place, void *context), void *context) {
    struct tables tables = {0};
    for (int index = 0; index < file->dlpi_phnum; index++)
        if (file->dlpi_phdr[index].p_type == PT_DYNAMIC)
            read_dynamic((const void *)(file->dlpi_addr + file->dlpi_phdr[index].p_vaddr), &tables);
    if (!tables.symbols || !tables.names) return;
    const struct {
        const ElfW(Rela) * table;
        size_t count;
    } both[] = {{tables.calls, tables.calls ? tables.call_bytes / sizeof *tables.calls : 0},
                {tables.others, tables.others ? tables.other_bytes / sizeof *tables.others : 0}};
    for (size_t part = 0; part < sizeof both / sizeof *both; part++)
        for (size_t index = 0; index < both[part].count; index++) {
            const ElfW(Rela) *entry = &both[part].table[index];
            int kind = (int)ELF64_R_TYPE(entry->r_info);
            if (kind != SLOT && kind != ADDRESS) continue;
            const ElfW(Sym) *symbol = &tables.symbols[ELF64_R_SYM(entry->r_info)];
            if (strcmp(tables.names + symbol->st_name, name) != 0) continue;
            visit(file, (void **)(file->dlpi_addr + entry->r_offset), context);
        }
}

static bool is_in_part(const struct dl_phdr_info *file, uintptr_t place, unsigned type) {
    for (int index = 0; index < file->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[index];
        uintptr_t low = file->dlpi_addr + part->p_vaddr;
        if (part->p_type == type && place >= low && place < low + part->p_memsz) return true;
    }
    return false;
}

bool cimports_is_in_file(const struct dl_phdr_info *file, const void *address) {
    return is_in_part(file, (uintptr_t)address, PT_LOAD);
}

/// Whether a page can be written now: the kernel adds 0 to a number in it, at once for all threads. False where it does not do that.
static bool is_writable(void *place) {
    uint32_t own = 0;
    int error = errno, adds_nothing = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0);
    long woken = syscall(SYS_futex, &own, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, 0, place, adds_nothing);
    errno = error;
    return woken >= 0;
}

void cimports_write(const struct dl_phdr_info *file, void **place, void *function) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), low = (uintptr_t)place & ~(page - 1);
    // In the part that the loader makes read-only when it has filled it.
    bool is_locked = is_in_part(file, (uintptr_t)place, PT_GNU_RELRO);
    // A thread that loads the file may still fill the page. It would not survive that the page is locked too early.
    bool is_filled = is_locked && !is_writable(place);
    if (is_locked && mprotect((void *)low, page, PROT_READ | PROT_WRITE) != 0) return;
    __atomic_store_n(place, function, __ATOMIC_RELEASE);
    if (is_filled) mprotect((void *)low, page, PROT_READ);
}
