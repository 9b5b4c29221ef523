// SPDX-License-Identifier: MIT
// What GLib's main loop calls at a time.

#if RERENDER_GTK
    import CRerenderGTK

    /// Calls a body at a time, as a source of GLib's main loop. Ends with itself.
    ///
    /// Proof of the unsafe parts: the body is in a box that is retained until after the source has ended; all of it is on the
    /// main actor, which GLib's main loop runs on.
    @MainActor
    @safe
    final class TimedSource {
        private final class Box {
            let body: @MainActor () -> Void
            init(_ body: @escaping @MainActor () -> Void) { self.body = body }
        }

        private let source: UnsafeMutableRawPointer
        private let box: Box

        /// - Parameter beforeDrawing: Whether it is called after all input and right before frames are drawn.
        init(beforeDrawing: Bool, _ body: @escaping @MainActor () -> Void) {
            box = Box(body)
            unsafe source = unsafe render_loop_source(
                beforeDrawing,
                { context in
                    let box = unsafe Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
                    MainActor.assumeIsolated { box.body() }
                }, Unmanaged.passUnretained(box).toOpaque())
        }

        isolated deinit { unsafe render_loop_end_source(source) }

        /// Sets when the body is called, once, in nanoseconds of the monotonic clock; 0 for as soon as possible, nil for never.
        func set(_ nanoseconds: UInt64?) {
            // A microsecond late and not early: what is due then is due.
            unsafe render_loop_set_time(
                source, nanoseconds.map { Int64(($0 / 1_000) + ($0 % 1_000 > 0 ? 1 : 0)) } ?? -1)
        }
    }
#endif
