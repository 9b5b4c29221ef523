// SPDX-License-Identifier: MIT
// The program that loads the preloaded library into a process that runs: rerender-attach PID LIBRARY TEXT. x86-64 alone.
//
// It stops the main thread alone, where a call that waits (`poll` and its like) is about to be made, has the thread call `dlopen` and the
// library's entry, and then lets it make that call. Each call that it adds returns to a frame of a signal, so that the thread goes on by
// itself if this program is killed: the kernel puts the registers back then. So it just ends when its time is over.
//
// The first stop interrupts no call with a time-out that would begin anew with its whole time: `epoll_wait`, `recv`. All that can be read
// is read before, and while the thread is stopped, the kernel stops it for few calls of the library's.
//
// It prints one line: `done MILLISECONDS` that the thread was stopped, or `refused WHY`.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
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

/// How long the thread may take to come to its loop, and how long it is stopped for at most. Told in whole milliseconds of a clock, rounded
/// up, and with the moment before that the time is not taken of, the stop is at most 100.
enum { LOOP_SECONDS = 10, STOP_MICROSECONDS = 98000 };
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
/// How many signals came of that which the library raises, and how many it has raised. More are another process's.
static int urgent, raised;
/// What was read of the process last.
static _Alignas(Elf64_Sym) char room[8 << 20];

/// The line that it prints when the time is over. Whenever this program ends, the thread goes on by itself.
static const char *over = "refused hangs\n";

static void end_late(int number) {
    (void)number;
    if (urgent > raised) kill(process, SIGURG);
    _exit(write(STDOUT_FILENO, over, strlen(over)) < 0 ? 2 : 1);
}

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

/// What the kernel has in a file about the process; empty where that cannot be read.
static char *told(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    FILE *file = fopen(path, "re");
    room[file ? fread(room, 1, sizeof room - 1, file) : 0] = 0;
    if (file) fclose(file);
    return room;
}

/// The parts of its memory that matter. Bases are 0 where a file is not there; the first is that of the last file that was read of.
struct map {
    uint64_t first, libc, code, code_end, preload, stack, stack_end;
};

static struct map known;

static struct map read_map(void) {
    struct map map = {0};
    for (char *line = strtok(told("maps"), "\n"); line; line = strtok(NULL, "\n")) {
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
    return map;
}

/// A function that a loaded file has for others; 0 where it has none of that name. Nothing that is read is trusted.
static uint64_t function_of(uint64_t base, const char *name) {
    enum { SEGMENTS = 32, ENTRIES = 128 };
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
    uint64_t symbols = 0, names = 0, length = 0;
    for (size_t index = 0; index < ENTRIES && entries[index].d_tag != DT_NULL; index++) {
        // The loader has made addresses of most of these offsets.
        uint64_t value = entries[index].d_un.d_val, place = value < base ? value + base : value;
        if (entries[index].d_tag == DT_SYMTAB) symbols = place;
        if (entries[index].d_tag == DT_STRTAB) names = place;
        if (entries[index].d_tag == DT_STRSZ) length = value;
    }
    // Linkers put the names behind the symbols.
    size_t size = names - symbols;
    if (!symbols || names <= symbols || size > sizeof room || !length || length > sizeof room - size) return 0;
    if (!read_memory(symbols, room, size + length)) return 0;
    room[size + length - 1] = 0;
    for (const Elf64_Sym *symbol = (void *)room; (char *)(symbol + 1) <= room + size; symbol++)
        if (symbol->st_shndx != SHN_UNDEF && symbol->st_name < length && !strcmp(room + size + symbol->st_name, name))
            return base + symbol->st_value;
    return 0;
}

/// The code that a handler of a signal returns to, which asks the kernel to put the registers back. It has no name.
static uint64_t find_restorer(const struct map *map) {
    static const unsigned char code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    size_t size = map->code_end - map->code;
    if (size > sizeof room || !read_memory(map->code, room, size)) return 0;
    char *found = memmem(room, size, code, sizeof code);
    return found ? map->code + (uint64_t)(found - room) : 0;
}

// MARK: Before the stop

static bool is_of_epoll(uint64_t call) { return call == SYS_epoll_wait || call == SYS_epoll_pwait; }

static bool waits(uint64_t call) { return call == SYS_poll || call == SYS_ppoll || is_of_epoll(call); }

/// Whether the thread runs, or waits in its loop so that the kernel keeps until when. Interrupted, `epoll_wait` would begin anew.
static bool can_be_interrupted(void) {
    uint64_t call, all[4];
    if (sscanf(told("syscall"), "%lu %lx %lx %lx %lx", &call, &all[0], &all[1], &all[2], &all[3]) < 5) return true;
    return is_of_epoll(call) ? (int)all[3] < 0 : waits(call) || call == SYS_restart_syscall;
}

/// Waits until an interruption makes no call longer: a call that began within the last millisecond may begin anew.
static void wait_for_moment(void) {
    unsigned long before = ULONG_MAX, waited = ULONG_MAX;
    for (;; before = waited, usleep(1000)) {
        sscanf(strstr(told("status"), "\nvoluntary_") ?: "", "\nvoluntary_ctxt_switches: %lu", &waited);
        if ((before != ULONG_MAX && waited != before) || can_be_interrupted()) return;
    }
}

// MARK: Stops

/// Waits for the next stop, and ends this program where the process is gone.
static int next_stop(void) {
    int status;
    if (waitpid(process, &status, __WALL) < 0 || !WIFSTOPPED(status)) refuse("gone");
    // Another thread may have begun another program: what was read is of the former one.
    if (status >> 16 == PTRACE_EVENT_EXEC) refuse("exec");
    return status;
}

static bool is_call(int status) { return status >> 8 == (SIGTRAP | 0x80); }

/// The signal that the thread has got; 0 where it was stopped by something else.
static int signal_of(int status) { return status >> 16 || is_call(status) ? 0 : WSTOPSIG(status); }

/// Whether the thread itself is at fault for the signal. Another process may have sent it.
static bool is_fault(int number) {
    siginfo_t info = {0};
    return number < 32 && FAULTS >> number & 1 && !ptrace(PTRACE_GETSIGINFO, process, NULL, &info) && info.si_code > 0;
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

/// The kernel has interrupted a call, to stop the thread or for a signal. Most calls go on by themselves. Those that would tell the
/// program of it go on, too, unless a handler runs: without a tracer, a signal that is ignored interrupts none. `close` is left
/// as it is: it has closed the file.
static void mend_interrupted(void) {
    if ((int64_t)kept.orig_rax < 0) return;
    if ((int64_t)kept.rax == -RESTARTS_BY_BLOCK) interrupted = kept.orig_rax;
    if ((int64_t)kept.rax != -EINTR || kept.orig_rax == SYS_close) return;
    kept.rax = (uint64_t)-RESTARTS_WITHOUT_HANDLER;
    ptrace(PTRACE_SETREGS, process, NULL, &kept);
}

/// Lets the thread run to where it is about to wait.
static void stop_at_loop(void) {
    for (;;) {
        int status = next_stop();
        ptrace(PTRACE_GETREGS, process, NULL, &kept);
        if (!is_call(status)) mend_interrupted();
        // So the kernel begins each call.
        if (is_call(status) && (int64_t)kept.rax == -ENOSYS) {
            if (kept.orig_rax != SYS_restart_syscall) interrupted = 0;
            // The kernel goes on with `poll`, whose arguments are still there.
            bool is_there = waits(kept.orig_rax) || interrupted == SYS_poll;
            if (is_there && is_quiet()) return;
            if (is_there) over = "refused busy\n";
        }
        // One that was stopped by the user stays so.
        int way = status >> 16 && WSTOPSIG(status) != SIGTRAP ? PTRACE_LISTEN : PTRACE_SYSCALL;
        ptrace(way, process, NULL, (void *)(uintptr_t)signal_of(status));
    }
}

// MARK: Calls

static uint64_t kept_mask, frame, texts;
static char extended[64 << 10];
static struct iovec kept_extended = {extended, sizeof extended};

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
    ptrace(PTRACE_DETACH, process, NULL, NULL);
    if (urgent > raised) kill(process, SIGURG);
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
    do ptrace(PTRACE_SYSCALL, process, NULL, NULL);
    while (!is_call(next_stop()));
}

/// Has the thread call a function. It is stopped at the entry of a call of the kernel before and after that. Its signals wait, except
/// those that a fault raises, SIGSTOP and that of the library. Where the function does not return in time, the thread waits for something
/// that another one has: this program ends, and the thread ends the call by itself.
///
/// - Parameter way: How the thread goes on until the library raises its signal: stopped for each call of the kernel, or for none. Each stop
///   lasts until the processor comes to this program.
static void call(uint64_t function, uint64_t first, uint64_t second, int way) {
    skip_call();
    ptrace(PTRACE_SETSIGMASK, process, (void *)sizeof(uint64_t), &(uint64_t){~((FAULTS | 1ull << SIGURG) >> 1)});
    struct user_regs_struct now = kept;
    now.rip = function, now.rsp = frame, now.rdi = first, now.rsi = second, now.rax = 0, now.orig_rax = UINT64_MAX;
    ptrace(PTRACE_SETREGS, process, NULL, &now);
    for (int number = 0;;) {
        ptrace(way, process, NULL, (void *)(uintptr_t)number);
        number = signal_of(next_stop());
        if (is_fault(number)) put_back(false), refuse("fault");
        if (number == SIGURG) way = PTRACE_SYSCALL, number = 0, urgent++;
        ptrace(PTRACE_GETREGS, process, NULL, &now);
        if (now.orig_rax == SYS_rt_sigreturn && now.rsp == frame + sizeof frame) return;
    }
}

/// - Parameter entry: The library's; 0 where it is not loaded. One that was loaded before may raise no signal.
static void load(const char *text, uint64_t open, uint64_t entry) {
    int64_t start = milliseconds();
    int way = entry ? PTRACE_SYSCALL : PTRACE_CONT;
    over = "refused slow\n";
    ualarm(STOP_MICROSECONDS, 0);
    if (!keep(text)) refuse("memory");
    if (!entry) {
        call(open, texts, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE, PTRACE_SYSCALL);
        entry = function_of(read_map().preload, "rerender_preload_attach");
    }
    if (entry) call(entry, texts + strlen(library) + 1, 0, way), raised = 1;
    // Detached at its entry, such a call would find that the tracer has woken its thread, and return: the thread makes it anew.
    bool is_anew = is_of_epoll(kept.orig_rax);
    if (is_anew) skip_call();
    // What follows waits for nothing, and the timer must not call it too slow.
    alarm(0), put_back(!is_anew);
    int64_t stopped = milliseconds() - start;
    if (!entry) refuse("load");
    printf("done %ld\n", (long)stopped);
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
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = end_late}, NULL);
    alarm(LOOP_SECONDS);
    struct map before = read_map();
    uint64_t open = function_of(before.libc, "dlopen"), entry = function_of(before.preload, "rerender_preload_attach");
    restorer = find_restorer(&before);
    wait_for_moment();
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
    if (!sees(library) || !sees(arguments[3])) refuse("elsewhere");
    if (!open || !restorer) refuse("libc");
    if (ptrace(PTRACE_INTERRUPT, process, NULL, NULL)) refuse("gone");
    stop_at_loop();
    load(arguments[3], open, entry);
    return 0;
}
