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
    ///   - reason: Why it is evaluated, where the caller knows.
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
        fileID: StaticString = #fileID,
        line: UInt32 = #line,
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        #if RERENDER_PROBES
            var frame = unsafe EvaluationFrame()
            guard unsafe core.enter(&frame) else { return try body() }
            let instance = instance()
            let reason = reason()
            return try unsafe withUnsafeMutablePointer(to: &frame) { frame throws(Failure) in
                unsafe core.begin(frame, label: label(), parent: parent(), file: fileID, line: line)
                defer { unsafe core.end(frame, instance: instance, reason: reason) }
                return try body()
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
    @inlinable
    @inline(__always)
    public func committed(
        _ label: @autoclosure () -> String, fileID: StaticString = #fileID, line: UInt32 = #line
    ) {
        #if RERENDER_PROBES
            core.commit(label(), file: fileID, line: line)
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
        func commit(_ label: String, file: StaticString, line: UInt32) {
            guard isEnabled, !crerender_is_forked() else { return }
            recordCommit(label: label, file: file, line: line)
        }
    }
#endif
