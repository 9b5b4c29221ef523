// SPDX-License-Identifier: MIT
// Finds the views in what bodies return: one that is there, and whose body is never asked for, was not seen.

import CInject
import Rerender
import Synchronization

/// Looks at the first outputs of one view's body.
final class Outputs: Sendable {
    /// What is shown only later is seen in a later output, and each look takes microseconds.
    private static let looks = 32

    private let protocolAddress: UInt
    /// The place of the body's type among the protocol's requirements; nil where there are several it could be.
    private let bodyType: UInt32?
    private let looked = Atomic<Int>(0)

    init(of view: FoundView) {
        protocolAddress = view.protocolAddress
        bodyType = BodyResults.areInMemory(view) ? view.bodyType.map { UInt32($0) } : nil
    }

    /// Whether the next output is to be looked at.
    @inline(__always)
    var isWanted: Bool { bodyType != nil && looked.load(ordering: .relaxed) < Self.looks }

    /// Proof of the unsafe parts: these are a body's result, which is there until its caller has it, and the metadata and the
    /// table of the call.
    func look(at output: UInt, type: UInt, table: UInt) {
        guard let bodyType, looked.wrappingAdd(1, ordering: .relaxed).oldValue < Self.looks,
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
