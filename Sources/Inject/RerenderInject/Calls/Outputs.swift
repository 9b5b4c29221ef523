// SPDX-License-Identifier: MIT
// Finds the views in what bodies return: one that is there, and whose body is never asked for, was not seen.

import CInject
import Rerender
import Synchronization

/// Looks at the first outputs of one view's body.
final class Outputs: Sendable {
    /// What is shown only later is seen in a later output. Each look takes microseconds: the first outputs are looked at, and then one
    /// of so many.
    private static let (looks, step) = (32, 64)

    private let protocolAddress: UInt
    /// The place of the body's type among the protocol's requirements; nil where there are several it could be.
    private let bodyType: UInt32?
    private let outputs = Atomic<Int>(0)

    init(of view: FoundView) {
        protocolAddress = view.protocolAddress
        bodyType = BodyResults.areInMemory(view) ? view.bodyType.map { UInt32($0) } : nil
    }

    /// Counts an output, and says whether it is to be looked at.
    @inline(__always)
    func isWanted() -> Bool {
        guard bodyType != nil else { return false }
        // Threads may count one output between them: then one more is looked at, or one less.
        let number = outputs.load(ordering: .relaxed)
        outputs.store(number &+ 1, ordering: .relaxed)
        return number < Self.looks || number % Self.step == 0
    }

    /// Proof of the unsafe parts: these are a body's result, which is there until its caller has it, and the metadata and the
    /// table of the call.
    func look(at output: UInt, type: UInt, table: UInt) {
        guard let bodyType,
            let output = unsafe UnsafeRawPointer(bitPattern: output),
            let body = unsafe crerender_associated_type(
                UnsafeRawPointer(bitPattern: protocolAddress), bodyType, UnsafeRawPointer(bitPattern: type),
                UnsafeRawPointer(bitPattern: table))
        else { return }
        let declarations = unsafe ContainedValues(in: output, type: body).declarations
        for view in KnownViews.shared.withLock({ $0.views(of: declarations) }) { view.noteInOutput() }
    }
}

/// The views of this process by their types' declarations.
struct KnownViews {
    static let shared = Mutex(KnownViews())

    private var byDeclaration: [UInt: InjectedView] = [:]

    mutating func add(_ view: InjectedView, declaration: UInt) { byDeclaration[declaration] = view }

    func views(of declarations: Set<UInt>) -> [InjectedView] { declarations.compactMap { byDeclaration[$0] } }
}
