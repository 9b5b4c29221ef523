// SPDX-License-Identifier: MIT
// A phase of a view, or an event handler, whose beginning and end are seen from outside.

import CRerender
import RerenderModel
import RerenderWire

#if RERENDER_PROBES
    /// What time of the main loop goes to while it runs, except for bodies and other spans in it.
    ///
    /// Proof of the unsafe parts: a span's memory is the caller's, who ends or forgets it in the order of a stack on the thread that began it;
    /// what it names lives as long as the store, which this keeps.
    @safe
    package final class InjectedSpan: Sendable {
        private let store: RerenderStore
        private let timed: TimedPlace
        private let handler: EventHandler?

        init(_ timed: TimedPlace, handler: EventHandler? = nil, in store: RerenderStore) {
            (self.timed, self.handler, self.store) = (timed, handler, store)
        }

        /// An event handler of a view, or of none.
        package init(handler name: String, of view: String?, in store: RerenderStore) {
            let (named, timed) = store.core.handler(name, of: view)
            (self.timed, handler, self.store) = (timed.timed, named, store)
        }

        /// All handlers for which there is no room.
        package static func otherHandlers(in store: RerenderStore) -> InjectedSpan {
            InjectedSpan(handler: HandlerName.others.name, of: nil, in: store)
        }

        /// The memory that one run takes, aligned as a word is.
        package static var byteCount: Int { unsafe MemoryLayout<TimedSpan>.stride }

        /// It begins; returns when, in nanoseconds.
        @inline(__always)
        package func begin(in memory: UnsafeMutableRawPointer) -> UInt64 {
            let span = unsafe memory.assumingMemoryBound(to: TimedSpan.self)
            let core = store.core
            unsafe span.initialize(
                to: core.span(of: timed, handler: handler.map { unsafe Unmanaged.passUnretained($0) }))
            return unsafe core.begin(span)
        }

        /// It ends; returns when, in nanoseconds.
        @inline(__always)
        package func end(in memory: UnsafeMutableRawPointer) -> UInt64 {
            unsafe store.core.end(memory.assumingMemoryBound(to: TimedSpan.self))
        }

        /// Its call was left by a jump: what is around it is what runs now.
        package static func forget(in memory: UnsafeMutableRawPointer) {
            unsafe crerender_set_span(memory.assumingMemoryBound(to: TimedSpan.self).pointee.enclosing)
        }

        /// Runs something as the span.
        package func run<Result>(_ body: () -> Result) -> Result {
            let core = store.core
            var span = unsafe core.span(of: timed, handler: handler.map { unsafe Unmanaged.passUnretained($0) })
            return unsafe withUnsafeMutablePointer(to: &span) { span in
                unsafe core.begin(span)
                defer { unsafe core.end(span) }
                return body()
            }
        }
    }
#endif
