// SPDX-License-Identifier: MIT
// Takes stacks of a thread that hangs (see `sample.c`), and names their functions.

import CRerender
import Glibc
import RerenderWire
import RerenderSymbols

/// Takes stacks while that is switched on; one thread of ours has it.
package struct HangStacks: ~Copyable {
    /// Whether `RERENDER_HANG_STACKS=1` holds.
    static let isInEnvironment = environmentVariable("RERENDER_HANG_STACKS") == "1"

    private var isOn = false
    private var symbolicator = Symbolicator(symbolName: ProcessSymbols.name(at:))
    private var names: [UInt: [String]] = [:]
    /// How many files had been unloaded when the names were found: an address may be another file's since.
    private var unloads: UInt64 = 0

    package init() {}

    /// Switches it on or off: the handler is there only while it is on, where there is a signal for it.
    package mutating func follow(_ isWanted: Bool) {
        guard isWanted != isOn else { return }
        isOn = isWanted
        if isWanted {
            _ = crerender_sampler_install()
        } else {
            crerender_sampler_remove()
            names = [:]
        }
    }

    /// The stack of a turn; nil if that turn does not run any more, or if the stack cannot be had.
    mutating func sample(of loop: LoopRecord, hang: UInt64, turn: UInt64) -> StackSample? {
        guard let running = loop.runningTurn, running.number == turn, loop.threadID != 0 else { return nil }
        let addresses = addresses(of: loop.threadID)
        let now = MonotonicClock.now
        // A stack that was taken after the turn would be that of a thread that waits, or of another hang.
        guard !addresses.isEmpty, loop.runningTurn?.number == turn, !loop.hasMoved else { return nil }
        return StackSample(
            hang: hang, turn: turn, atNanoseconds: now > running.startedAt ? now - running.startedAt : 0,
            frames: named(addresses))
    }

    /// The functions on a thread's stack, innermost first; empty if it cannot be had. At most 40 ms, and what it takes to
    /// find the names.
    ///
    /// Of the main thread, or of the one that noted its stack last.
    package mutating func frames(of thread: Int32) -> [String] {
        named(addresses(of: thread))
    }

    private func addresses(of thread: Int32) -> [UInt] {
        guard isOn else { return [] }
        // Again, because at first the main thread may have blocked all signals for a moment.
        _ = crerender_sampler_install()
        return unsafe Array(unsafeUninitializedCapacity: WireLimits.framesPerStack) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = unsafe Int(
                crerender_sample(thread, StoreLimits.stackNanoseconds, start, UInt32(buffer.count)))
        }
    }

    private mutating func named(_ addresses: [UInt]) -> [String] {
        if unloads != LoadedFile.unloads {
            names = [:]
            unloads = LoadedFile.unloads
        }
        var frames: [String] = []
        for (position, address) in addresses.enumerated() {
            // The innermost is the instruction that runs; the others come after the call.
            frames += names(before: position == 0 ? address &+ 1 : address)
            if frames.count >= WireLimits.framesPerStack { break }
        }
        return Array(frames.prefix(WireLimits.framesPerStack))
    }

    private mutating func names(before address: UInt) -> [String] {
        if let known = names[address] { return known }
        let file = LoadedFile(containing: address &- 1)?.name
        var found = symbolicator.frames(before: address).map { WriterName.text($0, file: file ?? "program") }
        if found.isEmpty { found = [file.map { "unknown in \($0)" } ?? "unknown"] }
        found = found.map { String($0.prefix(utf8Bytes: WireLimits.stringBytes)) }
        if names.count >= StoreLimits.stackNames { names = [:] }
        names[address] = found
        return found
    }
}
