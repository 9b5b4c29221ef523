// SPDX-License-Identifier: MIT
// The probe that the bridge of every UI framework calls, and what it tells beside.

import CRerender
public import RerenderModel

extension RerenderStore {
    /// Evaluates a body, counts it, and takes its time.
    ///
    ///     store.evaluate("CartTotal", of: view, instance: id) { view.body }
    ///
    /// Evaluations nest: the innermost that runs on the thread is the parent of the next. A body that throws is counted
    /// like any other. In a release build only `body` is evaluated.
    ///
    /// - Parameters:
    ///   - label: The view's key; without one it is `"#fileID:#line"`. Over 1,024 bytes of UTF-8 it is shortened.
    ///   - view: The view, whose stored properties are its inputs.
    ///   - instance: Which instance of the view this is; nil where it has only one.
    ///   - parent: The view that this one belongs to, where it is not the one being evaluated now.
    ///   - reason: Why it is evaluated, where the caller knows; it outranks every cause that is found.
    ///   - comparing: How to tell whether the output is the same as the previous one of this instance; nil where nobody
    ///     asks. Without it, only the inputs can show that an evaluation was wasted.
    ///   - fileID: The file of the probe.
    ///   - line: The line of the probe.
    ///   - body: The body; evaluated exactly once.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @inlinable
    @inline(__always)
    public func evaluate<View, Output, Failure>(
        _ label: @autoclosure () -> String? = nil,
        of view: @autoclosure () -> View = (),
        instance: @autoclosure () -> InstanceID? = nil,
        parent: @autoclosure () -> ViewKey? = nil,
        reason: @autoclosure () -> String? = nil,
        comparing: @autoclosure () -> OutputComparison<Output>? = nil,
        fileID: StaticString = #fileID,
        line: UInt32 = #line,
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        #if RERENDER_PROBES
            var frame = unsafe EvaluationFrame()
            guard unsafe core.enter(&frame) else { return try body() }
            let arguments = EvaluationArguments(
                label: label(), instance: instance(), parent: parent(), reason: reason(), file: fileID, line: line)
            let comparison = comparing()
            let view = view()
            return try unsafe withUnsafeMutablePointer(to: &frame) { frame throws(Failure) in
                try unsafe withUnsafePointer(to: view) { value throws(Failure) in
                    unsafe core.begin(frame, arguments, value: UnsafeRawPointer(value), type: View.self)
                    defer { unsafe core.end(frame) }
                    return unsafe try core.run(frame, comparing: comparison, body)
                }
            }
        #else
            return try body()
        #endif
    }

    /// Says that an instance of a view is gone.
    ///
    /// Without an instance it is the one that has no number. Nothing happens if it was not known.
    @inlinable
    @inline(__always)
    public func ended(_ label: @autoclosure () -> String, instance: @autoclosure () -> InstanceID? = nil) {
        #if RERENDER_PROBES
            core.end(instance(), of: label())
        #endif
    }

    /// Counts an update that the framework committed, beside the evaluations, of which one update may need several.
    ///
    /// - Parameters:
    ///   - label: The view's key.
    ///   - changed: Whether the commit changed anything on screen. `false` says that every evaluation of the instance
    ///     since its last commit was wasted, measured; `true` that the latest was needed; nil says nothing.
    ///   - instance: Which instance; without one it is the one that has no number, or else the one evaluated last.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    @inlinable
    @inline(__always)
    public func committed(
        _ label: @autoclosure () -> String, changed: @autoclosure () -> Bool? = nil,
        instance: @autoclosure () -> InstanceID? = nil, fileID: StaticString = #fileID, line: UInt32 = #line
    ) {
        #if RERENDER_PROBES
            core.commit(label(), changed: changed(), instance: instance(), file: fileID, line: line)
        #endif
    }

    /// Announces a cause that Observation cannot see: a framework's own state, an `ObservableObject`.
    ///
    /// It becomes the reason of the instance's next evaluation, before everything but the caller's own reason. Several
    /// are joined. Nothing happens for a view or an instance that was never evaluated: its first reason is `initial`.
    /// Any thread.
    ///
    /// - Parameters:
    ///   - label: The view's key.
    ///   - instance: Which instance; without one it is the one that has no number, or all where all have numbers.
    ///   - cause: What changed, as a reader knows it (`count`, `cart.total`); up to 256 bytes of UTF-8.
    ///   - writer: Who changed it, where that is known: `Function() File.swift:line`.
    @inlinable
    @inline(__always)
    public func invalidate(
        _ label: @autoclosure () -> String, instance: @autoclosure () -> InstanceID? = nil,
        cause: @autoclosure () -> String, writer: @autoclosure () -> String? = nil
    ) {
        #if RERENDER_PROBES
            core.invalidate(label(), instance: instance(), cause: cause(), writer: writer())
        #endif
    }

    /// Says that the next evaluation of an instance is a further one in the same turn of its host, before any commit.
    ///
    /// For hosts that know their turns better than the main loop's. The result before was never shown: once a commit shows
    /// the next one, the evaluation before it counts as wasted, `WasteKind/twiceInATurn`. Nothing happens for a view or
    /// an instance that was never evaluated. Any thread.
    ///
    /// - Parameters:
    ///   - label: The view's key.
    ///   - instance: Which instance; without one it is the one that has no number, or all where all have numbers.
    ///   - handler: What of the host's led to it (`onAppear of Cart`), where that is known: it is among the writers of the
    ///     evaluation's reason. Up to 256 bytes of UTF-8.
    @inlinable
    @inline(__always)
    public func evaluatesAgain(
        _ label: @autoclosure () -> String, instance: @autoclosure () -> InstanceID? = nil,
        handler: @autoclosure () -> String? = nil
    ) {
        #if RERENDER_PROBES
            core.evaluatesAgain(label(), instance: instance(), handler: handler())
        #endif
    }

    /// Reports reads that belong to a view but run outside of its body: a lazy container's closures.
    ///
    /// Writes to what `body` reads count as causes of the instance's next evaluation, which ends the report. It counts no
    /// evaluation. A view that was never evaluated has nothing to add to: then this is the bare body.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    @inline(__always)
    public func reading<Output, Failure>(
        _ label: @autoclosure () -> String, instance: @autoclosure () -> InstanceID? = nil,
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        #if RERENDER_PROBES
            return try core.read(label(), instance: instance(), body)
        #else
            return try body()
        #endif
    }

    /// Says that a turn of the main loop begins, for hosts with a loop of their own.
    ///
    /// Evaluations of one instance in the same turn are then seen to be so. The turn is the process's, whichever store is
    /// asked. It counts only where no loop of GLib or CFRunLoop was seen: the turns of those are known.
    @inlinable
    @inline(__always)
    public func turnBegan() {
        #if RERENDER_PROBES
            core.beginTurn()
        #endif
    }
}

#if RERENDER_PROBES
    extension StoreCore {
        @usableFromInline
        func end(_ instance: InstanceID?, of label: String) {
            guard isEnabled, !crerender_is_forked() else { return }
            recordEnd(of: instance?.rawValue, label: label)
        }

        @usableFromInline
        func commit(_ label: String, changed: Bool?, instance: InstanceID?, file: StaticString, line: UInt32) {
            guard isEnabled, !crerender_is_forked() else { return }
            recordCommit(of: instance?.rawValue, changed: changed, label: label, file: file, line: line)
        }

        @usableFromInline
        func invalidate(_ label: String, instance: InstanceID?, cause: String, writer: String?) {
            guard isEnabled, !crerender_is_forked() else { return }
            announce(cause, writer: writer, to: instance?.rawValue, label: label)
        }

        @usableFromInline
        func evaluatesAgain(_ label: String, instance: InstanceID?, handler: String?) {
            guard isEnabled, !crerender_is_forked() else { return }
            noteAgain(handler: handler, instance: instance?.rawValue, label: label)
        }

        @usableFromInline
        func read<Output, Failure>(
            _ label: String, instance: InstanceID?, _ body: () throws(Failure) -> Output
        ) throws(Failure) -> Output {
            guard isEnabled, !crerender_is_forked() else { return try body() }
            return try trackReported(label, instance?.rawValue, body)
        }

        @usableFromInline
        func beginTurn() {
            MainLoopTurn.begin()
        }
    }
#endif
