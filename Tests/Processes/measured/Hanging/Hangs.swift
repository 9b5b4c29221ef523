// SPDX-License-Identifier: MIT
// The hangs. Tests know the functions by name, and this file's lines by the words behind them.

import CAllocationCount
import CRerender
import Foundation
import Rerender
import Synchronization

/// Hangs in that way, says what came of it, and exits.
func hang(_ kind: String, label name: String) -> Never {
    switch kind {
    case "spin": start { expensiveBody() }
    case "read": start { blockedRead() }
    case "lock": blockedLock()
    case "masked": maskedBody()
    case "replaced": start { expensiveBody() }
    case "deep": start { deepBody(1_000) }
    case "thread": onAnotherThread()
    case "hole": onAStackWithAHole()
    case "tables": inCodeWithoutTables()
    case "loop": inTheMainLoop()
    case "exec": executeItself()
    case "executed": afterExecution()
    case "label": label(name)
    case "mixed": start { mixed() }
    default: timed(kind)
    }
    exit(EXIT_SUCCESS)
}

func start(_ body: () -> String) {
    say("ready")
    say(body())
}

@inline(never)
func expensiveBody() -> String {
    while sum == 0 { sum &+= callocation_count() + 1 }  // the first use of either allocates
    let before = callocation_count()
    while !isOver.load(ordering: .relaxed) { sum &+= 1 }  // spins here
    let allocated = callocation_count() - before
    return "over, \(allocated) allocated, \(appsHandlerRan.load(ordering: .relaxed)) handled"
}

@inline(never)
func blockedRead() -> String {
    var byte: UInt8 = 0
    let count = read(readEnd, &byte, 1)  // reads here
    return "read \(count) \(count < 0 ? errno : 0)"
}

@inline(never)
func waitForLock() -> String {
    lock.withLock { value in "locked \(value)" }  // waits here
}

func blockedLock() {
    let isHeld = Atomic<Bool>(false)
    Thread.detachNewThread {
        lock.withLock { value in
            isHeld.store(true, ordering: .relaxed)
            while !isOver.load(ordering: .relaxed) { usleep(1_000) }
            value = 7
        }
    }
    while !isHeld.load(ordering: .relaxed) { usleep(100) }
    start { waitForLock() }
}

func maskedBody() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    start { expensiveBody() }
    var waiting = sigset_t()
    sigpending(&waiting)
    if sigismember(&waiting, SIGURG) == 1 { say("it waits") }
}

func executeItself() {
    say("ready")
    while !isOver.load(ordering: .relaxed) { usleep(1_000) }
    let caught = UInt64(caught(), radix: 16) ?? 0
    var handled = sigset_t()
    // Those of faults are the runtime's.
    for number in Int32(16)..<64 where caught >> UInt64(number - 1) & 1 == 1 { sigaddset(&handled, number) }
    pthread_sigmask(SIG_BLOCK, &handled, nil)
    for number in Int32(16)..<64 where sigismember(&handled, number) == 1 { raise(number) }
    var arguments = [strdup("measured"), strdup("hang"), strdup("executed"), nil]
    execv("/proc/self/exe", &arguments)
    say("not executed")
}

func afterExecution() {
    var waiting = sigset_t()
    sigpending(&waiting)
    let isPending = (Int32(16)..<64).contains { sigismember(&waiting, $0) == 1 }
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    say(isPending ? "pending, and alive" : "none was pending")
}

@inline(never)
func deepBody(_ levels: Int) -> String {
    if levels == 0 { return expensiveBody() }
    let result = deepBody(levels - 1)
    sum &+= 1
    return result
}

func onAnotherThread() {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        hangingThread.store(crerender_note_stack(), ordering: .relaxed)
        start { expensiveBody() }
        isDone.signal()
    }
    isDone.wait()
}

func onAStackWithAHole() {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        hangingThread.store(crerender_note_stack(), ordering: .relaxed)
        var room = InlineArray<12_288, UInt8>(repeating: 0)
        withUnsafeMutableBytes(of: &room) { room in
            let first = UInt(bitPattern: room.baseAddress)
            let page = UnsafeMutableRawPointer(bitPattern: (first + 4_095) & ~4_095)
            mprotect(page, 4_096, PROT_NONE)
            start { expensiveBody() }
            mprotect(page, 4_096, PROT_READ | PROT_WRITE)
        }
        isDone.signal()
    }
    isDone.wait()
}

/// Runs for ever in code that has no unwind tables, and whose frame pointer leads to words of its own: among them is an address
/// in a function that is not called.
func inCodeWithoutTables() {
    let decoy = UInt(bitPattern: dlsym(nil, "qsort")) + 9
    // push %rbp; mov %rbp, %rax; sub $64, %rsp; lea 16(%rsp), %rbp; mov %rax, (%rbp); mov $decoy, %rcx; mov %rcx, 8(%rbp)
    let code: [UInt8] =
        [0x55, 0x48, 0x89, 0xe8, 0x48, 0x83, 0xec, 0x40, 0x48, 0x8d, 0x6c, 0x24, 0x10, 0x48, 0x89, 0x45, 0, 0x48, 0xb9]
        + (0..<8).map { UInt8(truncatingIfNeeded: decoy >> ($0 * 8)) }
        + [0x48, 0x89, 0x4d, 0x08, 0xeb, 0xfe]  // and to itself
    guard let page = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) else { return }
    memcpy(page, code, code.count)
    mprotect(page, 4_096, PROT_READ | PROT_EXEC)
    say("ready")
    unsafeBitCast(page, to: (@convention(c) () -> Void).self)()
}

/// A turn that hangs until "go", with a store that a daemon can ask.
func inTheMainLoop() {
    let store = RerenderStore(name: "main")
    _ = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: false) { _ in
        store.evaluate("Slow") { start { expensiveBody() } }
        exit(EXIT_SUCCESS)
    }
    RunLoop.main.run()
}
