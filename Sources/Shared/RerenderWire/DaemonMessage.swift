// SPDX-License-Identifier: MIT
// What the daemon tells an app, and the bytes of it.

package import RerenderModel

package enum DaemonMessage: Hashable, Sendable {
    /// The answer to a hello of our version, with the number of the copy of the library: see ``Hello/copy``.
    case welcome(version: UInt16, copy: UInt32)
    /// The answer to any other hello; the connection closes after it.
    case refusal(Refusal)
    /// Change settings; nil leaves one as it is.
    case configure(request: UInt32, storeID: UInt32?, Settings)
    /// Begin a new epoch with all counts at zero.
    case reset(request: UInt32, storeID: UInt32?)
    /// Show the view to the user: run the pulse handlers.
    case pulse(request: UInt32, storeID: UInt32?, key: String)
    /// Show something above the app's windows, or take it away.
    case overlay(request: UInt32, storeID: UInt32?, ScreenOverlay, isOn: Bool)
    /// A hang ended and was counted: what one store is told of it.
    case hangEnded(HangNotice)
    /// A turn takes long: say on the flight page whether the loop was left meanwhile, until the turn ends.
    case watchTurn(turn: UInt64)
    /// Take the main thread's stack, if that is switched on and the turn is still the same.
    case sampleStack(hang: UInt64, turn: UInt64)
    /// What a store counts now, told without a hang: the one in the notice is blank.
    case hangCounts(HangNotice)
    /// The process has grown and has no known loop: look whether a library with one was loaded.
    case lookForLoops

    /// Why a connection was refused.
    package struct Refusal: Hashable, Sendable {
        package var daemonVersion: UInt16
        package var appVersion: UInt16
        package var text: String

        package init(daemonVersion: UInt16, appVersion: UInt16, text: String) {
            self.daemonVersion = daemonVersion
            self.appVersion = appVersion
            self.text = text
        }
    }

    /// A store's settings.
    ///
    /// A new setting travels from the user to the app as `UserSettings` (the file), `SettingParser` (`config set`) or
    /// `ConfigurationChange` (`POST /v1/config`); `QueryRouter.configure` and `CurrentSettings` make this of it. The app takes it
    /// in `StoreCore.apply`, beside the property of `RerenderStore` that sets the same. It tells the setting that it has in
    /// `StoreCore.state`: `StoreState`, then `ProcessStats`, which must be able to read older exports.
    /// Both versions rise, `WireProtocol.version` and `StateFile.version`. `config`'s help and the table of `config get` name
    /// it, and so do the settings file's page, the guide and the pages of JSON and of the query API.
    package struct Settings: Hashable, Sendable {
        package var isEnabled: Bool?
        package var hangThresholdMilliseconds: UInt32?
        package var microHangThresholdMilliseconds: UInt32?
        package var hangStacks: Bool?

        package init(
            isEnabled: Bool? = nil, hangThresholdMilliseconds: UInt32? = nil,
            microHangThresholdMilliseconds: UInt32? = nil, hangStacks: Bool? = nil
        ) {
            self.hangStacks = hangStacks
            self.isEnabled = isEnabled
            self.hangThresholdMilliseconds = hangThresholdMilliseconds
            self.microHangThresholdMilliseconds = microHangThresholdMilliseconds
        }
    }
}

extension DaemonMessage {
    /// A message of each kind, in the order of the kinds' numbers, which begin at 1.
    private static var blanks: [DaemonMessage] {
        [
            .welcome(version: 0, copy: 0), .refusal(Refusal(daemonVersion: 0, appVersion: 0, text: "")),
            .configure(request: 0, storeID: nil, Settings()), .reset(request: 0, storeID: nil),
            .pulse(request: 0, storeID: nil, key: ""), .hangEnded(.blank), .watchTurn(turn: 0),
            .sampleStack(hang: 0, turn: 0), .hangCounts(.blank), .lookForLoops,
            .overlay(request: 0, storeID: nil, .hud, isOn: false),
        ]
    }

    private var kind: UInt8 {
        switch self {
        case .welcome: 1
        case .refusal: 2
        case .configure: 3
        case .reset: 4
        case .pulse: 5
        case .hangEnded: 6
        case .watchTurn: 7
        case .sampleStack: 8
        case .hangCounts: 9
        case .lookForLoops: 10
        case .overlay: 11
        }
    }

    /// Appends the message to the frames in `writer`.
    package func write(to writer: inout WireWriter) {
        writer.message(kind: kind) { _ = coded(with: &$0) }
    }

    /// Reads one message's fields; nil for a kind that this version does not know.
    package init?(kind: UInt8, fields reader: inout WireReader) throws(WireError) {
        guard let blank = Self.blanks.first(where: { $0.kind == kind }) else { return nil }
        self = try blank.coded(with: &reader)
    }

    private func coded<Coder: WireCoder & ~Escapable>(
        with coder: inout Coder
    ) throws(Coder.Failure) -> DaemonMessage {
        switch self {
        case .welcome(let version, let copy):
            return .welcome(version: try coder.integer(version), copy: try coder.integer(copy))
        case .refusal(var refusal):
            refusal.daemonVersion = try coder.integer(refusal.daemonVersion)
            refusal.appVersion = try coder.integer(refusal.appVersion)
            refusal.text = try coder.string(refusal.text, limit: WireLimits.stringBytes)
            return .refusal(refusal)
        case .configure(let request, let storeID, var settings):
            let (request, storeID) = (try coder.integer(request), try coder.store(storeID))
            settings.isEnabled = try coder.setting(settings.isEnabled)
            settings.hangThresholdMilliseconds = try coder.threshold(settings.hangThresholdMilliseconds)
            settings.microHangThresholdMilliseconds = try coder.threshold(settings.microHangThresholdMilliseconds)
            settings.hangStacks = try coder.setting(settings.hangStacks)
            return .configure(request: request, storeID: storeID, settings)
        case .reset(let request, let storeID):
            return .reset(request: try coder.integer(request), storeID: try coder.store(storeID))
        case .pulse(let request, let storeID, let key):
            return .pulse(
                request: try coder.integer(request), storeID: try coder.store(storeID),
                key: try coder.string(key, limit: WireLimits.keyBytes))
        case .overlay(let request, let storeID, let overlay, let isOn):
            return .overlay(
                request: try coder.integer(request), storeID: try coder.store(storeID),
                try coder.choice(overlay, of: ScreenOverlay.allCases, "an overlay"), isOn: try coder.flag(isOn))
        case .hangEnded(var notice):
            try notice.code(with: &coder)
            return .hangEnded(notice)
        case .hangCounts(var notice):
            try notice.code(with: &coder)
            return .hangCounts(notice)
        case .lookForLoops: return self
        case .watchTurn(let turn): return .watchTurn(turn: try coder.integer(turn))
        case .sampleStack(let hang, let turn):
            return .sampleStack(hang: try coder.integer(hang), turn: try coder.integer(turn))
        }
    }
}

extension WireCoder where Self: ~Escapable {
    /// A store's number; the largest number stands for all stores of the process.
    fileprivate mutating func store(_ storeID: UInt32?) throws(Failure) -> UInt32? {
        let number = try integer(storeID ?? .max)
        return number == .max ? nil : number
    }

    fileprivate mutating func setting(_ isOn: Bool?) throws(Failure) -> Bool? {
        try choice(isOn, of: [false, true, nil], "a setting")
    }

    /// A threshold; 0, which none can be, stands for one that stays as it is.
    fileprivate mutating func threshold(_ milliseconds: UInt32?) throws(Failure) -> UInt32? {
        let number = try integer(milliseconds ?? 0)
        return number == 0 ? nil : number
    }
}

// What daemon and app tell each other of hangs, and the bytes of it.

/// A hang or micro-hang that has ended, which the daemon counted in a store: it tells the app of that store.
///
/// The counts are the daemon's own totals, so that the app's copy is late where a notice is lost, and never wrong.
package struct HangNotice: Hashable, Sendable {
    package var storeID: UInt32
    /// The store's epoch that it was counted in; in another one the counts are void.
    package var epoch: UInt32
    /// The hang itself, without its stacks. Its number is 0 for a micro-hang, which is not listed.
    package var hang: Hang
    /// Whether it is a micro-hang by the store's thresholds: it is counted, and no handler is called.
    package var isMicroHang: Bool
    /// The store's counts, this one included.
    package var counts: StoreHangs
    /// The blamed view, if it is one of the store's current epoch.
    package var blamed: BlamedView?

    /// A view of the store, and the hangs that it was blamed for.
    package struct BlamedView: Hashable, Sendable {
        package var index: UInt32
        package var hangs: HangTotals

        package init(index: UInt32, hangs: HangTotals) { (self.index, self.hangs) = (index, hangs) }
    }

    package init(
        storeID: UInt32, epoch: UInt32, hang: Hang, isMicroHang: Bool, counts: StoreHangs, blamed: BlamedView? = nil
    ) {
        (self.storeID, self.epoch, self.hang, self.isMicroHang) = (storeID, epoch, hang, isMicroHang)
        (self.counts, self.blamed) = (counts, blamed)
    }
}

extension HangNotice: WireFields {
    package static var blank: HangNotice {
        HangNotice(storeID: 0, epoch: 0, hang: .blank, isMicroHang: false, counts: StoreHangs())
    }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        epoch = try coder.integer(epoch)
        try hang.code(with: &coder)
        isMicroHang = try coder.flag(isMicroHang)
        counts = try coder.value(counts)
        guard try coder.flag(blamed != nil) else { return }
        blamed = BlamedView(
            index: try coder.integer(blamed?.index ?? 0), hangs: try coder.value(blamed?.hangs ?? HangTotals()))
    }
}

/// A hang's bytes, for an app and for the state file. Its stacks are not among them: all of them would not fit into a
/// message.
extension Hang: WireFields {
    /// A path longer than this is left out; a part of one would lead nowhere.
    private static let pathBytes = 4_096

    /// None, or a phase, by their numbers.
    private static let phases: [HangPhase?] = [nil] + LoopLayout.phases

    package static var blank: Hang {
        Hang(id: 0, pid: 0, process: "", startedAt: Timestamp(nanosecondsSince1970: 0), turn: 0)
    }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        id = try coder.integer(id)
        pid = try coder.integer(pid)
        process = try coder.string(process, limit: WireLimits.stringBytes)
        startedAt = try coder.time(startedAt)
        turn = try coder.integer(turn)
        durationNanoseconds = try coder.integer(durationNanoseconds)
        view = try coder.key(view)
        handler = try coder.text(handler, limit: WireLimits.stringBytes)
        phase = try coder.choice(phase, of: Self.phases, "a phase")
        viewStore = try coder.store(viewStore)
        attribution = try coder.word(attribution, "why a view is blamed") ?? HangAttribution.none
        lastRendered = try coder.key(lastRendered)
        lastRenderedStore = try coder.store(lastRenderedStore)
        verdict = try coder.word(verdict, "a verdict") ?? .unknown
        waitingOn = try coder.text(waitingOn, limit: WireLimits.stringBytes)
        ended = try coder.word(ended, "how a hang ended")
        open = ended == nil
        trace = try coder.text(trace.flatMap { $0.utf8.count > Self.pathBytes ? nil : $0 }, limit: Self.pathBytes)
        counts = try coder.flag(counts)
        openedAfterNanoseconds = try coder.optional(openedAfterNanoseconds)
        watchdogLatenessNanoseconds = try coder.optional(watchdogLatenessNanoseconds)
        unattributedNanoseconds = try coder.optional(unattributedNanoseconds)
        let share = Share(view: "", nanoseconds: 0)
        shares = try coder.list(shares, limit: WireLimits.sharesPerHang, blank: share, "the number of shares") {
            (coder, share) throws(Coder.Failure) in
            let view = try coder.string(share.view.rawValue, limit: WireLimits.keyBytes)
            let handler = try coder.text(share.handler, limit: WireLimits.stringBytes)
            let phase = try coder.choice(share.phase, of: Self.phases, "a phase")
            let store = try coder.store(share.store)
            return Share(
                view: ViewKey(rawValue: view), handler: handler, phase: phase, store: store,
                nanoseconds: try coder.integer(share.nanoseconds))
        }
        viewAtThreshold = try coder.key(viewAtThreshold)
        viewAtThresholdStore = try coder.store(viewAtThresholdStore)
        starvedNanoseconds = try coder.integer(starvedNanoseconds)
        stoppedNanoseconds = try coder.integer(stoppedNanoseconds)
        guess = try coder.flag(guess)
        mayHaveBegunEarlierNanoseconds = try coder.integer(mayHaveBegunEarlierNanoseconds)
        mayHaveEndedLaterNanoseconds = try coder.integer(mayHaveEndedLaterNanoseconds)
        activities = try coder.list(
            activities, limit: WireLimits.activitiesPerHang, blank: Activity(text: "", count: 0),
            "the number of activities"
        ) { (coder, activity) throws(Coder.Failure) in
            let text = try coder.string(activity.text, limit: WireLimits.activityBytes)
            return Activity(text: text, count: try coder.integer(activity.count))
        }
        source = try coder.text(source, limit: WireLimits.stringBytes)
        call = try coder.text(call, limit: WireLimits.stringBytes)
    }
}

extension WireCoder where Self: ~Escapable {
    /// The key of a view, or none.
    fileprivate mutating func key(_ key: ViewKey?) throws(Failure) -> ViewKey? {
        try text(key?.rawValue, limit: WireLimits.keyBytes).map { ViewKey(rawValue: $0) }
    }

    /// A store, or none.
    fileprivate mutating func store(_ store: Hang.Store?) throws(Failure) -> Hang.Store? {
        guard try flag(store != nil) else { return nil }
        return Hang.Store(
            number: try integer(store?.number ?? 0), name: try string(store?.name ?? "", limit: WireLimits.stringBytes))
    }
}

/// What the main thread was seen doing in a hang, and its stack where stacks are on, its functions named. Without any of these where the app
/// could not look in time.
package struct StackSample: Hashable, Sendable {
    package var hang: UInt64
    package var turn: UInt64
    /// How long the turn had lasted.
    package var atNanoseconds: UInt64
    /// Innermost first; at most ``WireLimits/framesPerStack``.
    package var frames: [String]
    /// What the thread did, in words that begin with a verb; empty if that is not known.
    package var activity: String
    /// The stack of the thread that holds what it waits for, as far as it is known.
    package var holder: [String]
    /// The source of the main loop that ran, by its function and place or its name; empty if that is not known.
    package var source: String

    package init(
        hang: UInt64, turn: UInt64, atNanoseconds: UInt64, frames: [String], activity: String = "",
        holder: [String] = [], source: String = ""
    ) {
        (self.hang, self.turn, self.atNanoseconds) = (hang, turn, atNanoseconds)
        (self.frames, self.activity, self.holder, self.source) = (frames, activity, holder, source)
    }
}

extension StackSample: WireFields {
    package static var blank: StackSample { StackSample(hang: 0, turn: 0, atNanoseconds: 0, frames: []) }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        hang = try coder.integer(hang)
        turn = try coder.integer(turn)
        atNanoseconds = try coder.integer(atNanoseconds)
        frames = try coder.list(frames, limit: WireLimits.framesPerStack, blank: "", "the number of frames") {
            (coder, frame) throws(Coder.Failure) in try coder.string(frame, limit: WireLimits.stringBytes)
        }
        activity = try coder.string(activity, limit: WireLimits.activityBytes)
        holder = try coder.list(holder, limit: WireLimits.framesPerStack, blank: "", "the number of frames") {
            (coder, frame) throws(Coder.Failure) in try coder.string(frame, limit: WireLimits.stringBytes)
        }
        source = try coder.string(source, limit: WireLimits.stringBytes)
    }
}
