// SPDX-License-Identifier: MIT
// The store: an app makes one, puts it around its view bodies, and reads the counts. A toolkit's part tells it of frames.

import CRerender
public import FoundationEssentials
// An app names the types of the model with `import Rerender` alone: it holds only what a store takes and gives.
@_exported public import RerenderModel
import RerenderWire
import Synchronization

/// Counts and times the evaluations of view bodies.
///
/// A store is a handle: copies refer to the same store, which lives until the last copy is gone. A process may have several
/// stores, each with its own views. You can call everything here on any thread.
///
/// In a release build a store is empty, no argument of a probe is evaluated, and `evaluate` is the bare body. The trait
/// `AlwaysOn` keeps the probes in release builds. `RERENDER=0` in the environment switches an instrumented app off, and
/// `rerenderctl off` all apps of a user, also those that run.
public struct RerenderStore: Sendable {
    #if RERENDER_PROBES
        @usableFromInline let core: StoreCore
        private let lifetime: StoreLifetime
    #endif

    /// Makes a store. The first one of a process starts the connection with the daemon.
    ///
    /// The name tells the stores of a process apart. It has up to 256 bytes of UTF-8. With `RERENDER_WAIT_FOR_TRACER=MS` in the
    /// environment, the first store waits at most that long until tracing is ready.
    @inlinable
    public init(name: @autoclosure () -> String = "main") {
        #if RERENDER_PROBES
            self.init(named: name())
        #endif
    }

    #if RERENDER_PROBES
        @usableFromInline
        init(named name: String) { self.init(named: name, of: .views) }

        /// Makes a store of what the program does not count itself.
        package init(named name: String, of kind: StoreKind) {
            let runtime = ProcessRuntime.shared
            core = runtime.context.makeStore(name: String(name.prefix(utf8Bytes: WireLimits.stringBytes)), of: kind)
            lifetime = StoreLifetime(core)
            guard runtime.context.isEnabled, !crerender_is_silent() else { return }
            StackID.prepare()
            // Before the wait for the tracer, so that it covers all events.
            WriteSignpost.prepare()
            ViewSignpost.prepare()
            TurnSignpost.prepare()
            LoopSignposts.prepare()
            _ = BodyEvalSignpost.isPrepared
            runtime.add(core)
        }
    #endif
}

// MARK: - Settings

extension RerenderStore {
    /// Whether evaluations are counted; true unless `RERENDER=0` is set. While it is false, `evaluate` is the bare body.
    ///
    /// Once the user switched Rerender off with `rerenderctl off`, it is false and stays so until the app is started again.
    public var isEnabled: Bool {
        get { read(false) { $0.isEnabled } }
        nonmutating set { write { $0.setEnabled(newValue) } }
    }

    /// Whether a pulse prints the statistics of its view to stderr; true by default. An evaluation never prints.
    public var isConsoleLoggingEnabled: Bool {
        get { read(false) { $0.isConsoleLoggingEnabled.load(ordering: .relaxed) } }
        nonmutating set { write { $0.isConsoleLoggingEnabled.store(newValue, ordering: .relaxed) } }
    }

    /// The duration from which a turn of the main loop is a hang; 250 ms by default.
    ///
    /// Kept in whole milliseconds. Values outside `HangThreshold/allowedMilliseconds` are clamped.
    public var hangThreshold: Duration {
        get { read(.milliseconds(HangThreshold.hangMilliseconds)) { $0.hangThreshold } }
        nonmutating set { write { $0.hangThreshold = newValue } }
    }

    /// The duration from which a turn of the main loop is a micro-hang; 100 ms by default. Micro-hangs are counted and not
    /// listed.
    ///
    /// Kept in whole milliseconds. Values outside `HangThreshold/allowedMilliseconds` are clamped.
    public var microHangThreshold: Duration {
        get { read(.milliseconds(HangThreshold.microHangMilliseconds)) { $0.microHangThreshold } }
        nonmutating set { write { $0.microHangThreshold = newValue } }
    }

    /// Whether the main thread's stack is taken during a hang also where it runs, at most eight times; false by default, unless
    /// `RERENDER_HANG_STACKS=1` is in the environment.
    ///
    /// The stack of a thread that waits is read without a signal, always. A signal interrupts the thread only while it runs, so that
    /// no wait ends early. Before Linux 5.10, a thread that just begins to wait may get `EINTR`. If one store wants stacks, they are
    /// taken. While none does, no signal handler is installed.
    public var hangStacks: Bool {
        get { read(false) { $0.hangStacks.load(ordering: .relaxed) } }
        nonmutating set { write { $0.setHangStacks(newValue) } }
    }

    /// How many levels of nested values a comparison enters: 8 by default, 1 to 32. Deeper values count as unknown.
    public var reflectionDepth: Int {
        get { read(0) { $0.settings.depth } }
        nonmutating set { write { $0.settings.depth = newValue } }
    }

    /// Whether Rerender looks up the code that writes an observed property or announces a cause; true by default. Costs tens of
    /// nanoseconds per write.
    public var recordsWriters: Bool {
        get { read(false) { $0.settings.recordsWriters.load(ordering: .relaxed) } }
        nonmutating set { write { $0.settings.recordsWriters.store(newValue, ordering: .relaxed) } }
    }

    /// The modules of the framework that announces causes: none of their functions is named as the writer of a cause. Empty by
    /// default; the module that calls ``invalidate(_:instance:cause:writer:fileID:)`` is left out in any case.
    ///
    /// A bridge names its own modules, and those that it is called through (`["SwiftCrossUI", "OpenCombine"]`).
    public var frameworkModules: Set<String> {
        get { read([]) { $0.settings.frameworkModules.withLock { $0 } } }
        nonmutating set { write { core in core.settings.frameworkModules.withLock { $0 = newValue } } }
    }

    /// Called with a view's key when a user asks to see the view (`rerenderctl pulse KEY`).
    ///
    /// The handler runs on Rerender's own thread and must not block; switch to the main loop to draw. Setting a handler replaces
    /// the previous one; nil removes it.
    public var onPulse: (@Sendable (ViewKey) -> Void)? {
        get { read(nil) { $0.pulseHandler.closure } }
        nonmutating set { write { core in core.pulseHandler.set(newValue) } }
    }

    /// Called when a hang of the main loop has ended that took at least ``hangThreshold``. Only while a daemon is
    /// connected, because the daemon detects hangs.
    ///
    /// It runs on Rerender's own thread and must not block. A hang that the daemon does not list, because its own threshold
    /// is longer, has the `Hang/id` 0. Setting it replaces the one before; nil removes it.
    public var onHang: (@Sendable (Hang) -> Void)? {
        get { read(nil) { $0.hangHandler.closure } }
        nonmutating set { write { core in core.hangHandler.set(newValue) } }
    }

    /// A setting of the store; in a release build what it is there.
    private func read<Value>(_ inRelease: Value, _ setting: (StoreCore) -> Value) -> Value {
        #if RERENDER_PROBES
            setting(core)
        #else
            inRelease
        #endif
    }

    private func write(_ change: (StoreCore) -> Void) {
        #if RERENDER_PROBES
            change(core)
        #endif
    }
}

// MARK: - Results

extension RerenderStore {
    /// The statistics of each view, most evaluations first, then by key; empty in a release build.
    public var stats: [Stats] {
        #if RERENDER_PROBES
            core.stats()
        #else
            []
        #endif
    }

    /// Sets all counts to zero. Live instances stay known.
    ///
    /// An evaluation that ends during the call counts either before the reset or after it.
    @inlinable
    public func reset() {
        #if RERENDER_PROBES
            core.reset()
        #endif
    }

    /// Gives this moment a name, as `rerenderctl mark` does: `rerenderctl stats --since NAME` shows what happened since then.
    ///
    ///     store.mark("the list is shown")
    ///
    /// It is a moment of the process, whichever store it is called on. The daemon takes the counts as they are when it gets the name, which
    /// may be a tenth of a second later, and keeps those of the last eight marks. Of more than four marks within that time, the further ones
    /// are left out. Does nothing without a daemon, and while the store counts nothing. Any thread; it takes a lock, and may make one
    /// system call.
    ///
    /// - Parameter name: Over 128 bytes of UTF-8 it is cut; an empty one is no mark.
    @inlinable
    public func mark(_ name: @autoclosure () -> String) {
        #if RERENDER_PROBES
            keepMark(name())
        #endif
    }

    #if RERENDER_PROBES
        @usableFromInline
        func keepMark(_ name: String) {
            if core.isEnabled { _ = ProcessRuntime.shared.mark(name) }
        }
    #endif

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
}

#if RERENDER_PROBES
    /// Ends its store when the last copy of the handle is gone.
    private final class StoreLifetime: Sendable {
        private let core: StoreCore

        init(_ core: StoreCore) {
            self.core = core
        }

        deinit {
            ProcessRuntime.shared.end(core)
        }
    }
#endif

#if RERENDER_PROBES
    extension RerenderStore {
        /// A frame begins on GTK's thread; returns a number for ``frameEnded(_:_:)``.
        package func frameBegan() -> UInt64 {
            let now = MonotonicClock.now
            guard let loop = core.loopRecord, core.mainLoop.runsOnThisThread(loop, at: now) else { return 0 }
            return loop.frameBegan(at: now)
        }

        /// A frame has ended: counts it, and where it is over its interval, counts it for the view with most of it.
        ///
        /// The rule is that of hangs: a fifth of it at least, in one phase. Bodies of other stores count, too. A handler does not.
        package func frameEnded(_ number: UInt64, _ frame: MeasuredFrame) {
            core.record(frame)
            guard frame.isOverInterval, let view = view(ofFrame: number, frame) else { return }
            let store = ProcessRuntime.shared.liveStores.first { $0.id == view.storeID }
            guard let store, view.index < store.allViews.count else { return }
            store.recordFrameOverInterval(of: store.allViews[Int(view.index)])
        }

        private func view(ofFrame number: UInt64, _ frame: MeasuredFrame) -> (storeID: UInt32, index: UInt32)? {
            let now = MonotonicClock.now
            guard number != 0, let loop = core.loopRecord, core.mainLoop.runsOnThisThread(loop, at: now),
                let largest = loop.largest(ofFrame: number, at: now), largest.nanoseconds >= frame.nanoseconds / 5,
                let named = LoopLayout.named(largest.word), named.phase != .handler
            else { return nil }
            return (named.storeID, named.index)
        }

        /// Says that something may be missing from the counts, in the place of what was said of the same cause. Any thread.
        ///
        /// - Parameters:
        ///   - cause: One of few: a store keeps four.
        ///   - sentence: What is missing and why, without a full stop; cut at 512 bytes.
        package func noteGap(_ cause: String, _ sentence: String) { core.noteGap(cause, sentence) }

        /// A frame was presented so long after it began.
        package func framePresented(nanoseconds: UInt64) { core.recordPresented(nanoseconds: nanoseconds) }
    }
#endif
