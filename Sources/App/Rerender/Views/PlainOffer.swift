// SPDX-License-Identifier: MIT
// Hands an instance's memory to the next plain evaluation without the lock of its view.

import Synchronization

/// The memory of the instance that is most likely evaluated next, for a plain evaluation to take.
///
/// A view offers it where such an evaluation of the instance has ended. Who looks at what says who has it, or lets go of it, takes it
/// back before, under the view's lock: ``ViewState/takeBackOffer()``.
///
/// Proof of the unsafe parts: the word is the address of a record that the view keeps while it is there. It is touched only by who
/// has taken the word away, who has the record to itself then. What the evaluation before wrote comes before the word was stored.
@safe
final class PlainOffer: Sendable {
    /// 0 for none.
    private let address = Atomic<UInt>(0)
    /// The instance's number, 0 where it has none; so that others do not take what they cannot use.
    private let number = Atomic<UInt64>(0)

    /// Takes what is offered, if it seems to be of that instance; nil if not.
    @inline(__always)
    func take(_ instance: UInt64?) -> Unmanaged<InstanceRecord>? {
        let address = address.load(ordering: .relaxed)
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
            number.load(ordering: .relaxed) == instance ?? 0,
            self.address.compareExchange(
                expected: address, desired: 0, successOrdering: .acquiring, failureOrdering: .relaxed
            ).exchanged
        else { return nil }
        return unsafe Unmanaged.fromOpaque(pointer)
    }

    /// Offers a record that is at rest; under the view's lock, which keeps it.
    @inline(__always)
    func make(_ record: InstanceRecord) {
        number.store(record.instance ?? 0, ordering: .relaxed)
        let address = UInt(bitPattern: unsafe Unmanaged.passUnretained(record).toOpaque())
        self.address.store(address, ordering: .releasing)
    }

    /// Whether it was taken; under the view's lock.
    var isTaken: Bool { address.load(ordering: .relaxed) == 0 }

    /// Ends the offer; false if it was taken. Under the view's lock.
    func withdraw() -> Bool { address.exchange(0, ordering: .acquiring) != 0 }
}

extension ViewState {
    /// Ends the offer. Where an evaluation has taken the record, the record says so from now on.
    mutating func takeBackOffer() {
        guard let record = unsafe offered.take() else { return }
        unsafe record._withUnsafeGuaranteedRef { record in
            guard !offer.withdraw() else { return }
            record.isTakenPlain()
            lastInstance = record.instance
        }
    }

    /// Notes which instance was evaluated last, where that evaluation took what was offered.
    mutating func noteTaken() {
        guard let record = unsafe offered, offer.isTaken else { return }
        unsafe record._withUnsafeGuaranteedRef { lastInstance = $0.instance }
    }

    /// Takes the memory of an instance back from a plain evaluation, and offers it to the next one; whether the view has let go of
    /// it.
    @inline(__always)
    mutating func endPlain(_ record: InstanceRecord) -> Bool {
        guard unsafe Self.isSame(offered, record) else { return endPlainAnew(record) }
        // It was taken, and nobody has looked since.
        lastInstance = record.instance
        offer.make(record)
        return false
    }

    @inline(never)
    private mutating func endPlainAnew(_ record: InstanceRecord) -> Bool {
        takeBackOffer()
        record.isCheckedOut = false
        if record.endPlain() { return true }
        guard record.isReadyForPlain, unsafe Self.isSame(records.latest(record.instance), record) else { return false }
        unsafe offered = Unmanaged.passUnretained(record)
        offer.make(record)
        return false
    }

    @inline(__always)
    private static func isSame(_ held: Unmanaged<InstanceRecord>?, _ record: InstanceRecord) -> Bool {
        unsafe held?.toOpaque() == Unmanaged.passUnretained(record).toOpaque()
    }
}
