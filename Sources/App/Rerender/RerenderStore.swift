// SPDX-License-Identifier: MIT
// The store: what an app makes, puts around its bodies, and asks.

public import FoundationEssentials
// An app names the types of the model with `import Rerender` alone: it holds only what a store takes and gives.
@_exported public import RerenderModel
import RerenderWire
import Synchronization

/// Counts and times the evaluations of view bodies.
///
/// A store is a handle: its copies stand for the same store, which lives until the last of them is gone. A process may
/// have several, each with views of its own. Everything here may be called on any thread.
///
/// In a release build a store is empty, no argument of a probe is evaluated, and `evaluate` is the bare body; the trait
/// `AlwaysOn` keeps everything in. `RERENDER=0` in the environment switches an instrumented app off.
public struct RerenderStore: Sendable {
    #if RERENDER_PROBES
        @usableFromInline let core: StoreCore
        private let lifetime: StoreLifetime
    #endif

    /// Makes a store; the first of a process starts its connection to the daemon.
    ///
    /// The name tells the stores of a process apart; up to 256 bytes of UTF-8. With `RERENDER_WAIT_FOR_TRACER=MS` in the
    /// environment, the first store waits at most that long until tracing is ready.
    @inlinable
    public init(name: @autoclosure () -> String = "main") {
        #if RERENDER_PROBES
            self.init(named: name())
        #endif
    }

    #if RERENDER_PROBES
        @usableFromInline
        init(named name: String) {
            let context = ProcessContext.shared
            core = context.makeStore(name: String(name.prefix(utf8Bytes: WireLimits.stringBytes)))
            lifetime = StoreLifetime(core)
            guard context.isEnabled else { return }
            StackID.prepare()
            // Before the wait for the tracer, which is for all events of ours.
            WriteSignpost.prepare()
            ViewSignpost.prepare()
            TurnSignpost.prepare()
            _ = BodyEvalSignpost.isPrepared
            LoopMonitor.install()
            Uplink.add(core)
        }
    #endif
}

// MARK: - Settings

extension RerenderStore {
    /// Whether evaluations are counted; true unless `RERENDER=0` holds. While false, `evaluate` is the bare body.
    @inlinable
    public var isEnabled: Bool {
        get {
            #if RERENDER_PROBES
                core.isEnabled
            #else
                false
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.setEnabled(newValue)
            #endif
        }
    }

    /// Whether a pulse prints what is known of its view to stderr; true at first. An evaluation never prints.
    @inlinable
    public var isConsoleLoggingEnabled: Bool {
        get {
            #if RERENDER_PROBES
                core.isLogging
            #else
                false
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.isLogging = newValue
            #endif
        }
    }

    /// From how many milliseconds on a turn of the main loop is a hang; 250 at first.
    ///
    /// Values outside of `HangThreshold/allowedMilliseconds` are brought to its ends.
    @inlinable
    public var hangThresholdMilliseconds: Int {
        get {
            #if RERENDER_PROBES
                core.hangThresholdMilliseconds
            #else
                Int(HangThreshold.hangMilliseconds)
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.hangThresholdMilliseconds = newValue
            #endif
        }
    }

    /// From how many milliseconds on a turn of the main loop is a micro-hang, which is counted and not listed; 100 at first.
    ///
    /// Values outside of `HangThreshold/allowedMilliseconds` are brought to its ends.
    @inlinable
    public var microHangThresholdMilliseconds: Int {
        get {
            #if RERENDER_PROBES
                core.microHangThresholdMilliseconds
            #else
                Int(HangThreshold.microHangMilliseconds)
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.microHangThresholdMilliseconds = newValue
            #endif
        }
    }

    /// Whether the main thread's stack is taken in a hang, at most eight times; false at first, unless
    /// `RERENDER_HANG_STACKS=1` is in the environment.
    ///
    /// A signal interrupts the thread for it: calls that the kernel does not restart, such as `sleep`, `poll` and
    /// `epoll_wait`, return early, as they may at any time. One store that wants stacks suffices. While none does, there is
    /// no handler.
    @inlinable
    public var recordsHangStacks: Bool {
        get {
            #if RERENDER_PROBES
                core.recordsHangStacks
            #else
                false
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.setRecordsHangStacks(newValue)
            #endif
        }
    }

    /// Which part of the evaluations compares the view's stored properties with those of the one before: 1, always, at
    /// first; 0 never. Values outside of 0...1 are brought to its ends.
    ///
    /// An evaluation that is not compared has no property of its own as its reason, and no waste is inferred for it.
    @inlinable
    public var reflectionSampling: Double {
        get {
            #if RERENDER_PROBES
                core.reflectionSampling
            #else
                0
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.reflectionSampling = newValue
            #endif
        }
    }

    /// How many levels of nested values a comparison enters: 8 at first, 1 to 32. What lies deeper is not known.
    @inlinable
    public var reflectionDepth: Int {
        get {
            #if RERENDER_PROBES
                core.reflectionDepth
            #else
                0
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.reflectionDepth = newValue
            #endif
        }
    }

    /// Whether the code that writes an observed property is looked up; true at first. Costs tens of nanoseconds a write.
    @inlinable
    public var recordsWriters: Bool {
        get {
            #if RERENDER_PROBES
                core.recordsWriters
            #else
                false
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.recordsWriters = newValue
            #endif
        }
    }

    /// Called with a view's key when somebody asks to be shown the view (`rerenderctl pulse KEY`).
    ///
    /// It runs on Rerender's own thread and must not block; hop to the main loop to draw. Setting it replaces the one
    /// before; nil removes it.
    @inlinable
    public var onPulse: (@Sendable (ViewKey) -> Void)? {
        get {
            #if RERENDER_PROBES
                core.onPulse
            #else
                nil
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.onPulse = newValue
            #endif
        }
    }

    /// Called when a hang of the main loop has ended that took at least ``hangThresholdMilliseconds``; only while a daemon is
    /// connected, which is who sees hangs.
    ///
    /// It runs on Rerender's own thread and must not block. A hang that the daemon does not list, because its own threshold
    /// is longer, has the `Hang/id` 0. Setting it replaces the one before; nil removes it.
    @inlinable
    public var onHang: (@Sendable (Hang) -> Void)? {
        get {
            #if RERENDER_PROBES
                core.onHang
            #else
                nil
            #endif
        }
        nonmutating set {
            #if RERENDER_PROBES
                core.onHang = newValue
            #endif
        }
    }
}

// MARK: - Results

extension RerenderStore {
    /// What is known of each view, most evaluations first, then by key; empty in a release build.
    public var stats: [Stats] {
        #if RERENDER_PROBES
            core.stats()
        #else
            []
        #endif
    }

    /// Begins anew with all counts at zero; the instances that live are remembered.
    ///
    /// An evaluation that ends while this runs counts before or after it, never both.
    @inlinable
    public func reset() {
        #if RERENDER_PROBES
            core.reset()
        #endif
    }

    /// This store as a `StatsExport`: UTF-8, keys sorted, pretty-printed; without processes in a release build.
    public func exportJSON() -> Data {
        #if RERENDER_PROBES
            let export = StatsExport(processes: [core.export()])
        #else
            let export = StatsExport(processes: [])
        #endif
        // It throws only for values that JSON cannot hold, of which there are none.
        return (try? export.json()) ?? Data()
    }

    /// ``exportJSON()`` as a string.
    public func exportJSONString() -> String {
        String(decoding: exportJSON(), as: UTF8.self)
    }
}

#if RERENDER_PROBES
    /// Ends its store when the last copy of the handle is gone.
    private final class StoreLifetime: Sendable {
        private let core: StoreCore

        init(_ core: StoreCore) {
            self.core = core
        }

        deinit {
            Uplink.end(core)
        }
    }

    extension StoreCore {
        @usableFromInline var isEnabled: Bool { isCounting.load(ordering: .relaxed) }

        @usableFromInline var isLogging: Bool {
            get { isConsoleLoggingEnabled.load(ordering: .relaxed) }
            set { isConsoleLoggingEnabled.store(newValue, ordering: .relaxed) }
        }

        @usableFromInline var reflectionSampling: Double {
            get { settings.sampling }
            set { settings.sampling = newValue }
        }

        @usableFromInline var reflectionDepth: Int {
            get { settings.depth }
            set { settings.depth = newValue }
        }

        @usableFromInline var recordsWriters: Bool {
            get { settings.recordsWriters.load(ordering: .relaxed) }
            set { settings.recordsWriters.store(newValue, ordering: .relaxed) }
        }

        @usableFromInline var hangThresholdMilliseconds: Int {
            get { Int(hangThreshold.load(ordering: .relaxed)) }
            set { setThreshold(hangThreshold, UInt32(clamping: newValue)) }
        }

        @usableFromInline var microHangThresholdMilliseconds: Int {
            get { Int(microHangThreshold.load(ordering: .relaxed)) }
            set { setThreshold(microHangThreshold, UInt32(clamping: newValue)) }
        }

        @usableFromInline var recordsHangStacks: Bool { wantsHangStacks.load(ordering: .relaxed) }

        @usableFromInline var onHang: (@Sendable (Hang) -> Void)? {
            get { hangHandler.withLock { $0 } }
            set { hangHandler.withLock { $0 = newValue } }
        }

        @usableFromInline var onPulse: (@Sendable (ViewKey) -> Void)? {
            get { pulseHandler.withLock { $0 } }
            set { pulseHandler.withLock { $0 = newValue } }
        }
    }
#endif
