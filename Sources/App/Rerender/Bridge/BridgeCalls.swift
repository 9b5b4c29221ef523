// SPDX-License-Identifier: MIT
// What bridges use beside the store of views: a store of the main loop alone, phases as trace events, and names for writes.

import CRerender
import CShared
import RerenderModel
import Signpost
import Synchronization

#if RERENDER_PROBES
    /// The store of a process that has neither views nor widgets to count.
    package enum LoopStore {
        private static let store = Mutex<RerenderStore?>(nil)

        /// Sees which sources are attached from now on: in front of `main`, where widgets will be counted. Without it, those that the program
        /// attaches before the uplink's thread has looked at the process would not be known.
        package static func watchSources() { LoopHooks.installSources() }

        /// Begins to count what the main loop of this process calls, if no store of the process does so.
        ///
        /// On the thread that is about to run the loop, which may wait for the loader: the hooks are there when it returns.
        ///
        /// - Parameter isAlone: Whether there are neither views nor widgets: then a store of the loop is made.
        /// - Returns: Whether this store tells of the loop.
        @discardableResult
        package static func begin(isAlone: Bool) -> Bool {
            store.withLock { store in
                guard !crerender_is_silent() else { return store != nil }
                let might = crerender_thread_may_wait_for_loader()
                crerender_let_thread_wait_for_loader(true)
                defer { crerender_let_thread_wait_for_loader(might) }
                // Another copy of the library, which the program may link, has stores of its own.
                if isAlone, store == nil, LiveStore.all.isEmpty, ProcessRuntime.shared.mainLoop.tracesTurns {
                    store = RerenderStore(named: "loop", of: .loop)
                }
                LoopHooks.installSources()
                return store != nil
            }
        }
    }
#endif

/// Records the phases of one loop, each as an interval.
@_spi(Bridge)
@MainActor
public final class PhaseSignpost {
    private static let provider = Provider.reserved(.phase)

    /// Unique in the process, whichever loop.
    private static var ids: UInt64 = 0
    /// The number of the events of the phase that runs; 0 until it has one.
    private var id: UInt64 = 0

    /// Records nothing yet.
    public init() {}

    /// Makes the provider, so that a session can record the first phase.
    public static func prepare() { _ = provider }

    /// Records that a phase begins. Does nothing while no session records beginnings.
    public func begin(_ phase: String, turn: UInt64) {
        id = 0
        if Self.provider.beginIsOn { record(phase, turn) { $0.emitBegin() } }
    }

    /// Records that the phase ends, whether its beginning was recorded or not. Does nothing while no session records ends.
    public func end(_ phase: String, turn: UInt64) {
        if Self.provider.endIsOn { record(phase, turn) { $0.emitEnd() } }
    }

    private func record(_ phase: String, _ turn: UInt64, _ emit: (csignpost_phase) -> Void) {
        if id == 0 {
            Self.ids += 1
            id = Self.ids
        }
        FieldText.lend(phase) { emit(csignpost_phase(signpost_id: id, name: $0, turn: turn)) }
    }
}

/// Follows what a body reads of `@Observable` models, and names the writes to it as reasons are named.
///
///     let body = names.track(view) { write in … } _: { view.body }
///
/// One thread at a time uses it, apart from the writers that it calls.
@_spi(Bridge)
public final class WriteNames {
    private var reads: ObservedReads?
    private var paths = ModelPaths()

    /// Follows nothing at first.
    public init() {}

    /// Runs a body and follows what it reads, in the place of what it read the last time.
    ///
    /// Proof of the unsafe parts: the pointer is to a value of the type, which lives, unmoved, during the call.
    ///
    /// - Parameters:
    ///   - view: The view, which leads to the models by its stored properties.
    ///   - onWrite: Called on the writers' threads, before each write, until the next body has run or ``end()`` is called.
    ///   - body: The body; run exactly once.
    public func track<View, Output>(
        _ view: View, onWrite: @escaping @Sendable (ObservedWrite) -> Void, _ body: () -> Output
    ) -> Output {
        var found: ObservedReads?
        let output = ObservedReads.track(reads: &found, onWrite: onWrite) { body() }
        // Those from before have told of writes until now.
        reads?.cancel()
        reads = found
        if let found {
            unsafe withUnsafePointer(to: view) { view in
                unsafe paths.update(view: UnsafeRawPointer(view), type: View.self, reads: found)
            }
        }
        return output
    }

    /// What a reader knows a write as, such as `ticker.count`; nil where that cannot be told.
    public func name(of write: ObservedWrite) -> String? { causeName(of: write, reads: reads, paths: paths) }

    /// Ends what is followed.
    public func end() {
        reads?.cancel()
        reads = nil
    }
}

@available(*, unavailable)
extension WriteNames: Sendable {}
