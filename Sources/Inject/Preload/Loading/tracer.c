// SPDX-License-Identifier: MIT
// The program that loads the preloaded library into a process that runs: rerender-attach PID LIBRARY TEXT. x86-64 alone.
//
// It stops the main thread alone, where a call that waits (`poll` and its like) is about to be made, has the thread call `dlopen` and the
// library's entry, and then lets it make that call. Each call that it adds returns to a frame of a signal, so that the thread goes on by
// itself if this program is killed: the kernel puts the registers back then.
//
// The first stop interrupts no call with a time-out that would begin anew with its whole time: `epoll_wait`, `recv`. All that can be read
// is read before, and while the thread is stopped, the kernel stops it for few calls of the library's.
//
// It prints one line: `done MILLISECONDS` that the thread was stopped, or `refused WHY`.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/// How long the thread may take to come to its loop, and how long it is stopped for at most.
enum { LOOP_MILLISECONDS = 10000, STOP_MILLISECONDS = 100 };
/// Kernel's numbers that are no part of the C library's headers.
enum { RESTARTS_WITHOUT_HANDLER = 514, RESTARTS_BY_BLOCK = 516 };
enum { RED_ZONE = 128, TEXTS = 8192, WRITTEN = 2 * TEXTS, ROOM = 512 << 10, LOOK = 256 << 10, X87 = 512 };
/// Signals that a fault raises, a bit for each. All others wait while the thread calls something for us, but SIGURG: the library raises it
/// when it has done what takes many calls of the kernel. By default, a program ignores it.
#define FAULTS (1ull << SIGSEGV | 1ull << SIGBUS | 1ull << SIGILL | 1ull << SIGFPE | 1ull << SIGTRAP | 1ull << SIGSYS)

static pid_t process;
static const char *library;
/// The registers of the thread where it is about to wait.
static struct user_regs_struct kept;
/// Where the program's handlers of signals return to, and the call with which the kernel goes on by another number after a stop.
static uint64_t restorer, interrupted;
/// Whether another process sent the signal that the library raises.
static bool is_owed;

static _Noreturn void refuse(const char *why) {
    printf("refused %s\n", why);
    exit(1);
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// MARK: Its memory

static bool read_memory(uint64_t place, void *bytes, size_t count) {
    struct iovec own = {bytes, count}, other = {(void *)place, count};
    return process_vm_readv(process, &own, 1, &other, 1, 0) == (ssize_t)count;
}

static bool write_memory(uint64_t place, const void *bytes, size_t count) {
    struct iovec own = {(void *)(uintptr_t)bytes, count}, other = {(void *)place, count};
    return process_vm_writev(process, &own, 1, &other, 1, 0) == (ssize_t)count;
}

/// The parts of its memory that matter. Bases are 0 where a file is not there; the first is that of the last file that was read of.
struct map {
    uint64_t first, libc, code, code_end, preload, stack, stack_end;
};

static struct map known;

static struct map read_map(void) {
    struct map map = {0};
    char line[PATH_MAX + 128], path[64];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        uint64_t start, end, offset;
        char rights[5];
        if (sscanf(line, "%lx-%lx %4s %lx", &start, &end, rights, &offset) != 4) continue;
        const char *slash = strrchr(line, '/'), *name = slash ? slash + 1 : "";
        bool is_libc = !strncmp(name, "libc.so.6", 9) || !strncmp(name, "libc-2.", 7);
        if (strstr(line, "[stack]")) map.stack = start, map.stack_end = end;
        // What reads the symbols of a file has it mapped once more, without code. A second C library has a loader of its own.
        if (*name && offset == 0) map.first = start;
        if (rights[2] != 'x') continue;
        if (is_libc) map.libc = map.libc && map.libc != map.first ? UINT64_MAX : map.first;
        if (is_libc) map.code = start, map.code_end = end;
        if (!strncmp(name, "librerender-preload.so", 22)) map.preload = map.first;
    }
    if (file) fclose(file);
    return map;
}

/// A function that a loaded file has for others; 0 where it has none of that name. Nothing that is read is trusted.
static uint64_t function_of(uint64_t base, const char *name) {
    enum { SEGMENTS = 32, ENTRIES = 128, MOST = 8 << 20 };
    Elf64_Ehdr header;
    Elf64_Phdr segments[SEGMENTS];
    Elf64_Dyn entries[ENTRIES] = {{0}};
    if (!base || !read_memory(base, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG)) return 0;
    size_t count = header.e_phnum < SEGMENTS ? header.e_phnum : SEGMENTS;
    if (!read_memory(base + header.e_phoff, segments, count * sizeof *segments)) return 0;
    for (size_t index = 0; index < count; index++) {
        if (segments[index].p_type != PT_DYNAMIC) continue;
        size_t size = segments[index].p_memsz < sizeof entries ? segments[index].p_memsz : sizeof entries;
        if (!read_memory(base + segments[index].p_vaddr, entries, size)) return 0;
    }
    uint64_t symbols = 0, names = 0, length = 0, found = 0;
    for (size_t index = 0; index < ENTRIES && entries[index].d_tag != DT_NULL; index++) {
        // The loader has made addresses of most of these offsets.
        uint64_t value = entries[index].d_un.d_val, place = value < base ? value + base : value;
        if (entries[index].d_tag == DT_SYMTAB) symbols = place;
        if (entries[index].d_tag == DT_STRTAB) names = place;
        if (entries[index].d_tag == DT_STRSZ) length = value;
    }
    // Linkers put the names behind the symbols.
    if (!symbols || names <= symbols || names - symbols > MOST || !length || length > MOST) return 0;
    size_t size = names - symbols;
    char *bytes = malloc(size + length);
    if (bytes && read_memory(symbols, bytes, size + length)) {
        bytes[size + length - 1] = 0;
        for (const Elf64_Sym *symbol = (void *)bytes; (char *)(symbol + 1) <= bytes + size && !found; symbol++)
            if (symbol->st_shndx != SHN_UNDEF && symbol->st_name < length &&
                !strcmp(bytes + size + symbol->st_name, name))
                found = base + symbol->st_value;
    }
    free(bytes);
    return found;
}

/// The code that a handler of a signal returns to, which asks the kernel to put the registers back. It has no name.
static uint64_t find_restorer(const struct map *map) {
    static const unsigned char code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    size_t size = map->code_end - map->code;
    unsigned char *bytes = size < 64 << 20 ? malloc(size) : NULL;
    unsigned char *found = bytes && read_memory(map->code, bytes, size) ? memmem(bytes, size, code, sizeof code) : NULL;
    uint64_t place = found ? map->code + (uint64_t)(found - bytes) : 0;
    free(bytes);
    return place;
}

// MARK: Before the stop

/// 441 is `epoll_pwait2`, which older headers do not have.
static bool is_of_epoll(uint64_t call) { return call == SYS_epoll_wait || call == SYS_epoll_pwait || call == 441; }

static bool waits(uint64_t call) { return call == SYS_poll || call == SYS_ppoll || is_of_epoll(call); }

/// What the kernel has in a file about the thread; empty where that cannot be read.
static const char *told(const char *name) {
    static char path[64], text[64 << 10];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    text[size > 0 ? size : 0] = 0;
    if (file >= 0) close(file);
    return text;
}

/// Whether the thread runs, or waits in its loop so that the kernel keeps until when. Interrupted, `epoll_wait` would begin anew.
static bool can_be_interrupted(void) {
    uint64_t call, all[4];
    if (sscanf(told("syscall"), "%lu %lx %lx %lx %lx", &call, &all[0], &all[1], &all[2], &all[3]) < 5) return true;
    if (is_of_epoll(call)) return call == 441 ? !all[3] : (int)all[3] < 0;
    return waits(call) || call == SYS_restart_syscall;
}

/// Waits until an interruption makes no call longer: a call that began within the last millisecond may begin anew.
static void wait_for_moment(int64_t deadline) {
    unsigned long before = ULONG_MAX, waited = ULONG_MAX;
    for (; milliseconds() < deadline; before = waited, usleep(1000)) {
        sscanf(strstr(told("status"), "\nvoluntary_") ?: "", "\nvoluntary_ctxt_switches: %lu", &waited);
        if ((before != ULONG_MAX && waited != before) || can_be_interrupted()) return;
    }
    refuse("hangs");
}

// MARK: Stops

static void rang(int number) { (void)number; }

/// Waits for the next stop, and ends this program where the process is gone. False when the time is over.
static bool wait_for_stop(int *status, int64_t deadline) {
    while (waitpid(process, status, __WALL) < 0) {
        if (errno != EINTR) refuse("gone");
        if (milliseconds() >= deadline) return false;
    }
    if (!WIFSTOPPED(*status)) refuse("gone");
    // Another thread may have begun another program: what was read is of the former one.
    if (*status >> 16 == PTRACE_EVENT_EXEC) refuse("exec");
    return true;
}

static void go_on(int number) { ptrace(PTRACE_SYSCALL, process, NULL, (void *)(uintptr_t)number); }

static bool is_call(int status) { return status >> 8 == (SIGTRAP | 0x80); }

/// The signal that the thread has got; 0 where it was stopped by something else.
static int signal_of(int status) { return status >> 16 || is_call(status) ? 0 : WSTOPSIG(status); }

/// Whether the thread itself is at fault for the signal. Another process may have sent it.
static bool is_fault(int number) {
    siginfo_t info = {0};
    return number < 32 && FAULTS >> number & 1 && !ptrace(PTRACE_GETSIGINFO, process, NULL, &info) && info.si_code > 0;
}

/// Whether the thread is stopped where it has begun a call of the kernel, and which one.
static bool is_entry(struct __ptrace_syscall_info *call) {
    long size = ptrace(PTRACE_GET_SYSCALL_INFO, process, (void *)sizeof *call, call);
    return size > 0 && call->op == PTRACE_SYSCALL_INFO_ENTRY;
}

/// Whether the thread is stopped in a call of its own stack, and outside of any handler of a signal.
static bool is_quiet(void) {
    struct rlimit limit;
    unsigned char code[2];
    if (!read_memory(kept.rip - 2, code, 2) || code[0] != 0x0f || code[1] != 0x05 || kept.cs != 0x33) return false;
    // The kernel makes the stack no larger for what another process writes.
    if (kept.rsp < known.stack + WRITTEN) known = read_map();
    if (kept.rsp < known.stack + WRITTEN || kept.rsp >= known.stack_end) return false;
    size_t used = known.stack_end - kept.rsp;
    if (prlimit(process, RLIMIT_STACK, NULL, &limit) || used + ROOM > limit.rlim_cur) return false;
    static uint64_t words[LOOK / sizeof(uint64_t)];
    size_t size = used < sizeof words ? used : sizeof words;
    if (!read_memory(kept.rsp, words, size)) return false;
    // What a handler returns to stands below the registers that the kernel kept.
    size_t selectors = 1 + offsetof(ucontext_t, uc_mcontext.gregs[REG_CSGSFS]) / sizeof *words;
    for (size_t index = 0; index + selectors < size / sizeof *words; index++)
        if (words[index] == restorer && (words[index + selectors] & 0xFFFF) == 0x33) return false;
    return true;
}

/// Whether a call that was interrupted has done nothing. Of `close` and of what changes files, that is not known.
static bool has_done_nothing(uint64_t call) {
    static const uint8_t calls[] = {SYS_read,    SYS_write,           SYS_recvfrom,     SYS_recvmsg,    SYS_sendto,
                                    SYS_sendmsg, SYS_accept,          SYS_semop,        SYS_semtimedop, SYS_msgrcv,
                                    SYS_msgsnd,  SYS_rt_sigtimedwait, SYS_io_getevents, SYS_readv,      SYS_writev};
    return waits(call) || call == SYS_accept4 || call == SYS_recvmmsg || call == SYS_splice ||
           (call < 256 && memchr(calls, (int)call, sizeof calls));
}

/// The kernel has interrupted a call, to stop the thread or for a signal. Most calls go on by themselves. Those that would tell the
/// program of it go on, too, unless a handler runs: without a tracer, a signal that is ignored interrupts none.
static void mend_interrupted(void) {
    struct user_regs_struct now;
    ptrace(PTRACE_GETREGS, process, NULL, &now);
    if ((int64_t)now.orig_rax < 0) return;
    if ((int64_t)now.rax == -RESTARTS_BY_BLOCK) interrupted = now.orig_rax;
    if ((int64_t)now.rax != -EINTR || !has_done_nothing(now.orig_rax)) return;
    now.rax = (uint64_t)-RESTARTS_WITHOUT_HANDLER;
    ptrace(PTRACE_SETREGS, process, NULL, &now);
}

/// Lets the thread run to where it is about to wait.
static void stop_at_loop(int64_t deadline) {
    struct __ptrace_syscall_info entry;
    bool was_there = false;
    for (int status; wait_for_stop(&status, deadline);) {
        if (!is_call(status)) mend_interrupted();
        if (milliseconds() >= deadline) break;
        if (is_entry(&entry)) {
            ptrace(PTRACE_GETREGS, process, NULL, &kept);
            if (kept.orig_rax != SYS_restart_syscall) interrupted = 0;
            // The kernel goes on with `poll`, whose arguments are still there.
            bool is_there = waits(kept.orig_rax) || interrupted == SYS_poll;
            if (is_there && is_quiet()) return;
            was_there |= is_there;
        }
        // One that was stopped by the user stays so.
        if (status >> 16 && WSTOPSIG(status) != SIGTRAP)
            ptrace(PTRACE_LISTEN, process, NULL, NULL);
        else
            go_on(signal_of(status));
    }
    refuse(was_there ? "busy" : "hangs");
}

// MARK: Calls

static uint64_t kept_mask, frame, texts;
static char extended[64 << 10];
static struct iovec kept_extended = {extended, sizeof extended};

/// Lets the thread go.
static void detach(int number) {
    ptrace(PTRACE_DETACH, process, NULL, (void *)(uintptr_t)number);
    if (is_owed) kill(process, SIGURG);
}

/// Puts all back, and lets the thread go. At the entry of a call, the kernel makes the thread's own call instead, so that a signal which
/// waited interrupts that. Elsewhere the thread makes it anew. The kernel keeps until when `poll` waits.
static void put_back(bool is_at_entry) {
    struct user_regs_struct now = kept;
    if (!is_at_entry) now.rip -= 2, now.rax = kept.orig_rax, now.orig_rax = UINT64_MAX;
    ptrace(PTRACE_SETREGSET, process, (void *)NT_X86_XSTATE, &kept_extended);
    ptrace(PTRACE_SETSIGMASK, process, (void *)sizeof kept_mask, &kept_mask);
    // Last: until here, the frame puts all back if this program is killed. A later attach must not take it for a handler's.
    ptrace(PTRACE_SETREGS, process, NULL, &now);
    write_memory(frame, &(uint64_t){0}, sizeof frame);
    detach(0);
}

/// Keeps what has to be put back, and writes the frame that the kernel puts it back from.
static bool keep(const char *text) {
    frame = ((kept.rsp - RED_ZONE - TEXTS - 2 * X87 - sizeof(ucontext_t) - sizeof(siginfo_t)) & ~63ull) - 8;
    texts = kept.rsp - RED_ZONE - TEXTS;
    uint64_t state = (texts - X87) & ~63ull;
    if (ptrace(PTRACE_GETSIGMASK, process, (void *)sizeof kept_mask, &kept_mask)) return false;
    if (ptrace(PTRACE_GETREGSET, process, (void *)NT_X86_XSTATE, &kept_extended)) return false;
    struct {
        uint64_t back;
        ucontext_t context;
    } written = {.back = restorer};
    uint64_t *all = (uint64_t *)written.context.uc_mcontext.gregs;
    all[REG_R8] = kept.r8, all[REG_R9] = kept.r9, all[REG_R10] = kept.r10, all[REG_R12] = kept.r12;
    all[REG_R13] = kept.r13, all[REG_R14] = kept.r14, all[REG_R15] = kept.r15, all[REG_RDI] = kept.rdi;
    all[REG_RSI] = kept.rsi, all[REG_RBP] = kept.rbp, all[REG_RBX] = kept.rbx, all[REG_RDX] = kept.rdx;
    all[REG_RAX] = kept.orig_rax == SYS_restart_syscall ? SYS_poll : kept.orig_rax;
    all[REG_RSP] = kept.rsp, all[REG_RIP] = kept.rip - 2, all[REG_EFL] = kept.eflags;
    all[REG_CSGSFS] = kept.cs | kept.ss << 48;
    written.context.uc_mcontext.fpregs = (void *)state;
    written.context.uc_flags = 6;
    // No such mode: the kernel leaves the stack of handlers as it is.
    written.context.uc_stack.ss_flags = 0x55;
    memcpy(&written.context.uc_sigmask, &kept_mask, sizeof kept_mask);
    // Behind the numbers of the processor's older state is what says that a newer one follows. None does.
    char older[X87] = {0};
    memcpy(older, extended, X87 - 48);
    size_t path = strlen(library) + 1;
    return write_memory(frame, &written, sizeof written) && write_memory(state, older, sizeof older) &&
           write_memory(texts, library, path) && write_memory(texts + path, text, strlen(text) + 1);
}

/// Goes from the entry of a call of the kernel to its end, without what the call would do. It does not wait.
static void skip_call(void) {
    // The same call with arguments that the kernel refuses at once, of each of them: a filter of calls lets it pass.
    struct user_regs_struct now = kept;
    if (!waits(kept.orig_rax)) now.orig_rax = SYS_poll;
    now.rdi = (uint64_t)-4096, now.rsi = 1, now.rdx = now.r10 = now.r8 = 0;
    // If this program is killed, the thread must not see what the call returns, and its signals must not wait for ever.
    now.rip = restorer, now.rsp = frame + sizeof restorer;
    ptrace(PTRACE_SETREGS, process, NULL, &now);
    ptrace(PTRACE_SETSIGMASK, process, (void *)sizeof(uint64_t), &(uint64_t){~(FAULTS >> 1)});
    int status;
    do go_on(0);
    while (wait_for_stop(&status, INT64_MAX) && !is_call(status));
}

/// Whether the library has raised the signal itself.
static bool is_done(void) {
    siginfo_t info = {0};
    is_owed |= ptrace(PTRACE_GETSIGINFO, process, NULL, &info) == 0 && info.si_code != SI_TKILL;
    return info.si_code == SI_TKILL;
}

/// Has the thread call a function. It is stopped at the entry of a call of the kernel before and after that. Its signals wait, except
/// those that a fault raises, SIGSTOP and that of the library. Where the function does not return in time, the thread is let go, and ends
/// the call by itself: it waits for something that another thread has.
///
/// - Parameter way: How the thread goes on until the library raises its signal: stopped for each call of the kernel, or for none. Each stop
///   lasts until the processor comes to this program.
static void call(uint64_t function, uint64_t first, uint64_t second, int way, int64_t deadline) {
    skip_call();
    ptrace(PTRACE_SETSIGMASK, process, (void *)sizeof(uint64_t), &(uint64_t){~((FAULTS | 1ull << SIGURG) >> 1)});
    struct user_regs_struct now = kept;
    now.rip = function, now.rsp = frame, now.rdi = first, now.rsi = second, now.rax = 0, now.orig_rax = UINT64_MAX;
    ptrace(PTRACE_SETREGS, process, NULL, &now);
    int status, number = 0;
    while (milliseconds() < deadline) {
        ptrace(way, process, NULL, (void *)(uintptr_t)number);
        if (!wait_for_stop(&status, deadline)) {
            ptrace(PTRACE_INTERRUPT, process, NULL, NULL);
            if (!wait_for_stop(&status, deadline + LOOP_MILLISECONDS)) break;
        }
        number = signal_of(status);
        if (is_fault(number)) put_back(false), refuse("fault");
        if (number == SIGURG) way = is_done() ? PTRACE_SYSCALL : way, number = 0;
        struct __ptrace_syscall_info made;
        if (is_entry(&made) && made.entry.nr == SYS_rt_sigreturn && made.stack_pointer == frame + sizeof frame) return;
    }
    detach(number);
    refuse("slow");
}

/// - Parameter entry: The library's; 0 where it is not loaded. One that was loaded before may raise no signal.
static void load(const char *text, uint64_t open, uint64_t entry) {
    int64_t start = milliseconds(), deadline = start + STOP_MILLISECONDS;
    int way = entry ? PTRACE_SYSCALL : PTRACE_CONT;
    if (!keep(text)) refuse("memory");
    if (!entry) {
        call(open, texts, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE, PTRACE_SYSCALL, deadline);
        entry = function_of(read_map().preload, "rerender_preload_attach");
    }
    if (entry) call(entry, texts + strlen(library) + 1, 0, way, deadline);
    // Detached at its entry, such a call would find that the tracer has woken its thread, and return: the thread makes it anew.
    bool is_anew = is_of_epoll(kept.orig_rax);
    if (is_anew) skip_call();
    put_back(!is_anew);
    if (!entry) refuse("load");
    printf("done %ld\n", (long)(milliseconds() - start));
}

/// Whether the process finds a file by the same path.
static bool sees(const char *file) {
    char path[PATH_MAX];
    struct stat own, other;
    snprintf(path, sizeof path, "/proc/%d/root%s", (int)process, file);
    return !stat(file, &own) && !stat(path, &other) && own.st_ino == other.st_ino && own.st_dev == other.st_dev;
}

int main(int count, char **arguments) {
    if (count != 4 || arguments[2][0] != '/' || strlen(arguments[2]) + strlen(arguments[3]) + 2 > TEXTS)
        refuse("usage");
    char path[64];
    process = atoi(arguments[1]);
    library = arguments[2];
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = rang}, NULL);
    ualarm(10000, 10000);
    int64_t deadline = milliseconds() + LOOP_MILLISECONDS;
    struct map before = read_map();
    uint64_t open = function_of(before.libc, "dlopen"), entry = function_of(before.preload, "rerender_preload_attach");
    restorer = find_restorer(&before);
    wait_for_moment(deadline);
    // The thread alone that has the number of the process.
    if (ptrace(PTRACE_SEIZE, process, NULL, (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC)))
        refuse(errno == ESRCH || strstr(told("status"), "\nState:\tZ") ? "gone" : "ptrace");
    // As root, for the user who asked for it. From now on, no other process can get that number.
    const char *user = getenv("SUDO_UID");
    struct stat owner;
    snprintf(path, sizeof path, "/proc/%d", (int)process);
    if (user && geteuid() == 0 && (stat(path, &owner) || owner.st_uid != (uid_t)atol(user))) refuse("user");
    known = read_map();
    // What was read is another program's, or another process's.
    if (known.libc != before.libc || known.code != before.code) refuse("exec");
    if (!known.libc) refuse(known.first ? "static" : "gone");
    if (!sees(library) || !sees(arguments[3])) refuse("elsewhere");
    if (!open || !restorer) refuse("libc");
    if (ptrace(PTRACE_INTERRUPT, process, NULL, NULL)) refuse("gone");
    stop_at_loop(deadline);
    load(arguments[3], open, entry);
    return 0;
}
