// SPDX-License-Identifier: MIT
// A store for a process without views and widgets: it tells of the main loop alone.

import CRerender
import RerenderModel
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
        /// - Parameters:
        ///   - tables: Tables of sources that were attached before: an array of `struct crerender_source_table`.
        ///   - count: How many.
        ///   - isAlone: Whether there are neither views nor widgets. Otherwise the tables alone are taken.
        /// - Returns: Whether this store tells of the loop.
        @discardableResult
        package static func begin(_ tables: UnsafeRawPointer?, _ count: UInt32, isAlone: Bool) -> Bool {
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
                // Proof: the caller has an array of so many of these.
                unsafe crerender_count_tables(tables?.assumingMemoryBound(to: crerender_source_table.self), count)
                return store != nil
            }
        }
    }
#endif
