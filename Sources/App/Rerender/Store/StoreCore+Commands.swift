// SPDX-License-Identifier: MIT
// What users and the daemon ask of a store, and what becomes of what they ask to see on the screen.

import CRerender
import Glibc
public import RerenderModel
import RerenderWire
import Synchronization

extension StoreCore {
    func apply(_ settings: DaemonMessage.Settings) {
        if let isEnabled = settings.isEnabled { setEnabled(isEnabled) }
        if let threshold = settings.hangThresholdMilliseconds { setThreshold(hangThresholdMilliseconds, threshold) }
        if let threshold = settings.microHangThresholdMilliseconds {
            setThreshold(microHangThresholdMilliseconds, threshold)
        }
        if let isOn = settings.hangStacks { setHangStacks(isOn) }
        isConfigured.store(true, ordering: .relaxed)
        markStateDirty()
    }

    /// False, too, where everything is off: in a forked child, and once the user switched Rerender off.
    @usableFromInline var isEnabled: Bool { isCounting.load(ordering: .relaxed) && !crerender_is_silent() }

    var thresholds: HangThresholds {
        HangThresholds(
            hangMilliseconds: hangThresholdMilliseconds.load(ordering: .relaxed),
            microHangMilliseconds: microHangThresholdMilliseconds.load(ordering: .relaxed))
    }

    var hangThreshold: Duration {
        get { .milliseconds(hangThresholdMilliseconds.load(ordering: .relaxed)) }
        set { setThreshold(hangThresholdMilliseconds, newValue.wholeMilliseconds) }
    }

    var microHangThreshold: Duration {
        get { .milliseconds(microHangThresholdMilliseconds.load(ordering: .relaxed)) }
        set { setThreshold(microHangThresholdMilliseconds, newValue.wholeMilliseconds) }
    }

    /// Switches counting; stays off in a process where `RERENDER=0` holds.
    func setEnabled(_ isEnabled: Bool) {
        let wasCounting = isCounting.exchange(isEnabled && process.isEnabled, ordering: .relaxed)
        // What happened meanwhile was not seen.
        if !wasCounting { settings.beginGeneration() }
        tellSwitched()
        markStateDirty()
    }

    /// Calls the handler now, and whenever counting was switched.
    func setSwitchHandler(_ handler: @escaping @Sendable (Bool) -> Void) {
        whenSwitched.set(handler)
        tellSwitched()
    }

    /// Under the lock, so that of two threads that switch the later one is heard last.
    private func tellSwitched() {
        whenSwitched.callLocked { isCounting.load(ordering: .relaxed) }
    }

    func setThreshold(_ threshold: borrowing Atomic<UInt32>, _ milliseconds: UInt32) {
        let allowed = HangThreshold.allowedMilliseconds
        threshold.store(min(max(milliseconds, allowed.lowerBound), allowed.upperBound), ordering: .relaxed)
        process.observer.settingsChanged()
        markStateDirty()
    }

    func setHangStacks(_ isOn: Bool) {
        hangStacks.store(isOn, ordering: .relaxed)
        process.observer.settingsChanged()
        markStateDirty()
    }

    /// Does what a user asks for. Of a view that the store does not know, nothing; of another one that is pulsed, it also prints
    /// what is known of it, if that is on.
    func take(_ request: ScreenRequest, _ reply: ScreenReply) {
        if case .pulse(let key) = request {
            guard unsafe knownView(key.rawValue) != nil else { return }
            if isConsoleLoggingEnabled.load(ordering: .relaxed) { PulseText.print(key, of: self) }
        }
        tell(request, reply)
    }

    /// Calls the app's handler of pulses, and the bridges.
    func tell(_ request: ScreenRequest, _ reply: ScreenReply) {
        if case .pulse(let key) = request, let handler = pulseHandler.closure {
            handler(key)
            reply.noteReached()
        }
        for follower in screenFollowers.withLock({ $0.all }) where follower(request, reply) { reply.noteReached() }
    }

    /// Gives the store's keys back to the process.
    func releaseKeys() {
        process.releaseKeys(allViews.count)
    }

    /// The store as an entry of the export.
    func export() -> ProcessStats {
        let wallClock = WallClock()
        var entry = summary(wallClock, lastEnd: lastEnd, named: true)
        entry.views = stats()
        // As its view has it, to the nanosecond.
        entry.lastRenderedAt = entry.views.compactMap(\.lastRenderedAt).max()
        let work = idleWork(wallClock)
        entry.idleWork = work.isEmpty ? nil : work
        entry.loop = LoopLedger.shared.loop(wallClock, isEnding: true)
        entry.notSeenViews = NotSeenViews(entry.views.lazy.filter { $0.notSeen == true }.map(\.key))
        return entry
    }
}

extension Duration {
    /// Whole milliseconds; those that no threshold can have are cut to the nearest that fits.
    fileprivate var wholeMilliseconds: UInt32 { UInt32(min(max(0, self / .milliseconds(1)), Double(UInt32.max))) }
}

/// What a user asks bridges to a screen to show.
@_spi(Bridge)
public enum ScreenRequest: Hashable, Sendable {
    /// Show where the instances of a view are.
    case pulse(ViewKey)
    /// Show the table of views above everything, or take it away.
    case hud(isOn: Bool)
    /// Flash the views that draw again, or end that.
    case highlight(isOn: Bool)

    init(_ overlay: ScreenOverlay, isOn: Bool) {
        self =
            switch overlay {
            case .hud: .hud(isOn: isOn)
            case .highlight: .highlight(isOn: isOn)
            }
    }
}

/// Collects what bridges say of one request. It is complete when the last of them lets go of it.
@_spi(Bridge)
public final class ScreenReply: Sendable {
    /// What became of a request.
    package struct Sum: Hashable, Sendable {
        /// Handlers and bridges that took it, and bridges that said what they show.
        package var (reached, answered): (UInt32, UInt32) = (0, 0)
        /// Of a pulse, the instances that it was shown over, and all that the bridges know. Of an overlay, the windows.
        package var (shown, instances): (UInt32, UInt32) = (0, 0)
    }

    private let sum = Mutex(Sum())
    private let whenComplete: @Sendable (Sum) -> Void

    /// - Parameter whenComplete: Called once, on the thread that lets go of it last.
    package init(whenComplete: @escaping @Sendable (Sum) -> Void) { self.whenComplete = whenComplete }

    /// Adds what a bridge shows. Any thread.
    public func add(shown: Int, of instances: Int) {
        sum.withLock { sum in
            sum.answered = Self.sum(sum.answered, 1)
            sum.shown = Self.sum(sum.shown, shown)
            sum.instances = Self.sum(sum.instances, instances)
        }
    }

    func noteReached() { sum.withLock { $0.reached = Self.sum($0.reached, 1) } }

    private static func sum(_ number: UInt32, _ more: Int) -> UInt32 {
        UInt32(clamping: Int(number) &+ Int(UInt32(clamping: more)))
    }

    deinit { whenComplete(sum.withLock { $0 }) }
}

/// The bridges that are asked, beside the app's own handler.
struct ScreenFollowers: Sendable {
    typealias Body = @Sendable (ScreenRequest, ScreenReply) -> Bool

    private var followers: [(id: UInt64, body: Body)] = []
    private var serial: UInt64 = 0

    var all: [Body] { followers.map(\.body) }

    mutating func add(_ body: @escaping Body) -> UInt64 {
        serial += 1
        followers.append((serial, body))
        return serial
    }

    mutating func remove(_ id: UInt64) { followers.removeAll { $0.id == id } }
}

// Prints what is known of a view to stderr, when the view is pulsed.

/// Prints the first lines that `rerenderctl explain` has of a view: what happens, and why. An evaluation never prints.
enum PulseText {
    /// What a pipe takes at once, where it takes anything.
    private static let pieceBytes = 4_096

    /// Writes the text to stderr in one call.
    ///
    /// - Parameter waits: Whether it may wait for whoever reads it. Otherwise nothing is written where it would have to, and long
    ///   texts are cut.
    static func print(_ key: ViewKey, of core: StoreCore, waits: Bool = true) {
        guard waits || takesText else { return }
        let stats = unsafe core.knownView(key.rawValue).flatMap { view in
            unsafe view._withUnsafeGuaranteedRef { core.stats(of: $0, wallClock: WallClock()) }
        }
        let all = Array(text(key, store: core.name, stats, areWidgets: core.kind == .widgets).utf8)
        let bytes = waits ? all : Array(all.prefix(pieceBytes))
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Whether stderr takes a text now.
    private static var takesText: Bool {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&descriptor, 1, 0) == 1 && descriptor.revents & Int16(POLLOUT) != 0
    }

    static func text(_ key: ViewKey, store: String, _ stats: Stats?, areWidgets: Bool) -> String {
        let title = "[Rerender] \(key.displayName) in \(Printable.text(store))"
        guard let stats else { return "\(title): not \(areWidgets ? "drawn" : "evaluated") yet\n" }
        let place = stats.file.isEmpty ? "" : ", \(Printable.text(stats.file)):\(stats.line)"
        let instances = stats.instances == 0 ? "no live instance" : Counted.text(stats.instances, "live instance")
        let what = areWidgets ? "It was drawn" : "Its body was evaluated"
        let reasons = stats.reasons.prefix(mostReasons).flatMap { reason in
            ["  \(Counted.grouped(reason.count)) (\(Percent.text(reason.count, of: stats.count))) \(reason.marked)"]
                + reason.writers.prefix(1).map {
                    "      written by \(Printable.text($0.writer)) (\(Counted.grouped($0.count)))"
                }
        }
        let all = ["\(title)\(place)", "  \(what) \(Counted.text(stats.count, "time")); \(instances)."] + reasons
        return all.joined(separator: "\n") + "\n"
    }

    private static let mostReasons = 3
}
