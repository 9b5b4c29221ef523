// SPDX-License-Identifier: MIT
// Looks at a thread that hangs: what it does, in words, and its stack (see `sample.c`), with the names of its functions.

import CRerender
import Glibc
import RerenderModel
import RerenderWire

/// Tells what a thread does, with its stack: that of one that is blocked always, for nothing is done to it, and that of one that runs
/// while stacks are switched on. One thread of ours has it.
package struct HangStacks: ~Copyable {
    /// Whether `RERENDER_HANG_STACKS=1` holds.
    static let isInEnvironment = environmentVariable("RERENDER_HANG_STACKS") == "1"

    /// How long a look waits for the stack of a thread that runs, in nanoseconds.
    private let patience: UInt64
    /// Whether stacks are switched on.
    private(set) var isOn = false
    private var symbolicator = Symbolicator(symbolName: ProcessSymbols.name(at:))
    private var names: [UInt: [String]] = [:]
    private var lastFaults: MajorFaults?
    /// How many files had been unloaded when the names were found: an address may be another file's since.
    private var unloads: UInt64 = 0
    /// Whether a thread that hung was seen to wait for an interpreter's lock: then a source may only have waited for it in other hangs, too.
    private var waitsForLocks = false

    package init() { self.init(patience: StoreLimits.stackNanoseconds) }

    package init(patience: UInt64) { self.patience = patience }

    /// Switches it on or off: the handler is there only while it is on, where there is a signal for it.
    package mutating func follow(_ isWanted: Bool) {
        guard isWanted != isOn else { return }
        isOn = isWanted
        if isWanted {
            _ = DescriptorTable.run { crerender_sampler_install() }
        } else {
            crerender_sampler_remove()
            names = [:]
        }
    }

    /// What the thread of a turn does, with its stack where that can be had. If that turn does not run any more, the answer has only the
    /// source that took more than half of it, or nothing where that is not known.
    mutating func sample(of loop: LoopRecord?, hang: UInt64, turn: UInt64) -> StackSample {
        if let sample = sampleNow(loop, hang: hang, turn: turn) { return sample }
        let source = waitsForLocks || loop == nil ? "" : Self.source(crerender_row_of_hang(turn))
        return StackSample(hang: hang, turn: turn, atNanoseconds: 0, frames: [], source: source)
    }

    private mutating func sampleNow(_ loop: LoopRecord?, hang: UInt64, turn: UInt64) -> StackSample? {
        guard let loop, let running = loop.runningTurn, running.number == turn, loop.threadID != 0 else { return nil }
        let row = crerender_row_running()
        let look = look(at: loop.threadID)
        if !look.lock.isEmpty { waitsForLocks = true }
        let now = MonotonicClock.now
        // What was seen after the turn would be of a thread that waits, or of another hang. The names of functions, which take long at
        // first, are found afterwards.
        guard look != Look(), loop.runningTurn?.number == turn, !loop.hasMoved else { return nil }
        let isSameRow = row == crerender_row_running()
        if isSameRow, row > 0, look.lock.isEmpty { LoopRows.addSample(look.addresses, of: Int(row) - 1) }
        if isSameRow { crerender_row_looked_at(turn, row) }
        var source = isSameRow ? Self.source(row) : ""
        if !look.lock.isEmpty { source = String(look.lock.prefix(utf8Bytes: WireLimits.stringBytes)) }
        return StackSample(
            hang: hang, turn: turn, atNanoseconds: now > running.startedAt ? now - running.startedAt : 0,
            frames: frames(of: look), activity: look.activity, holder: named(look.holder), source: source)
    }

    /// The source of a row that runs, in words; empty for none, and for those that share a row.
    private static func source(_ row: UInt32) -> String {
        guard row > 0, let rows = LoopLedger.shared.loop(WallClock())?.rows, row <= rows.count else { return "" }
        let found = rows[Int(row) - 1]
        guard found.kind != .others else { return "" }
        let words = found.place == nil ? found.words : found.function
        return String(words.prefix(utf8Bytes: WireLimits.stringBytes))
    }

    /// The functions on a thread's stack, innermost first; empty if it cannot be had. Looks up to three times, each time 20 ms
    /// for the stack, 30 ms for the processes with a file that is waited for, and what it takes to find the names.
    ///
    /// Of a thread that runs, only while stacks are switched on: of the main thread, or of the one that noted its stack last.
    package mutating func frames(of thread: Int32) -> [String] { named(look(at: thread).addresses) }

    /// What a thread does, in words.
    package mutating func activity(of thread: Int32) -> String { look(at: thread).activity }

    /// A thread at a moment when it ran.
    struct RunningStack {
        /// Its stack, innermost first; empty if it cannot be had.
        var addresses: [UInt]
        /// The row whose function ran; nil for none.
        var row: Int?
    }

    /// Takes the stack of a thread that runs, while stacks are switched on; nil where it does not run. Up to 40 ms; one that sleeps is only
    /// looked at. Safe: the call gets room for what it tells.
    func running(_ thread: Int32) -> RunningStack? {
        var wait = crerender_wait()
        let state = DescriptorTable.run { unsafe crerender_wait_of(thread, &wait) }
        guard isOn, state != CRERENDER_BLOCKED else { return nil }
        let sight = Self.sight(of: thread, nanoseconds: patience)
        guard sight.state != CRERENDER_BLOCKED else { return nil }
        let row = crerender_sampled_row()
        return RunningStack(addresses: sight.addresses, row: row == 0 ? nil : Int(row) - 1)
    }

    // MARK: One look

    /// A thread at one moment.
    private struct Look: Hashable {
        var activity = ""
        /// Its stack, innermost first.
        var addresses: [UInt] = []
        /// That of the thread that holds what it waits for.
        var holder: [UInt] = []
        /// What a hang is called in which it waits for an interpreter's lock; empty for other waits.
        var lock = ""
    }

    /// What is told is read piece by piece. So it is thrown away if one of the threads has run meanwhile: first all is read
    /// again, then only who holds the thread up, and then nothing but the system call itself.
    private static let depths = [WaitText.longestChain, WaitText.longestChain, 1]

    private mutating func look(at thread: Int32) -> Look {
        // Again, because at first the main thread may have blocked all signals for a moment.
        if isOn { _ = DescriptorTable.run { crerender_sampler_install() } }
        let faults = MajorFaults(of: thread)
        var look = Look()
        for depth in Self.depths {
            let seen = SeenThreads()
            seen.look(at: thread)
            let sight = Self.sight(of: thread, nanoseconds: isOn ? patience : 0)
            look = words(of: thread, sight, faults, depth: depth, seen)
            look.addresses = sight.addresses
            if sight.state != CRERENDER_BLOCKED || seen.areUnmoved { break }
            look.holder = []
            look.activity = WaitText.certain(sight.wait)
            if !look.lock.isEmpty { look.lock = HangCulprit.interpreterLock }
        }
        look.activity = String(look.activity.prefix(utf8Bytes: WireLimits.activityBytes))
        lastFaults = faults
        return look
    }

    private mutating func words(
        of thread: Int32, _ sight: Sight, _ faults: MajorFaults, depth: Int, _ seen: SeenThreads
    ) -> Look {
        var look = Look()
        switch sight.state {
        case CRERENDER_RUNNING:
            look.activity = faults.isMore(than: lastFaults) ? "runs, with major page faults in between" : "runs"
        case CRERENDER_BLOCKED where sight.wait.call < 0:
            look.activity = WaitText.stop(of: thread) ?? faults.wait(since: lastFaults)
            // A page fault has no arguments that could be out of date.
            seen.forget(thread)
        case CRERENDER_BLOCKED:
            let text = WaitText(
                thread: thread, functions: Self.functions(sight.addresses),
                busPeer: MessageBusWait.peer(of: thread, on: sight.addresses), depth: depth, seen: seen,
                functionsOf: { Self.functions(Self.sight(of: $0, nanoseconds: 0).addresses) })
            look.activity = text.text(sight.wait)
            look.lock = text.lockName(sight.wait)
            if let holder = text.waitingHolder(of: sight.wait) {
                look.holder = Self.sight(of: holder, nanoseconds: 0).addresses
            }
        default: break
        }
        return look
    }

    /// What was seen of a thread.
    private struct Sight {
        var state = CRERENDER_UNKNOWN
        var wait = crerender_wait()
        var addresses: [UInt] = []
    }

    /// Safe: each call gets room of the size that it is told, and says how much of it it filled.
    private static func sight(of thread: Int32, nanoseconds: UInt64) -> Sight {
        var sight = Sight()
        sight.addresses = unsafe Array(unsafeUninitializedCapacity: WireLimits.framesPerStack) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            var found: UInt32 = 0
            let room = UInt32(buffer.count)
            let state = DescriptorTable.run {
                unsafe crerender_sample(thread, nanoseconds, &sight.wait, start, room, &found)
            }
            sight.state = state ?? CRERENDER_UNKNOWN
            count = Int(found)
        }
        return sight
    }

    /// Functions that decide what a lock is, and what is waited for in a loop of a library's own.
    private static let deciding = 16

    private static func functions(_ addresses: [UInt]) -> [String] {
        addresses.prefix(deciding).enumerated().map { position, address in
            let place = position == 0 ? address : address &- 1
            return "\(ProcessSymbols.name(at: place) ?? "") in \(LoadedFile(containing: place)?.name ?? "")"
        }
    }

    private mutating func frames(of look: Look) -> [String] {
        let frames = named(look.addresses)
        return look.activity == GLibMutex.wait ? GLibMutex.named(frames) : frames
    }

    private mutating func named(_ addresses: [UInt]) -> [String] {
        if unloads != LoadedFile.unloads {
            names = [:]
            unloads = LoadedFile.unloads
        }
        var frames: [String] = []
        for (position, address) in addresses.enumerated() {
            // The innermost is the instruction that runs; the others come after the call.
            for name in names(before: position == 0 ? address &+ 1 : address) {
                // A wrapper of Vala's compiler is no function of the program's source.
                if let inner = frames.last, ValaWrapper.isWrapper(frame: name, of: inner) { continue }
                if StackFrameText.isStandIn(name), frames.contains(where: StackFrameText.isStandIn) { continue }
                frames.append(name)
            }
            if frames.count >= WireLimits.framesPerStack { break }
        }
        return Array(frames.prefix(WireLimits.framesPerStack))
    }

    /// The functions at an address, as a stack shows them.
    private mutating func names(before address: UInt) -> [String] {
        if let known = names[address] { return known }
        let file = LoadedFile(containing: address &- 1)?.name
        let standIn = file.flatMap(StackFrameText.standIn(forFile:))
        let frames = standIn == nil ? symbolicator.frames(before: address) : []
        var found = standIn ?? Self.texts(frames, file: file)
        found = found.map { String($0.prefix(utf8Bytes: WireLimits.stringBytes)) }
        if names.count >= StoreLimits.stackNames { names = [:] }
        names[address] = found
        return found
    }

    /// Functions at one address, innermost first, without those of our own.
    static func texts(_ frames: [SymbolicFrame], file: String?) -> [String] {
        // The function itself, without what its compiler put into it, and without its place.
        if let file, StackFrameText.isSystem(file: file), let last = frames.last, last.script == nil {
            return ["\(WriterName.function(last)) in \(file)"]
        }
        if frames.isEmpty { return [file.map { "unknown in \($0)" } ?? "unknown"] }
        return frames.filter { !WriterName.isOwn($0) }.map { WriterName.text($0, file: file ?? "program") }
    }
}
