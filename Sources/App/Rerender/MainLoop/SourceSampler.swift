// SPDX-License-Identifier: MIT
// Samples of what the main loop calls, where GLib calls it through tables of functions that cannot be changed, or a library calls it.

import CRerender

/// Takes samples of the main loop's thread while that is busy without input, and calls what no row has. The uplink's thread has it.
///
/// Nothing is due until the loop's thread has told of such seconds, so that an idle app is never woken for it. Each row of seconds is
/// sampled once.
struct SourceSampler {
    private var tally = SampleTally()
    private var files: [UInt: StackFile] = [:]
    /// An instruction in each function that samples told of: its row goes by that.
    private var places: [String: UInt] = [:]
    private var looks = 0
    /// When the latest samples began, and when the thread is looked at next; nil while none are under way.
    private var beganAt: UInt64 = 0
    private var nextAt: UInt64?

    /// Looks at the thread if it is time; returns when to call again, nil if there is nothing to sample.
    mutating func continueIfDue(at now: UInt64, _ stacks: borrowing HangStacks) -> UInt64? {
        guard stacks.isOn else {
            nextAt = nil
            return nil
        }
        if nextAt == nil { begin(at: now) }
        guard let due = nextAt, now >= due else { return nextAt }
        looks += 1
        let called = tally.called
        if let stack = stacks.running(crerender_account_thread()) { add(stack) }
        let isOver = looks.isMultiple(of: 100) && LoopAccount.sampledBegan(at: now) == nil
        guard !isOver, !tally.isDone, looks < StoreLimits.sampleLooks else {
            tell()
            return nil
        }
        nextAt =
            now + (tally.called > called ? StoreLimits.sampleNanoseconds : StoreLimits.sampleLookNanoseconds)
        return nextAt
    }

    private mutating func begin(at now: UInt64) {
        guard let began = LoopAccount.sampledBegan(at: now), began > beganAt else { return }
        (tally, files, looks) = (SampleTally(), [:], 0)
        (beganAt, nextAt) = (now, now)
    }

    private mutating func add(_ stack: HangStacks.RunningStack) {
        let places = LoopSample.places(stack.addresses)
        guard !places.isEmpty else { return tally.addNothing() }
        let files = places.map { file(of: $0) }
        tally.add(LoopSample(places, files, isInRow: stack.row != nil))
        guard let row = stack.row, LoopRows.callsOthers(row) else { return }
        LoopRows.addSample(LoopSample.callee(places, files), of: row)
    }

    private mutating func file(of place: UInt) -> StackFile {
        if let known = files[place] { return known }
        if files.count >= StoreLimits.stackNames { files = [:] }
        let found = StackFile(of: place)
        files[place] = found
        return found
    }

    private mutating func tell() {
        nextAt = nil
        guard let found = tally.most(Self.function) else { return crerender_rows_take_samples(0, 0, 0, 0) }
        let function = Self.function(at: found.place)
        let place = places[function] ?? found.place
        if places.count < StoreLimits.sampledFunctions { places[function] = place }
        crerender_rows_take_samples(place, UInt64(found.count), UInt64(tally.called), UInt64(tally.all))
    }

    /// A text that no other function has; where functions have no names, all of a file have one.
    private static func function(at place: UInt) -> String {
        "\(WriterStacks.function(at: place)?.name ?? "") in \(LoadedFile(containing: place)?.path ?? "")"
    }
}

/// Whose code is at a place of a stack, as far as that matters for who calls it.
enum StackFile {
    case glib
    /// The C library, which calls `main` and the functions of threads.
    case libc
    /// This library.
    case own
    /// A library that calls functions of others, as GIO does, or a language's binding.
    case library
    /// In no file: made while the program runs.
    case generated
    case other

    /// Whether GLib may have called it for a source.
    var mayBeCalled: Bool { [.library, .generated, .other].contains(self) }

    /// Microseconds; milliseconds where the library is part of the program.
    init(of place: UInt) {
        guard let file = LoadedFile(containing: place) else {
            // An address stands for a script's function.
            self = ScriptPlace(place) == nil ? .generated : .other
            return
        }
        let name = file.name
        if name.hasPrefix("libglib-2.0.") {
            self = .glib
        } else if ["libc.so", "libc-", "libpthread", "ld-linux"].contains(where: name.hasPrefix) {
            self = .libc
        } else if name.hasPrefix("librerender-") {
            self = .own
        } else if file.path == LoadedFile(containing: crerender_own_address())?.path {
            // Without names, nothing tells its functions from those of the program.
            self = WriterStacks.isOwn(place) ?? true ? .own : .other
        } else {
            self = RowFunction.isLibrary(name) ? .library : .other
        }
    }
}

/// What the main loop's thread did at one moment.
struct LoopSample: Hashable {
    /// Whether the loop had called something, and did not only turn.
    private(set) var isCalled: Bool
    /// An instruction in the function that GLib had called, where no row has that.
    private(set) var unseen: UInt?
    /// The same of a function that GLib had called and that runs a loop.
    private(set) var around: UInt?

    /// - Parameters:
    ///   - places: An instruction in each of the functions on the stack, innermost first.
    ///   - files: Whose each of them is.
    ///   - isInRow: Whether a function of a row ran.
    init(_ places: [UInt], _ files: [StackFile], isInRow: Bool) {
        isCalled = isInRow
        guard let index = Self.called(files), files[index].mayBeCalled else { return }
        // GLib calls functions of ours for sources that are seen, and for a poll.
        let isSeen = zip(files, files.dropFirst()).contains { $0 == .own && $1 == .glib }
        if isInRow || isSeen {
            around = places[index]
        } else {
            (isCalled, unseen) = (true, places[index])
        }
    }

    /// An instruction in the function of the program that a library called in a source of its own: the first one from outside that GLib
    /// called for the innermost source. Nil on a stack without one.
    ///
    /// - Parameters: See ``init(_:_:isInRow:)``. The stack may end early.
    static func callee(_ places: [UInt], _ files: [StackFile]) -> UInt? {
        // GLib calls ours for a source, and that calls the library's.
        let source = files.indices.dropLast().first { files[$0] == .own && files[$0 + 1] == .glib }
        guard let source else { return nil }
        return files[..<source].lastIndex(of: .other).map { places[$0] }
    }

    /// An instruction in each of the functions on a stack: the innermost one is the one that runs; the others come after the call.
    static func places(_ addresses: [UInt]) -> [UInt] {
        addresses.enumerated().map { $0.offset == 0 ? $0.element : $0.element &- 1 }
    }

    /// Where on the stack the function is that GLib called: the first one from outside, but for that of a thread. Nil without one, and on a
    /// stack that does not begin where threads do: what is outside of it is not known.
    private static func called(_ files: [StackFile]) -> Int? {
        guard files.suffix(2).contains(.libc) else { return nil }
        var outside = files.endIndex
        while let caller = files[..<outside].lastIndex(of: .glib) {
            guard let index = files[..<caller].lastIndex(where: { $0 != .glib }) else { return nil }
            let isThread = caller + 1 < files.endIndex && files[caller + 1] == .libc
            if !isThread { return index }
            outside = index
        }
        return nil
    }
}

/// What samples of the main loop's thread say together.
struct SampleTally {
    /// Samples while the thread ran, and those of them in something that the loop calls.
    private(set) var all = 0
    private(set) var called = 0
    /// How often a thread that ran gave no stack.
    private var failures = 0
    /// By instructions: samples in functions that no row has.
    private var unseen: [UInt: Int] = [:]
    private var around: Set<UInt> = []

    /// Whether there are enough, or there will be none: a program may have the signal for itself.
    var isDone: Bool { called >= StoreLimits.samples || (all == 0 && failures >= StoreLimits.samples) }

    mutating func add(_ sample: LoopSample) {
        all += 1
        if sample.isCalled { called += 1 }
        if let place = sample.unseen { unseen[place, default: 0] += 1 }
        if let place = sample.around { around.insert(place) }
    }

    /// The thread ran, and gave no stack.
    mutating func addNothing() { failures += 1 }

    /// The function that has half of the samples in no row, and a quarter of all in something that the loop calls. The place is that of most
    /// of its samples. Nil without such a function, and of few samples.
    ///
    /// - Parameter name: Tells which function an instruction is in.
    func most(_ name: (UInt) -> String) -> (place: UInt, count: Int)? {
        guard called >= StoreLimits.leastSamples else { return nil }
        // What runs a loop is on the stack whatever that loop calls.
        let others = Set(around.map(name))
        var functions: [String: (place: UInt, most: Int, count: Int)] = [:]
        for (place, count) in unseen.sorted(by: { $0.key < $1.key }) {
            let key = name(place)
            var function = functions[key] ?? (place: place, most: 0, count: 0)
            if count > function.most { (function.place, function.most) = (place, count) }
            function.count += count
            functions[key] = function
        }
        let known = functions.filter { !others.contains($0.key) }.values
        let found = known.max { ($0.count, $1.place) < ($1.count, $0.place) }
        let sum = unseen.values.reduce(0, +)
        guard let found, found.count * 2 >= sum, found.count * 4 >= called else { return nil }
        return (found.place, found.count)
    }
}
