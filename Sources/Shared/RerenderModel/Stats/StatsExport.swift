// SPDX-License-Identifier: MIT
// The export: one JSON document, the same from the app, the daemon and the command line.

public import FoundationEssentials

/// Everything known of all processes, as one document.
///
/// The same from `store.exportJSON()`, `rerenderctl export` and `GET /v1/stats`. A consumer may rely on the names of
/// version 1; more may be added within it.
public struct StatsExport: Hashable, Codable, Sendable {
    /// The version of the document that this library writes.
    package static let currentVersion = 1

    /// The document's version.
    public var version: Int
    /// When it was made.
    public var generatedAt: Timestamp
    /// How many views there are without a limit; nil where none was asked for.
    package var matchingViews: Int?
    /// One entry for each store of each process.
    public var processes: [ProcessStats]
    /// What costs most of all that was asked about, whichever views are listed; nil without a store, and in an older export.
    package var verdict: Verdict?
    /// The rest of what a command's run left; nil in an export that `rerenderctl run` did not write.
    package var run: RunRecord?

    /// Makes a document of the current version, and judges what is in it.
    package init(generatedAt: Timestamp = .now, processes: [ProcessStats]) {
        self.init(
            generatedAt: generatedAt, processes: processes,
            verdict: VerdictBuilder.verdict(of: processes, .live, now: generatedAt))
    }

    /// Makes a document of the current version.
    package init(generatedAt: Timestamp, processes: [ProcessStats], verdict: Verdict?, run: RunRecord? = nil) {
        self.version = Self.currentVersion
        self.generatedAt = generatedAt
        self.processes = processes
        self.verdict = verdict
        self.run = run
    }

    /// The document as JSON: keys sorted, pretty-printed, UTF-8, no final newline.
    ///
    /// Throws `EncodingError` only for values that JSON cannot hold, of which this type has none.
    public func json() throws -> Data {
        try Self.encoder().encode(self)
    }

    /// The encoder of every document of ours: keys sorted, pretty-printed, slashes as they are.
    package static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// Which hook tells the turns of a process's main loop.
public enum MainLoopKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// GLib's poll function.
    case glib
    /// CFRunLoop's observers.
    case cfrunloop
    /// A ping on the main queue.
    case ping
    /// No main loop is monitored.
    case none
}

/// One store of one process.
public struct ProcessStats: Hashable, Codable, Sendable {
    /// The process's number.
    public var pid: Int32
    /// The process's name, as the app gives it: the file name of its executable or, of Python and gjs, of its script.
    public var name: String
    /// The store's name; several stores of a process may have the same.
    public var store: String
    /// The store's number in its process, which no other store of it has; ``Hang/Store`` has the same.
    public var storeNumber: UInt32
    /// What its views are; nil where that is not known: in an older export, and in a report of an older trace.
    package var kind: StoreKind?
    /// When the store was made.
    public var startedAt: Timestamp
    /// From when on it counts: when it was made or last reset; nil in an older export, and in a report of a trace without a reset.
    package var countedSince: Timestamp?
    /// When the latest evaluation of any view ended; nil before the first, and in an older export.
    package var lastRenderedAt: Timestamp?
    /// Whether the app is connected to the daemon now.
    public var connected = false
    /// How its main loop is monitored.
    public var mainLoop = MainLoopKind.none
    /// Whether the store counts.
    public var enabled = true
    /// Evaluations since the store was made or last reset, ``dropped`` and ``lost`` included.
    public var evaluations: UInt64 = 0
    /// Evaluations that found no room under the limit of keys, or on the stack; they are in no view.
    public var dropped: UInt64 = 0
    /// Evaluations that the process did not live to report; they are in no view.
    public var lost: UInt64 = 0
    /// How long a turn of the main loop is a hang.
    public var hangThresholdMilliseconds = HangThreshold.hangMilliseconds
    /// How long it is a micro-hang.
    public var microHangThresholdMilliseconds = HangThreshold.microHangMilliseconds
    /// Turns over the threshold of a micro-hang and not over that of a hang.
    public var microHangs: UInt64 = 0
    /// Hangs, those that no view is blamed for included.
    public var hangs = HangTotals()
    /// Those that no view is blamed for, whatever store it would be of; nil if there are none.
    package var hangsOfNoView: HangTotals?
    /// Those that were in one source or handler, in the order in which they were met; nil if there are none.
    package var hangsOfSources: [SourceHangs]?
    /// Whether stacks are taken in hangs; nil in a report of a trace, which does not say.
    public var hangStacks: Bool?
    /// Cycles of writes that lead to each other, in the order in which they were found; nil if there are none.
    package var cycles: [Cycle]?
    /// What goes on without input, in the order in which it was found; nil if nothing does, or if that is not known.
    package var idleWork: [IdleWork]?
    /// Frames that the toolkit drew; nil where none were seen.
    package var frames: FrameStats?
    /// What the process's main loop did; nil in other stores of the process, and where it is not known.
    package var loop: LoopStats?
    /// What may be missing from the counts, as sentences of the app's; nil if nothing is known to be.
    package var gaps: [String]?
    /// Views with ``Stats/notSeen``, also where ``views`` has only some views; nil if there are none.
    public var notSeenViews: NotSeenViews?
    /// Views, most evaluations first, then by key.
    public var views: [Stats] = []

    /// Makes an entry with nothing counted and the default thresholds.
    package init(pid: Int32, name: String, store: String, storeNumber: UInt32, startedAt: Timestamp) {
        self.pid = pid
        self.name = name
        self.store = store
        self.storeNumber = storeNumber
        self.startedAt = startedAt
    }

    /// What the stores of a program have among their ``gaps`` that `attach` counts: nothing is missing from its counts.
    package static let attached =
        "it ran before the attach, and what it had connected by then may have no name: rerenderctl run -- PROGRAM names that"

    /// Whether the program ran before it was counted.
    package var isAttached: Bool { gaps?.contains(Self.attached) == true }
}

/// Views whose values were in evaluated outputs though their bodies were never seen.
public struct NotSeenViews: Hashable, Codable, Sendable {
    /// The most keys that are listed.
    package static let listed = 32

    /// How many there are.
    public var count: UInt64
    /// The first of them by key.
    public var keys: [ViewKey]

    /// The list of some views; nil if there are none.
    package init?(_ keys: some Sequence<ViewKey>) {
        let sorted = keys.sorted()
        guard !sorted.isEmpty else { return nil }
        (count, self.keys) = (UInt64(sorted.count), Array(sorted.prefix(Self.listed)))
    }
}

/// What the views of a store are, and so what can be told of them. A store's name is the program's own choice and says nothing.
public enum StoreKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// Views in whose bodies the program calls the library, or a framework does.
    case views
    /// Views of a program that does not call the library: a hook is in each body.
    case injectedViews
    /// Kinds of widgets of GTK.
    case widgets
    /// None: the store has the main loop alone.
    case loop
}

/// The rest of what a command's run left: its name, its hangs, and what may be missing.
///
/// Only the export that `rerenderctl run` writes has one, so that everything can be looked at afterwards.
package struct RunRecord: Hashable, Codable, Sendable {
    /// The most hangs that are kept.
    package static let mostHangs = 200

    /// The name of the program that was run.
    package var program: String
    /// The build ID of its file, in hexadecimal digits; nil where the file has none, or where the program was started by another one.
    package var buildID: String?
    /// The newest hangs, newest first.
    package var hangs: [Hang]
    /// How many more there were.
    package var hangsForgotten: UInt64
    /// Long turns that no watchdog could watch: which of them were hangs is not known.
    package var unwatchedTurns: UInt64
    /// What else may be missing, as sentences.
    package var gaps: [String]

    /// - Parameter hangs: All of them, newest first; ``mostHangs`` are kept.
    package init(
        program: String, buildID: String?, hangs: [Hang], hangsForgotten: UInt64, unwatchedTurns: UInt64, gaps: [String]
    ) {
        (self.program, self.buildID, self.unwatchedTurns, self.gaps) = (program, buildID, unwatchedTurns, gaps)
        self.hangs = Array(hangs.prefix(Self.mostHangs))
        self.hangsForgotten = hangsForgotten.clampedSum(UInt64(max(0, hangs.count - Self.mostHangs)))
    }
}
