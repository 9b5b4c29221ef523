// SPDX-License-Identifier: MIT
// Collects what happened to a view's instance since its last evaluation: observed writes and announced causes. Bounded.

import CRerender
import Synchronization

/// Causes that wait for the next evaluation of one instance.
struct PendingCauses: Sendable {
    /// Writes to one property of one model.
    struct Observed: Sendable {
        let write: ObservedWrite
        var origins = CountedList<WriteOrigin>()
    }

    /// A cause that a bridge announced.
    struct Announced: Sendable {
        let cause: String
        let writer: Writer?
        var count: UInt64 = 1
    }

    private(set) var observed: [Observed] = []
    private(set) var announced: [Announced] = []
    /// Whether the host says that the next evaluation is a further one in the same turn.
    private(set) var isAgain = false
    /// Whether there were writes to more properties than are kept, and how many of these have a writer.
    private(set) var areWritesCut = false
    private(set) var writesBeyond: UInt64 = 0
    /// The same of announced causes, and the hashes of those that are counted and not kept.
    private(set) var areAnnouncementsCut = false
    private(set) var announcementsBeyond: UInt64 = 0
    private(set) var causesBeyond: Set<Int> = []
    /// Who wrote properties that are compared. These are no causes: of a property that changed, they are its writers.
    private var noted: [Announced] = []
    /// Whether there were more: then none is named.
    private var areNotesCut = false
    /// A step whose write is one of the causes.
    private var link: CauseLink?
    /// Whether a cause came from outside: of input, a timer or another thread.
    private var isFromOutside = false

    /// The step whose write led to what comes; nil where it would have come without one.
    var step: CauseLink? { isFromOutside ? nil : link }

    /// Notes a write. Allocates only for a property or a stack not met since the last evaluation.
    ///
    /// - Parameter step: The step that wrote, if one did.
    mutating func note(_ write: ObservedWrite, _ origin: WriteOrigin, of step: CauseLink? = nil) {
        note(step)
        if let index = index(of: write) {
            note(origin, at: index)
        } else if observed.count < StoreLimits.pendingCauses {
            observed.append(Observed(write: write))
            note(origin, at: observed.count - 1)
        } else {
            areWritesCut = true
            if origin.isKnown { writesBeyond += 1 }
        }
    }

    mutating func note(cause: String, writer: Writer?, of step: CauseLink? = nil) {
        note(step)
        if let index = announced.firstIndex(where: { $0.cause == cause && $0.writer == writer }) {
            announced[index].count += 1
        } else if announced.count < StoreLimits.pendingCauses {
            announced.append(Announced(cause: cause, writer: writer))
        } else {
            noteBeyond(cause)
            if writer != nil { announcementsBeyond += 1 }
        }
    }

    private mutating func noteBeyond(_ cause: String) {
        // With another writer, it is no further cause.
        guard !announced.contains(where: { $0.cause == cause }), !causesBeyond.contains(cause.hashValue) else { return }
        areAnnouncementsCut = causesBeyond.count == StoreLimits.causesBeyond
        if !areAnnouncementsCut { causesBeyond.insert(cause.hashValue) }
    }

    /// Notes who wrote a property that is compared; nil where that is not known.
    mutating func note(writer: Writer?, of property: String) {
        if let index = noted.firstIndex(where: { $0.cause == property && $0.writer == writer }) {
            noted[index].count += 1
        } else if noted.count < StoreLimits.pendingCauses {
            noted.append(Announced(cause: property, writer: writer))
        } else {
            areNotesCut = true
        }
    }

    /// Who wrote properties, by their names as a reason joins them.
    func writers(of names: String) -> [(writer: Writer, count: UInt64)] {
        // A raw identifier may have a comma, and so another's name, in it.
        if areNotesCut || noted.isEmpty || names.contains("`") { return [] }
        let names = names.split(separator: ",").map { $0.drop { $0 == " " } }
        let found = noted.filter { note in
            names.contains { $0 == note.cause || $0.hasPrefix(note.cause + ".") }
        }
        // The one that is not known may have changed it.
        if found.contains(where: { $0.writer == nil }) { return [] }
        return found.compactMap { note in note.writer.map { (writer: $0, count: note.count) } }
    }

    /// Notes that the next evaluation comes again in the same turn.
    mutating func noteAgain() { isAgain = true }

    private mutating func note(_ step: CauseLink?) {
        if let step { link = step } else { isFromOutside = true }
    }

    /// Where a write is noted. First by the key path itself, as most are the same objects: to compare two takes some hundred
    /// instructions.
    private func index(of write: ObservedWrite) -> Int? {
        observed.firstIndex { unsafe $0.write.model == write.model && $0.write.keyPath === write.keyPath }
            ?? observed.firstIndex { $0.write.isSame(as: write) }
    }

    private mutating func note(_ origin: WriteOrigin, at index: Int) {
        if origin.isKnown { observed[index].origins.add(origin, limit: StoreLimits.stacksPerCause) }
    }
}

/// The waiting causes of one instance, shared by the threads that write and the one that evaluates.
final class PendingBox: Sendable {
    private let causes = Mutex(PendingCauses())
    private let isFilled = Atomic<Bool>(false)
    private let foreign = Mutex(ForeignWrites.none)
    private let hasForeign = Atomic<Bool>(false)
    /// The thread that evaluates the instance, as `crerender_thread_pointer` has it.
    private let viewThread = Atomic<UInt>(0)

    private let isBodyRunning = Atomic<Bool>(false)
    private let isTainted = Atomic<Bool>(false)

    /// Says which thread evaluates; before the body. Until ``bodyEnded()`` writes are no causes.
    func bodyBegins(on thread: UInt) {
        viewThread.store(thread, ordering: .relaxed)
        isBodyRunning.store(true, ordering: .releasing)
    }

    func bodyEnded() {
        isBodyRunning.store(false, ordering: .releasing)
    }

    /// Whether something was written while the body ran, so that it is not known whether the body saw it; asked once.
    func takeTaint() -> Bool {
        isTainted.load(ordering: .acquiring) && isTainted.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Notes a write while the body runs; false while it does not.
    func noteDuringBody() -> Bool {
        guard isBodyRunning.load(ordering: .acquiring) else { return false }
        taint()
        return true
    }

    /// Notes that the body saw something else than what is there now.
    func taint() { isTainted.store(true, ordering: .releasing) }

    /// Notes on which thread a write is made; before it is made.
    func noteThread(of write: ObservedWrite, _ thread: UInt) {
        guard viewThread.load(ordering: .relaxed) != thread else { return }
        foreign.withLock { $0.insert(write) }
        hasForeign.store(true, ordering: .releasing)
    }

    /// What other threads have written ever; one load while they have not.
    var foreignWrites: ForeignWrites {
        hasForeign.load(ordering: .acquiring) ? foreign.withLock { $0 } : .none
    }

    var hasAny: Bool { isFilled.load(ordering: .acquiring) }

    func note(_ change: (inout PendingCauses) -> Void) {
        causes.withLock { causes in
            change(&causes)
            // Under the lock: whatever was noted is there for the next that takes.
            isFilled.store(true, ordering: .releasing)
        }
    }

    /// Takes everything; nil, for one load, if there is nothing.
    func take() -> PendingCauses? {
        guard hasAny else { return nil }
        return causes.withLock { causes in
            guard isFilled.exchange(false, ordering: .acquiringAndReleasing) else { return nil }
            defer { causes = PendingCauses() }
            return causes
        }
    }
}

extension PendingBox {
    /// Notes an observed write; runs on the writer's thread.
    func note(_ write: ObservedWrite, _ settings: CauseSettings) {
        // In the child of a fork a lock may be held by a thread that is not there.
        guard !write.isDeinit, !crerender_is_silent() else { return }
        let origin = WriteOrigin.ofObservedWrite(settings.recordsWriters.load(ordering: .relaxed))
        if noteDuringBody() { return }
        noteThread(of: write, crerender_thread_pointer())
        let step = settings.currentLink()
        note { $0.note(write, origin, of: step) }
        if WriteSignpost.isOn { WriteLog.note(write, origin, for: ObjectIdentifier(self)) }
    }
}
