// SPDX-License-Identifier: MIT
// The probes that a UI framework's bridge calls: around each body, and when it commits or ends a view.

public import RerenderModel
import RerenderWire
import Synchronization

extension RerenderStore {
    /// Evaluates a body, counts the evaluation, and measures its duration.
    ///
    ///     store.evaluate("CartTotal", of: view, instance: id) { view.body }
    ///
    /// Evaluations nest: the innermost one on the thread is the parent of the next. A body that throws is counted like any other.
    /// In a release build only `body` is evaluated.
    ///
    /// - Parameters:
    ///   - label: The view's key; without one it is `"#fileID:#line"`. Over 1,024 bytes of UTF-8 it is shortened.
    ///   - view: The view, whose stored properties are its inputs.
    ///   - inputs: Inputs that the view's stored properties do not show, or all of them where there is no view's value, each with
    ///     its name: `[("title", title), ("size", size)]`. Each is compared as a stored property of that name is; what changed
    ///     is called `title` or `size.width`. Give them all, in each evaluation of the instance: of one that was not given
    ///     before, nothing is known. They are values that nobody writes to before the body begins; nil for none.
    ///   - instance: Which instance of the view this is; nil where it has only one.
    ///   - parent: The parent view, if it is not the one that is being evaluated now.
    ///   - parentInstance: Which instance of the parent; nil where it has only one. Of a parent with several instances, one that
    ///     is not named explains nothing.
    ///   - reason: Why the view is evaluated, if the caller knows. It takes precedence over every cause that Rerender finds.
    ///   - isPass: Whether this is a further evaluation of the instance's last update, of which a framework may ask several:
    ///     for the layout, for sizes, for the commit. It keeps the reason of the update, whatever `view`, `parent` and `reason`
    ///     say. It is counted among `Stats/passes`, and is no waste. Where a cause was announced or observed since the update's
    ///     last evaluation, it is the first evaluation of another update: the library decides that, because a bridge cannot
    ///     know. It also is one where the store does not know the update.
    ///   - comparing: How to tell whether the output is the same as the previous one of this instance; nil for no
    ///     comparison. Without it, only the inputs can show that an evaluation was wasted.
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
        inputs: @autoclosure () -> [(String, Any)]? = nil,
        instance: @autoclosure () -> InstanceID? = nil,
        parent: @autoclosure () -> ViewKey? = nil,
        parentInstance: @autoclosure () -> InstanceID? = nil,
        reason: @autoclosure () -> String? = nil,
        isPass: @autoclosure () -> Bool = false,
        comparing: @autoclosure () -> OutputComparison<Output>? = nil,
        fileID: StaticString = #fileID,
        line: UInt32 = #line,
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        #if RERENDER_PROBES
            // Not a variable: that would be made elsewhere and copied.
            return try unsafe withUnsafeTemporaryAllocation(of: EvaluationCall.self, capacity: 1) {
                memory throws(Failure) in
                let call = unsafe memory.baseAddress.unsafelyUnwrapped
                guard let frame = unsafe core.enter(call) else { return try body() }
                let comparison = comparing()
                let view = view()
                // Each once, in this order, and before the next evaluation begins.
                let (label, instance, parent, parentInstance) = (label(), instance(), parent(), parentInstance())
                let (reason, inputs, isPass) = (reason(), inputs(), isPass())
                let asksForMore = comparison != nil || parent != nil || reason != nil || inputs != nil || isPass
                return try unsafe withUnsafePointer(to: view) { value throws(Failure) in
                    let value = unsafe UnsafeRawPointer(value)
                    let isPlain =
                        unsafe !asksForMore
                        && core.beginPlain(
                            frame, label, instance, value: value, type: View.self, file: fileID, line: line)
                    if isPlain {
                        let output: Output
                        do throws(Failure) {
                            output = try body()
                        } catch {
                            unsafe core.endThrown(frame, call)
                            throw error
                        }
                        unsafe core.endPlain(frame, call)
                        return output
                    }
                    // Made here, because what a closure captures is copied.
                    let arguments = EvaluationArguments(
                        label: label, instance: instance, parent: parent, parentInstance: parentInstance,
                        reason: reason, inputs: inputs, isPass: isPass, file: fileID, line: line)
                    return unsafe try core.evaluate(
                        frame, call, arguments, value: value, type: View.self, comparing: comparison, body)
                }
            }
        #else
            return try body()
        #endif
    }

    /// Reports that an instance of a view has ended.
    ///
    /// Without `instance`, it is the instance without a number. An unknown instance is ignored.
    @inlinable
    @inline(__always)
    public func ended(_ label: @autoclosure () -> String, instance: @autoclosure () -> InstanceID? = nil) {
        #if RERENDER_PROBES
            core.recordEnd(of: instance()?.rawValue, label: label())
        #endif
    }

    /// Counts an update that the framework committed. One update may need several evaluations.
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
            let (label, changed) = (label(), changed())
            core.recordCommit(of: instance()?.rawValue, changed: changed, label: label, file: fileID, line: line)
        #endif
    }

    /// Announces a cause that Observation does not see, such as a framework's own state or an `ObservableObject`.
    ///
    /// The cause becomes the reason of the instance's next evaluation; only the caller's own reason takes precedence. Several
    /// causes are joined. A view or an instance that was never evaluated is ignored: its first reason is `initial`. Any thread.
    ///
    /// - Parameters:
    ///   - label: The view's key.
    ///   - instance: Which instance; without one it is the one that has no number, or all where all have numbers.
    ///   - cause: What changed, in readable form (`count`, `cart.total`). Over 256 bytes of UTF-8 it is shortened.
    ///   - writer: The code that changed it, if known: `Function() File.swift:line`. Without it, Rerender finds the first
    ///     function on the stack that is neither of the calling module nor of ``frameworkModules``; ``recordsWriters`` switches
    ///     that off. Where all functions are of the calling module, it is taken for the app's, and its function is the writer.
    ///   - fileID: The file of the call, which says the module.
    @inlinable
    @inline(__always)
    public func invalidate(
        _ label: @autoclosure () -> String, instance: @autoclosure () -> InstanceID? = nil,
        cause: @autoclosure () -> String, writer: @autoclosure () -> String? = nil, fileID: StaticString = #fileID
    ) {
        #if RERENDER_PROBES
            core.invalidate(label(), instance: instance(), cause: cause(), writer: writer(), from: fileID)
        #endif
    }

    /// Announces a cause that was written before, by the code that ``causeWriter(fileID:)`` noted; otherwise as
    /// ``invalidate(_:instance:cause:writer:fileID:)``.
    ///
    /// For bridges that collect changes and announce them later. Without a writer, none is named.
    @inlinable
    @inline(__always)
    public func invalidate(
        _ label: @autoclosure () -> String, instance: @autoclosure () -> InstanceID? = nil,
        cause: @autoclosure () -> String, by writer: @autoclosure () -> CauseWriter?
    ) {
        #if RERENDER_PROBES
            core.invalidate(label(), instance: instance(), cause: cause(), by: writer())
        #endif
    }

    #if RERENDER_PROBES
        /// Announces a cause that code in another language wrote; otherwise as ``invalidate(_:instance:cause:writer:fileID:)``.
        ///
        /// - Parameter caller: The address that the call of that code returns to; 0 where that is not known.
        package func invalidate(_ label: String, instance: InstanceID?, cause: String, caller: UInt) {
            core.invalidate(label, instance: instance, cause: cause, caller: caller)
        }
    #endif

    /// Notes the code that runs now, as the writer of a cause that is announced later.
    ///
    /// Costs tens of nanoseconds. Any thread. Nil where writers are not recorded and no handler runs, and in a release build.
    ///
    /// - Parameter fileID: The file of the call, which says the framework's module.
    @inlinable
    @inline(__always)
    public func causeWriter(fileID: StaticString = #fileID) -> CauseWriter? {
        #if RERENDER_PROBES
            core.causeWriter(from: fileID)
        #else
            nil
        #endif
    }

    /// Runs an event handler: what it writes names it as a writer, and a hang in it is blamed on it.
    ///
    ///     store.handling("click on Save", of: "Toolbar") { model.save() }
    ///
    /// Handlers nest: the innermost on the thread counts. Bodies that are evaluated inside are the bodies' time. A handler is no
    /// view and no evaluation: no table has it. On a thread without a watched main loop it only names writes. In a
    /// release build only `body` is evaluated.
    ///
    /// - Parameters:
    ///   - name: What the handler is called: what the user did. Over 128 bytes of UTF-8 it is shortened. A store tells
    ///     1,024 handlers apart; time in the next ones is that of `other handlers`.
    ///   - view: The key of the view whose handler it is; nil where it is of none. All instances of a view are one here.
    ///   - body: What handles the event; run exactly once.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @inlinable
    @inline(__always)
    public func handling<Output, Failure>(
        _ name: @autoclosure () -> String, of view: @autoclosure () -> String? = nil,
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        #if RERENDER_PROBES
            guard core.isEnabled else { return try body() }
            return try core.handle(name(), of: view(), reactingTo: nil, body)
        #else
            return try body()
        #endif
    }

    /// Runs a handler that reacts to an evaluation, as `onAppear` and `onChange` do.
    ///
    ///     store.reacting("onChange", of: "Sidebar", instance: id) { action() }
    ///
    /// The same as ``handling(_:of:_:)``. Besides, what it writes is known to be the evaluation's doing: if that leads to another
    /// evaluation of the instance, and so on, that is a cycle, and `rerenderctl stats` names it.
    ///
    /// - Parameters:
    ///   - name: What the handler is called.
    ///   - view: The key of the view to whose latest evaluation it reacts.
    ///   - instance: Which instance; without one it is the only one.
    ///   - body: What reacts; run exactly once.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @inlinable
    @inline(__always)
    public func reacting<Output, Failure>(
        _ name: @autoclosure () -> String, of view: @autoclosure () -> String,
        instance: @autoclosure () -> InstanceID? = nil, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        #if RERENDER_PROBES
            guard core.isEnabled else { return try body() }
            return try core.handle(name(), of: view(), reactingTo: .some(instance()), body)
        #else
            return try body()
        #endif
    }

    /// Reports that the next evaluation of an instance is another one in the same turn of its host, before any commit.
    ///
    /// For hosts with turns of their own. The result before was never shown: once a commit shows
    /// the next one, the evaluation before it counts as wasted, `WasteKind/twiceInATurn`. Nothing happens for a view or
    /// an instance that was never evaluated. Any thread.
    ///
    /// - Parameters:
    ///   - label: The view's key.
    ///   - instance: Which instance; without one it is the one that has no number, or all where all have numbers.
    @inlinable
    @inline(__always)
    public func evaluatesAgain(
        _ label: @autoclosure () -> String, instance: @autoclosure () -> InstanceID? = nil
    ) {
        #if RERENDER_PROBES
            core.evaluatesAgain(label(), instance: instance())
        #endif
    }

    /// Tracks reads that belong to a view but run outside its body, such as those of a lazy container's closures.
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
            return try core.trackReported(label(), instance()?.rawValue, body)
        #else
            return try body()
        #endif
    }

    /// Reports that a turn of the calling thread's loop begins, for hosts with a loop of their own.
    ///
    /// Evaluations of one numbered instance in the same turn are then seen to be so. The turn is this store's and this thread's:
    /// a store has one turn at a time, the last that was reported. Inside a turn of a loop of GLib or CFRunLoop, which
    /// is known, that one counts.
    @inlinable
    @inline(__always)
    public func turnBegan() {
        #if RERENDER_PROBES
            core.beginTurn()
        #endif
    }
}

/// The code that wrote a cause, noted when it was written. See ``RerenderStore/causeWriter(fileID:)``.
public struct CauseWriter: Sendable {
    #if RERENDER_PROBES
        let writer: Writer?
        /// The step that wrote.
        let link: CauseLink?
    #endif
}

#if RERENDER_PROBES
    extension StoreCore {
        @usableFromInline
        func invalidate(
            _ label: String, instance: InstanceID?, cause: String, writer: String?, from fileID: StaticString
        ) {
            let told = writer.map { text in
                let function = Writer.Function.told(LongText.bounded(text, to: WireLimits.stringBytes))
                return Writer(function: function, origin: WriteOrigin(stack: .none, handler: .ofThisThread))
            }
            let writer = told ?? self.writer(from: fileID)
            note(instance, of: label, cause: cause, by: writer, in: Self.currentLink())
        }

        @usableFromInline
        func invalidate(_ label: String, instance: InstanceID?, cause: String, by writer: CauseWriter?) {
            note(instance, of: label, cause: cause, by: writer?.writer, in: writer?.link)
        }

        fileprivate func invalidate(_ label: String, instance: InstanceID?, cause: String, caller: UInt) {
            let isRecorded = caller != 0 && settings.recordsWriters.load(ordering: .relaxed)
            let origin = WriteOrigin(stack: .ofCaller(caller), handler: .ofThisThread)
            let writer = isRecorded ? Writer(function: .caller, origin: origin) : nil
            note(instance, of: label, cause: cause, by: writer, in: Self.currentLink())
        }

        private func note(
            _ instance: InstanceID?, of label: String, cause: String, by writer: Writer?, in step: CauseLink?
        ) {
            let cause = LongText.bounded(cause, to: WireLimits.stringBytes)
            note(instance, of: label) { $0.note(cause: cause, writer: writer, of: step) }
        }

        @usableFromInline
        func causeWriter(from fileID: StaticString) -> CauseWriter? {
            guard isEnabled else { return nil }
            let (writer, link) = (writer(from: fileID), Self.currentLink())
            return writer == nil && link == nil ? nil : CauseWriter(writer: writer, link: link)
        }

        /// The code that runs now; nil if nothing of it is to be known.
        private func writer(from fileID: StaticString) -> Writer? {
            let origin = WriteOrigin.ofCaller(settings.recordsWriters.load(ordering: .relaxed))
            guard origin.isKnown else { return nil }
            let framework = Framework(
                caller: Framework.module(of: fileID), modules: settings.frameworkModules.withLock { $0 })
            return Writer(function: .outside(framework), origin: origin)
        }

        /// Notes the code that runs now as the writer of a property that is compared; without a framework, that there was one.
        func noteWriter(of property: String, _ label: String, instance: InstanceID?, outside framework: Framework?) {
            guard isEnabled else { return }
            guard let framework else { return note(instance, of: label) { $0.note(writer: nil, of: property) } }
            let origin = WriteOrigin.ofCaller(settings.recordsWriters.load(ordering: .relaxed))
            guard origin.isKnown else { return }
            let writer = Writer(function: .outside(framework), origin: origin)
            note(instance, of: label) { $0.note(writer: writer, of: property) }
        }

        @usableFromInline
        func evaluatesAgain(_ label: String, instance: InstanceID?) {
            note(instance, of: label) { $0.noteAgain() }
        }

        @usableFromInline
        func beginTurn() {
            hostTurn.begin(process.nextHostTurn())
        }
    }
#endif
