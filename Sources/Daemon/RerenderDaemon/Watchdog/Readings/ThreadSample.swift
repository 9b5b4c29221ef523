// SPDX-License-Identifier: MIT
// A thread at one moment, parsed from its files in /proc.

/// The result of sampling a thread.
enum ThreadObservation: Hashable, Sendable {
    case sample(ThreadSample)
    /// There is no such thread, or it has ended.
    case gone
    /// The files could not be read or understood.
    case unknown
}

/// A thread at one moment.
struct ThreadSample: Hashable, Sendable {
    /// What it does, as far as the detector distinguishes it.
    enum RunState: Hashable, Sendable {
        /// On a processor, or waiting for one.
        case runnable
        case waiting
        /// By a signal, a debugger, or because its control group is frozen.
        case stopped
        case ended
    }

    var state: RunState
    /// Nanoseconds on a processor so far.
    var ran: UInt64
    /// Nanoseconds that it could have run and did not; added only when it gets a processor again.
    var queued: UInt64
    /// System call and wait channel while it waits, as far as they are known.
    var waitingOn: String?

    init(state: RunState, ran: UInt64, queued: UInt64, waitingOn: String? = nil) {
        self.state = state
        self.ran = ran
        self.queued = queued
        self.waitingOn = waitingOn
    }

    /// Reads `stat` and `schedstat`; nil if they are not what the kernel writes.
    init?(stat: [UInt8], schedstat: [UInt8]) {
        guard let letter = ProcessTable.field(3, inStat: stat)?.first, let state = RunState(letter: letter) else {
            return nil
        }
        let separators: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\n")]
        let numbers = schedstat.split { separators.contains($0) }
        guard numbers.count == 3, let ran = UInt64(String(decoding: numbers[0], as: UTF8.self)),
            let queued = UInt64(String(decoding: numbers[1], as: UTF8.self))
        else { return nil }
        self.init(state: state, ran: ran, queued: queued)
    }

    /// What the thread waits on, in the words of `syscall` and `wchan`; nil if neither says anything.
    static func waitingOn(syscall: [UInt8], wchan: [UInt8]) -> String? {
        let call = syscall.split(separator: UInt8(ascii: " ")).first
            .flatMap { Int(String(decoding: $0, as: UTF8.self)) }.flatMap(SystemCall.name)
        let channel = Self.word(wchan)
        guard let channel else { return call }
        return call.map { "\($0) (\(channel))" } ?? channel
    }

    /// Whether a thread in this wait channel is stopped, because its control group is frozen (version 1 and 2).
    static func isFrozen(wchan: [UInt8]) -> Bool { ["__refrigerator", "do_freezer_trap"].contains(word(wchan)) }

    /// A wait channel's name; nil for the `0` that stands for none and for what cannot be one.
    private static func word(_ bytes: [UInt8]) -> String? {
        let text = bytes.prefix { $0 > 0x20 && $0 < 0x7F }
        guard !text.isEmpty, text.count <= 64, text.first != UInt8(ascii: "0") else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}

extension ThreadSample.RunState {
    fileprivate init?(letter: UInt8) {
        switch letter {
        case UInt8(ascii: "R"): self = .runnable
        case UInt8(ascii: "T"), UInt8(ascii: "t"): self = .stopped
        case UInt8(ascii: "Z"), UInt8(ascii: "X"), UInt8(ascii: "x"): self = .ended
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .waiting
        default: return nil
        }
    }
}
