// SPDX-License-Identifier: MIT
// What an app tells the daemon. This file is the definition of the format: each type writes and reads itself.

package import RerenderModel

/// The protocol's identity.
package enum WireProtocol {
    /// The first field of the first message: "RRDR".
    package static let magic: UInt32 = 0x5244_5252
    /// Raised whenever a message changes; the two sides must agree.
    package static let version: UInt16 = 23
}

/// A message from an app, in the order in which a connection sees them.
///
/// Totals are cumulative since the store's epoch began: one that is lost, repeated or late does no harm. Names are
/// sent once per connection and numbers from then on.
package enum AppMessage: Hashable, Sendable {
    /// First, and only first.
    case hello(Hello)
    /// A store as a whole; again whenever any of it changed.
    case store(StoreState)
    /// A view's name, before its first totals.
    case view(ViewDeclaration)
    /// An event handler's name, when it is new.
    case handler(HandlerDeclaration)
    /// A reason's text, before the first totals that count it.
    case reason(ReasonDeclaration)
    /// The text of a reason's writer or chain, before the first totals that count it.
    case detail(DetailDeclaration)
    /// A view's totals.
    case totals(TotalsMessage)
    /// A cycle; again whenever it went round.
    case cycle(ItemMessage<Cycle>)
    /// What goes on without input; again whenever it went on.
    case work(ItemMessage<IdleWork>)
    /// What the main loop did; again whenever it went on.
    case loop(LoopMessage)
    /// A source or handler of the main loop; again whenever it was called.
    case row(ItemMessage<LoopRow>)
    /// What is known of a widget beside its totals; again whenever it changed.
    case fact(ItemMessage<WidgetFact>)
    /// Processor time of other threads.
    case threads(ThreadsMessage)
    /// The program gives this moment a name: what was told until now is what it had counted then.
    case mark(String)
    /// The answer to a command.
    case done(CommandResult)
    /// A stack of the main thread, asked for by ``DaemonMessage/sampleStack(hang:turn:)``.
    case stack(StackSample)
    /// The store is gone; its totals stay as they are.
    case storeEnded(storeID: UInt32)
    /// Everything was sent and the process ends.
    case goodbye
}

/// Who is calling. The descriptor of the flight page comes with the first byte, if the app has a page.
package struct Hello: Hashable, Sendable {
    /// The version that the app speaks.
    package var version: UInt16 = WireProtocol.version
    /// The process's number as it sees it itself; the daemon believes the kernel's.
    package var pid: Int32
    /// When the process started, in clock ticks since boot: field 22 of `/proc/PID/stat`. Tells a reused pid apart.
    package var startTicks: UInt64
    /// The number that a daemon gave this copy of the library; nil before the first welcome. Each copy in a process is a client of its
    /// own.
    package var copy: UInt32?
    /// The file name of the executable.
    package var processName: String

    package init(pid: Int32, startTicks: UInt64, copy: UInt32? = 0, processName: String) {
        self.pid = pid
        self.startTicks = startTicks
        self.copy = copy
        self.processName = processName
    }
}

/// A store's own numbers and settings.
package struct StoreState: Hashable, Sendable {
    package var storeID: UInt32
    package var name: String
    /// What its views are; nil where the app did not live to tell.
    package var kind: StoreKind?
    /// Counts the resets; totals of an older epoch are void.
    package var epoch: UInt32 = 0
    package var startedAt: Timestamp
    /// When the epoch began.
    package var countedSince: Timestamp
    package var enabled = true
    package var mainLoop = MainLoopKind.none
    package var hangThresholdMilliseconds = HangThreshold.hangMilliseconds
    package var microHangThresholdMilliseconds = HangThreshold.microHangMilliseconds
    /// Evaluations of this epoch, dropped ones included.
    package var evaluations: UInt64 = 0
    /// Evaluations of this epoch that are in no view.
    package var dropped: UInt64 = 0
    /// Whether stacks are taken in hangs.
    package var hangStacks = false
    /// Whether a daemon has told it settings, which stay until the app ends.
    package var isConfigured = false
    /// Frames of this epoch.
    package var frames = FrameTotals()
    /// What may be missing from its counts, as sentences; at most ``WireLimits/gapsPerStore``.
    package var gaps: [String] = []

    package init(storeID: UInt32, name: String, kind: StoreKind? = nil, startedAt: Timestamp) {
        self.storeID = storeID
        (self.name, self.kind) = (name, kind)
        self.startedAt = startedAt
        countedSince = startedAt
    }
}

extension StoreState {
    /// The store's thresholds.
    package var thresholds: HangThresholds {
        HangThresholds(
            hangMilliseconds: hangThresholdMilliseconds, microHangMilliseconds: microHangThresholdMilliseconds)
    }
}

extension ProcessStats {
    /// A store as the export shows it, without its views.
    package init(_ state: StoreState, hangs: StoreHangs, pid: Int32, name: String) {
        self.init(pid: pid, name: name, store: state.name, storeNumber: state.storeID, startedAt: state.startedAt)
        kind = state.kind
        mainLoop = state.mainLoop
        enabled = state.enabled
        evaluations = state.evaluations
        dropped = state.dropped
        hangThresholdMilliseconds = state.hangThresholdMilliseconds
        microHangThresholdMilliseconds = state.microHangThresholdMilliseconds
        microHangs = hangs.microHangs
        self.hangs = hangs.hangs
        hangsOfNoView = hangs.ofNoView.count == 0 ? nil : hangs.ofNoView
        countedSince = state.countedSince
        hangStacks = state.hangStacks
        frames = FrameStats(state.frames)
        gaps = state.gaps.isEmpty ? nil : state.gaps
    }
}

/// A view's name and the number that stands for it from now on; views of a store are numbered from 0 without gaps.
package struct ViewDeclaration: Hashable, Sendable {
    package var storeID: UInt32
    package var index: UInt32
    package var key: String
    package var file: String
    package var line: UInt32

    package init(storeID: UInt32, index: UInt32, key: String, file: String, line: UInt32) {
        self.storeID = storeID
        self.index = index
        self.key = key
        self.file = file
        self.line = line
    }

    /// In the place of a view whose name is not known.
    package static func unnamed(_ index: UInt32, of storeID: UInt32) -> ViewDeclaration {
        ViewDeclaration(storeID: storeID, index: index, key: "", file: "", line: 0)
    }
}

/// An event handler's name and the number that stands for it in the flight page; those of a store are numbered from 0 without
/// gaps.
package struct HandlerDeclaration: Hashable, Sendable {
    package var storeID: UInt32
    package var index: UInt32
    package var name: HandlerName

    package init(storeID: UInt32, index: UInt32, name: HandlerName) {
        self.storeID = storeID
        self.index = index
        self.name = name
    }
}

/// A reason's text and the number, below ``WireLimits/reasonsPerView``, that stands for it in its view's totals.
package struct ReasonDeclaration: Hashable, Sendable {
    package var storeID: UInt32
    package var viewIndex: UInt32
    package var index: UInt8
    package var text: String
    package var attribution: Attribution?

    package init(storeID: UInt32, viewIndex: UInt32, index: UInt8, text: String, attribution: Attribution?) {
        self.storeID = storeID
        self.viewIndex = viewIndex
        self.index = index
        self.text = text
        self.attribution = attribution
    }
}

/// The text of a named slot of a reason: a writer's or a chain's. Declared again only after a new epoch.
package struct DetailDeclaration: Hashable, Sendable {
    package var storeID: UInt32
    package var viewIndex: UInt32
    /// The reason's number or ``ViewTotals/otherReason``.
    package var reason: UInt8
    /// The slot, see ``DetailSlot``; never one for others.
    package var slot: UInt8
    package var text: String

    package init(storeID: UInt32, viewIndex: UInt32, reason: UInt8, slot: UInt8, text: String) {
        self.storeID = storeID
        self.viewIndex = viewIndex
        self.reason = reason
        self.slot = slot
        self.text = text
    }
}

/// What a store has a list of: cycles, work without input, and the rows and facts of its main loop.
package protocol StoreItem: WireFields, Hashable, Sendable {
    /// How many of them a store has at most.
    static var most: UInt8 { get }
    /// What the number of one is called where it is wrong.
    static var number: String { get }
    /// Its texts, which take most of its memory.
    var texts: [String?] { get }
}

/// An item of a store, by the number that stands for it until its epoch ends: from 0 without gaps.
package struct ItemMessage<Item: StoreItem>: Hashable, Sendable {
    package var storeID: UInt32
    package var epoch: UInt32
    package var index: UInt8
    package var item: Item

    package init(storeID: UInt32, epoch: UInt32, index: UInt8, item: Item) {
        (self.storeID, self.epoch, self.index, self.item) = (storeID, epoch, index, item)
    }
}

package struct CommandResult: Hashable, Sendable {
    /// The number of the command.
    package var request: UInt32
    /// How many stores it reached, or how many handlers and bridges to a screen; of an overlay at most 1.
    package var reached: UInt32
    /// How many bridges to a screen said what they show.
    package var answered: UInt32
    /// Of a pulse, over how many instances it is shown, and of how many that the bridges know; of an overlay, the windows.
    package var (shown, instances): (UInt32, UInt32)

    package init(request: UInt32, reached: UInt32, answered: UInt32 = 0, shown: UInt32 = 0, instances: UInt32 = 0) {
        self.request = request
        (self.reached, self.answered) = (reached, answered)
        (self.shown, self.instances) = (shown, instances)
    }
}
