// SPDX-License-Identifier: MIT
// A view whose body is called through a hook, in a program that knows nothing of Rerender.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

#if RERENDER_PROBES
    extension RerenderStore {
        /// A number that a reset raises: views that were not seen are listed anew.
        package var injectedEpoch: UInt32 { core.epoch }

        /// Counts an evaluation for which there was no room.
        package func noteDropped() { if core.isEnabled { core.recordDropped() } }
    }

    /// Counts the evaluations of one view from outside: no probe is around its body, its getter was replaced.
    ///
    /// Proof of the unsafe parts: the record lives as long as its store, which this keeps; the frame is that of ``EvaluationFrame``.
    @safe
    package final class InjectedView: @unchecked Sendable {
        private let store: RerenderStore
        let core: StoreCore
        /// nil if there is no room for another view.
        let record: Unmanaged<ViewRecord>?
        /// The view's key.
        package let label: String
        private let observesModels: Bool
        /// Whether there is room for it, so that it can be counted.
        package var hasRoom: Bool { unsafe record != nil }

        /// - Parameters:
        ///   - label: The view's key.
        ///   - file: The file of its body, as `#fileID` has it; empty where it is not known.
        ///   - phase: What an evaluation of it is.
        ///   - observesModels: Whether its framework evaluates it because a model was written. Where not, no such write is a reason.
        ///   - mayBeMore: Whether its body is also called past its hook, so that its count may be too small.
        package init(
            _ label: String, in store: RerenderStore, file: String, line: UInt32, phase: HangPhase = .body,
            observesModels: Bool = true, mayBeMore: Bool = false
        ) {
            self.observesModels = observesModels
            self.store = store
            core = store.core
            self.label = label
            unsafe record = core.view(label: label, file: file, line: line, phase: phase)
            if mayBeMore {
                unsafe record?._withUnsafeGuaranteedRef { record in record.state.withLock { $0.noteMore() } }
            }
        }

        /// Its store and its record; nil where nothing counts, or there is no room for it.
        var counted: (core: StoreCore, view: ViewRecord)? {
            guard core.isEnabled, let record = unsafe record else { return nil }
            return unsafe (core, record.takeUnretainedValue())
        }

        /// Another phase of the view; nil where there is no room for the view.
        package func span(_ phase: HangPhase) -> InjectedSpan? {
            unsafe record?._withUnsafeGuaranteedRef { record in
                let word = LoopLayout.word(storeID: record.storeID, index: record.index, phase: phase)
                return InjectedSpan(TimedPlace(pageWord: word, pageKey: record.place.pageKey), in: store)
            }
        }

        /// Says whether evaluations in a store are counted: now, and on whatever thread switches it.
        package static func observe(_ store: RerenderStore, _ handler: @escaping @Sendable (Bool) -> Void) {
            store.core.setSwitchHandler(handler)
        }

        /// Notes that a value of the view was in an evaluated output.
        ///
        /// Until an evaluation is counted, the view is listed as one whose body was not seen. Not for views without a body.
        ///
        /// - Returns: False where nothing counts, and so nothing was noted.
        @discardableResult
        package func noteInOutput() -> Bool {
            guard core.isEnabled, let record = unsafe record else { return false }
            unsafe record._withUnsafeGuaranteedRef { core.noteInOutput($0) }
            return true
        }

        /// Whether an evaluation was ever counted, or somebody else counts the view.
        package var isSeen: Bool {
            unsafe record?._withUnsafeGuaranteedRef { core.isSeen($0) } ?? false
        }

        /// Nanoseconds of the clock that evaluations are timed with.
        package static var now: UInt64 { MonotonicClock.now }

        /// A number of the main loop's turn under way on this thread; 0 if it is not known.
        package var turn: UInt64 {
            let turn = core.turnOfThisThread
            return turn.number << 1 | (turn.isHosts ? 1 : 0)
        }

        /// Counts layouts that the framework computed for the view.
        ///
        /// - Parameter nanoseconds: Of all, without bodies, and without other views' layouts in them.
        package func addLayouts(_ count: UInt64 = 1, nanoseconds: UInt64) {
            unsafe record?._withUnsafeGuaranteedRef {
                core.recordLayout(of: $0, count: count, nanoseconds: nanoseconds)
            }
        }

        /// Counts an update that the framework committed; what it changed is not known.
        ///
        /// - Parameters:
        ///   - instance: The instance that was evaluated for it; nil if it is not known.
        ///   - nanoseconds: Without bodies, and without other views' commits in it.
        package func committed(instance: UInt64?, nanoseconds: UInt64) {
            unsafe record?._withUnsafeGuaranteedRef { record in
                core.recordCommit(of: instance, changed: nil, view: record, nanoseconds: nanoseconds)
            }
        }

        /// Announces a cause of the next evaluation of an instance: what the framework does by itself, so that no code wrote it.
        package func announce(_ cause: String, of instance: UInt64) {
            core.invalidate(label, instance: InstanceID(rawValue: instance), cause: cause, by: nil)
        }

        /// Has the code that writes state of an instance named as its writer. See ``StateObservers`` for what has to hold.
        ///
        /// - Parameters:
        ///   - value: Where the view's value is.
        ///   - type: The metadata of its type.
        ///   - framework: The module that has the state.
        ///   - modules: All of the framework's: none of their functions is the writer.
        ///   - isMeant: Asked after each write, on its thread: whether that is the one of the views.
        package func observeState(
            of value: UnsafeRawPointer, type: UnsafeRawPointer, instance: UInt64, outside framework: String,
            _ modules: Set<String>, if isMeant: @escaping () -> Bool
        ) {
            let instance = InstanceID(rawValue: instance)
            let outside = Framework(caller: framework, modules: modules, callsObservers: true)
            unsafe StateObservers.of(type).observe(value, if: isMeant) { [core, label] property in
                return { isMeant in
                    core.noteWriter(of: property, label, instance: instance, outside: isMeant ? outside : nil)
                }
            }
        }

        /// Forgets an instance that is no more.
        package func ended(instance: UInt64) {
            unsafe record?._withUnsafeGuaranteedRef { core.recordEnd(of: instance, view: $0) }
        }

        /// Notes that the program counts the view itself: it is not listed as one whose body was not seen.
        package func leave() {
            if let record = unsafe record { unsafe record._withUnsafeGuaranteedRef { core.noteCountedElsewhere($0) } }
        }

        /// Evaluates a body that gives its result away itself, and counts that.
        ///
        /// Which instance it is of is not known: nothing is compared, and a reason says what was written since the view's last
        /// evaluation, of whatever instance.
        ///
        /// - Parameter isForeign: Asked after the body: whether somebody else counts this evaluation. Then it is not counted.
        @inline(__always)
        package func evaluate(unless isForeign: () -> Bool = { false }, _ body: () -> Void) {
            unsafe evaluate(nil, of: nil, in: nil, isPass: false, unless: isForeign, body)
        }

        /// Evaluates the body of an instance, and compares the view's value with its last one.
        ///
        /// - Parameters:
        ///   - value: Where the view's value is, for as long as the body runs.
        ///   - type: The metadata of its type.
        ///   - instance: A number that no other instance has.
        ///   - parent: The instance whose evaluation led to this one, with its view; nil if that is the one whose body runs now.
        ///   - isPass: Whether it is a further evaluation of the instance's last update, as in `RerenderStore.evaluate`.
        ///   - isForeign: Asked after the body: whether somebody else counts this evaluation. Then it is not counted.
        @inline(__always)
        package func evaluate(
            _ value: UnsafeRawPointer, type: UnsafeRawPointer, instance: UInt64,
            in parent: (view: InjectedView, instance: UInt64)? = nil, isPass: Bool = false,
            unless isForeign: () -> Bool = { false }, _ body: () -> Void
        ) {
            // Metadata is what a metatype points to.
            let type = unsafe unsafeBitCast(type, to: Any.Type.self)
            unsafe evaluate(
                (value, TypeMetadata(type)), of: InstanceID(rawValue: instance), in: parent, isPass: isPass,
                unless: isForeign, body)
        }

        @inline(__always)
        private func evaluate(
            _ value: (address: UnsafeRawPointer, type: TypeMetadata)?, of instance: InstanceID?,
            in parent: (view: InjectedView, instance: UInt64)?, isPass: Bool, unless isForeign: () -> Bool,
            _ body: () -> Void
        ) {
            unsafe withUnsafeTemporaryAllocation(of: EvaluationCall.self, capacity: 1) { memory in
                let call = unsafe memory.baseAddress.unsafelyUnwrapped
                guard let frame = unsafe core.enter(call) else { return body() }
                unsafe frame.pointee.isOfAnyInstance = instance == nil
                guard unsafe parent == nil && !isPass && beginPlain(frame, value, of: instance) else {
                    let arguments = EvaluationArguments(
                        label: nil, instance: instance, parent: parent.map { ViewKey(rawValue: $0.view.label) },
                        parentInstance: parent.map { InstanceID(rawValue: $0.instance) }, reason: nil, inputs: nil,
                        isPass: isPass, file: "", line: 0, observesModels: observesModels)
                    return unsafe evaluate(frame, call, arguments, value, unless: isForeign, body)
                }
                body()
                if isForeign() {
                    unsafe core.end(frame, call) { unsafe core.withdrawPlain(frame) }
                } else {
                    unsafe core.endPlain(frame, call)
                }
            }
        }

        @inline(__always)
        private func beginPlain(
            _ frame: UnsafeMutablePointer<EvaluationFrame>, _ value: (address: UnsafeRawPointer, type: TypeMetadata)?,
            of instance: InstanceID?
        ) -> Bool {
            guard let record = unsafe record else { return false }
            guard let value = unsafe value else {
                // Nothing is read of a value of this type.
                return unsafe core.beginPlain(
                    frame, of: record, instance?.rawValue, value: UnsafeRawPointer(frame), type: Void.self)
            }
            return unsafe core.beginPlain(
                frame, of: record, instance?.rawValue, value: value.address, type: value.type.type)
        }

        /// Evaluates a body, and finds out what there is to find out.
        @inline(never)
        private func evaluate(
            _ frame: UnsafeMutablePointer<EvaluationFrame>, _ call: UnsafeMutablePointer<EvaluationCall>,
            _ arguments: borrowing EvaluationArguments, _ value: (address: UnsafeRawPointer, type: TypeMetadata)?,
            unless isForeign: () -> Bool, _ body: () -> Void
        ) {
            unsafe core.addDetails(frame)
            unsafe core.begin(frame, arguments, of: record, value: value)
            unsafe core.run(frame, call, comparing: nil, body)
            let isOthers = isForeign()
            unsafe core.end(frame, call) {
                if isOthers { unsafe core.withdraw(frame) } else { unsafe core.end(frame) }
                unsafe core.makeReady(frame)
            }
        }
    }

    /// An evaluation that is told: nothing is compared, and no reads are tracked. Which instance it is of is known.
    ///
    /// Proof of the unsafe parts: the memory is a frame that ``toldMemory()`` made and nobody frees. Its user begins an evaluation in
    /// it, and ends or forgets that before it begins another one, on the same thread. So the frames of a thread are alive. A frame's
    /// store and view live as long as the process: its user keeps the ``InjectedView``.
    extension InjectedView {
        /// Memory for an evaluation, for as long as the process runs.
        package static func toldMemory() -> UnsafeMutableRawPointer {
            let frame = UnsafeMutablePointer<EvaluationFrame>.allocate(capacity: 1)
            unsafe frame.initialize(to: EvaluationFrame())
            unsafe frame.pointee.details = EvaluationDetails.allocate()
            return UnsafeMutableRawPointer(frame)
        }

        /// Begins an evaluation; false where nothing counts, and where there is no room for the view.
        ///
        /// - Parameters:
        ///   - instance: A number that no other instance has; not 0.
        ///   - hint: A number that is kept for the instance; 0 at first.
        @inline(__always)
        package func beginTold(
            in memory: UnsafeMutableRawPointer, instance: UInt64, hint: UnsafeMutablePointer<UInt32>
        ) -> Bool {
            let frame = unsafe memory.assumingMemoryBound(to: EvaluationFrame.self)
            guard let record = unsafe record else {
                if core.isEnabled { core.recordDropped() }
                return false
            }
            guard unsafe core.enter(frame) else { return false }
            unsafe core.beginTold(frame, of: record, instance: instance, hint: &hint.pointee)
            return true
        }

        /// Ends an evaluation and counts it. Returns how long its body took, what it ran in it included.
        ///
        /// - Parameters:
        ///   - cause: Called when the body has ended: nil says that it does not count after all.
        ///   - text: Gives the text of a reason by its number, which is for ever the same.
        @inline(__always)
        package static func endTold(
            in memory: UnsafeMutableRawPointer, cause: () -> ToldCause?, text: (UInt32) -> String?
        ) -> UInt64 {
            let frame = unsafe memory.assumingMemoryBound(to: EvaluationFrame.self)
            guard let store = unsafe frame.pointee.store else { return 0 }
            return unsafe store._withUnsafeGuaranteedRef { core in
                unsafe core.bodyEnds(frame)
                unsafe core.endTold(frame, cause(), text)
                return unsafe StoreCore.duration(from: frame.pointee.bodyBeganAt, to: frame.pointee.bodyEndedAt)
            }
        }

        /// The call that an evaluation is of was left by a jump: what is around it is what runs now, and it does not count.
        package static func forgetTold(in memory: UnsafeMutableRawPointer) {
            let frame = unsafe memory.assumingMemoryBound(to: EvaluationFrame.self)
            guard let store = unsafe frame.pointee.store else { return }
            unsafe store._withUnsafeGuaranteedRef { core in
                unsafe core.endTold(frame, nil) { _ in nil }
                core.noteUnended()
            }
        }
    }
#endif
