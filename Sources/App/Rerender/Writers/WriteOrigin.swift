// SPDX-License-Identifier: MIT
// Where something was written: the stack, and the event handler that ran. Taken in nanoseconds on the writer's thread.

import CRerender
import CShared
import RerenderWire
import Signpost
import Synchronization

/// The code that wrote, as far as it was asked for.
struct WriteOrigin: Hashable, Sendable {
    var stack: StackID
    var handler: EventHandler?

    /// Nothing is known of who wrote.
    static let none = WriteOrigin(stack: .none, handler: nil)

    /// Whether anything is known.
    var isKnown: Bool { stack != .none || handler != nil }

    /// Of the write that Observation is about to make.
    static func ofObservedWrite(_ recordsStack: Bool) -> WriteOrigin {
        WriteOrigin(stack: recordsStack ? .capture() : .none, handler: .ofThisThread)
    }

    /// Of the code that runs.
    static func ofCaller(_ recordsStack: Bool) -> WriteOrigin {
        WriteOrigin(stack: recordsStack ? .captureCallers() : .none, handler: .ofThisThread)
    }
}

/// A stack on which an observed value was written, as a number that is named later.
package struct StackID: Hashable, Sendable {
    package let rawValue: UInt32

    /// The stack is not known.
    package static let none = StackID(rawValue: UInt32(CRERENDER_NO_STACK))
    /// Stands for all stacks that there was no room for.
    package static let other = StackID(rawValue: UInt32(CRERENDER_OTHER_STACK))

    /// Whether stacks begin at Observation's caller; in a static program they begin at our own code.
    static let beginAtObservation = crerender_find_observation()

    /// Asks once where Observation's code is, so that no capture pays for it.
    package static func prepare() { _ = beginAtObservation }

    /// The stack of the code that runs now. For the closure that Observation calls before a value changes.
    ///
    /// Any thread; takes no lock. The first on a thread asks for the thread's stack, which allocates; a stack that was
    /// met before costs some tens of nanoseconds, as does a new one.
    package static func capture() -> StackID { StackID(rawValue: crerender_capture_writer()) }

    /// The stack of the code that runs now, from the innermost function on. Any thread; otherwise as ``capture()``.
    static func captureCallers() -> StackID { StackID(rawValue: crerender_capture_callers()) }

    /// A stack of one function, by the address that its call returns to.
    static func ofCaller(_ address: UInt) -> StackID {
        var address = address
        // Proof: it reads the local value alone.
        return unsafe StackID(rawValue: crerender_intern_stack(&address, 1))
    }

    /// The return addresses, innermost first; empty for ``none`` and ``other``.
    var addresses: [UInt] {
        unsafe Array(unsafeUninitializedCapacity: Int(CRERENDER_STACK_FRAMES)) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = unsafe Int(crerender_stack(rawValue, start))
        }
    }
}

/// An event handler of a store, by its name and its view; each once, as long as the store lives.
final class EventHandler: Sendable {
    let name: HandlerName
    /// The handler's number in its store, from 0 without gaps.
    let index: UInt32
    /// Where its time goes.
    let timed: TimedPlace
    /// What a writer says of it, within the bounds of a writer's text.
    let text: String

    init(storeID: UInt32, index: UInt32, _ name: HandlerName) {
        self.index = index
        self.name = name
        text = LongText.bounded(name.text, to: StoreLimits.handlerTextBytes)
        timed = TimedPlace(
            pageWord: LoopLayout.word(storeID: storeID, index: index, phase: .handler), pageKey: PageKey(name.pageText))
    }

    /// The innermost handler that runs on this thread.
    ///
    /// Safe: the thread's innermost span is alive, see ``TimedSpan``.
    static var ofThisThread: EventHandler? {
        if unsafe crerender_span() == nil { return nil }
        crerender_drop_left()
        return unsafe crerender_span()?.assumingMemoryBound(to: TimedSpan.self).pointee.handler?.takeUnretainedValue()
    }
}

extension EventHandler: Hashable {
    /// By name, whatever the store: two stores' handlers of one name are one writer.
    static func == (lhs: EventHandler, rhs: EventHandler) -> Bool { lhs === rhs || lhs.name == rhs.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A handler, or another phase of a view, that has begun and not ended.
///
/// It is in memory that stays: that of a ``RunningCall``, or of its caller, who ends or forgets it before he uses the memory again. It is among
/// those of its thread until it is ended or forgotten, or until what it began in was left. So the thread's innermost span is always
/// alive, and the spans of a thread form a stack. What it names lives as long as its store, which who has the memory keeps.
@unsafe
struct TimedSpan {
    /// What writes are named by: the innermost handler.
    let handler: Unmanaged<EventHandler>?
    /// What the time is attributed to: of a handler the same, or the others where the store had no room.
    let timed: Unmanaged<TimedPlace>
    /// The epoch of its store when it began.
    let epoch: UInt32
    /// The span that this one runs in.
    let enclosing: UnsafeMutableRawPointer?
    /// The frame of the evaluation that this one runs in.
    let evaluation: UnsafeMutableRawPointer?
    /// Whether it is a handler.
    let isHandler: Bool
    /// Whether handler and link are let go of with it.
    let isOwner: Bool
    /// The handler as a step; nil if no evaluation led to it.
    let link: Unmanaged<CauseLink>?

    func release() {
        guard unsafe isOwner else { return }
        unsafe handler?.release()
        unsafe link?.release()
    }
}

// Writes as trace events, `com.rerender.Write:event`: joins what each view hears of a write to one event.

/// Writes that were reported and not yet recorded; used only while a session records `com.rerender.Write`.
///
/// Observation calls the views that read a property one after the other, on the writer's thread, and tells none how many
/// there are. So a write stays open until another begins on that thread or a body is about to be evaluated. Two writes are
/// told apart by a view that hears twice.
enum WriteLog {
    private struct OpenWrite {
        let thread: UInt
        let write: ObservedWrite
        let origin: WriteOrigin
        var views: [ObjectIdentifier]

        func isPart(of write: ObservedWrite, _ origin: WriteOrigin, by view: ObjectIdentifier) -> Bool {
            self.write.isSame(as: write) && self.origin == origin && !views.contains(view)
        }
    }

    private static let open = Mutex<[OpenWrite]>([])

    /// Notes that one view was told of a write.
    static func note(_ write: ObservedWrite, _ origin: WriteOrigin, for view: ObjectIdentifier) {
        let thread = crerender_thread_pointer()
        let ended = open.withLock { open -> OpenWrite? in
            let index = open.firstIndex { $0.thread == thread }
            if let index, open[index].isPart(of: write, origin, by: view) {
                open[index].views.append(view)
                return nil
            }
            let next = OpenWrite(thread: thread, write: write, origin: origin, views: [view])
            guard let index else {
                open.append(next)
                return nil
            }
            defer { open[index] = next }
            return open[index]
        }
        if let ended { emit(ended) }
    }

    /// Records the writes that are open: their views are about to be evaluated.
    static func flush() {
        let ended = open.withLock { open in
            defer { open.removeAll(keepingCapacity: true) }
            return open
        }
        for write in ended { emit(write) }
    }

    private static func emit(_ write: OpenWrite) {
        let path = unsafe write.write.keyPath
        let property = KeyPathName.property(of: path)
        let name = property.map { "\($0.rootType).\($0.property)" } ?? "\(type(of: path).rootType)"
        let writer = Writer(function: .accessors(of: property?.qualifiedRoot), origin: write.origin)
        WriteSignpost.emit(name: name, writer: writer.name, views: UInt32(clamping: write.views.count))
    }
}

/// The provider `com.rerender.Write` of this process.
package enum WriteSignpost {
    static let provider = Provider.reserved(.write)

    /// Makes the provider, so that a session can record the first write; before `BodyEvalSignpost` waits for the tracer.
    package static func prepare() { _ = provider }

    /// Whether anyone records.
    package static var isOn: Bool { provider.eventIsOn }

    /// Records a write: the key path's name, who wrote, and how many views it invalidated. Any thread. Does
    /// nothing while no session records.
    package static func emit(name: String, writer: String, views: UInt32) {
        guard isOn else { return }
        FieldText.lend(name, writer) { name, writer, _, _, _ in
            csignpost_write(name: name, message: writer, views: views).emit()
        }
    }
}
