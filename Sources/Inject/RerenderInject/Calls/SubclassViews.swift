// SPDX-License-Identifier: MIT
// The classes that inherit a body: an evaluation counts for the class of the object, and not for the one that conforms.

import Rerender
import Synchronization

/// The views of the classes below one.
///
/// Proof of the unsafe parts: a body's getter gets a reference of the class, or the place of one, and an object begins with the address
/// of its metadata, which lives for ever.
final class SubclassViews: Sendable {
    private let superclass: UInt
    private let isReference: Bool
    private let view: InjectedView
    private let program: String?
    private let store: RerenderStore
    /// By the metadata of a class; nil for the class itself, which may be generic.
    private let known = Mutex<[UInt: InjectedView?]>([:])

    /// nil for a type that is no class.
    ///
    /// - Parameters:
    ///   - view: The view of the class that conforms.
    ///   - program: The module whose types are named without it.
    init?(of found: FoundView, _ view: InjectedView, program: String?, in store: RerenderStore) {
        guard found.isClass else { return nil }
        (superclass, isReference) = (found.descriptor, found.isOfObjectsAlone)
        (self.view, self.program, self.store) = (view, program, store)
    }

    /// The view of an object's own class; nil where that is the one that conforms.
    ///
    /// - Parameter value: What a getter has for its value.
    func view(of value: UInt) -> InjectedView? {
        let object = unsafe isReference ? value : UnsafePointer<UInt>(bitPattern: value)?.pointee ?? 0
        guard let metadata = unsafe UnsafePointer<UInt>(bitPattern: object)?.pointee, metadata != 0 else { return nil }
        if let known = known.withLock({ $0[metadata] }) { return known }
        return add(metadata)
    }

    @inline(never)
    private func add(_ metadata: UInt) -> InjectedView? {
        guard let address = unsafe UnsafeRawPointer(bitPattern: metadata) else { return nil }
        let type = unsafe unsafeBitCast(address, to: Any.Type.self)
        let isSubclass = WrapperAdapters.declaration(of: type) != superclass
        let view = isSubclass ? InjectedView(name(of: type), in: store, file: "", line: 0) : nil
        // Its objects are no values of the class above whose body was not seen.
        if isSubclass { self.view.leave() }
        known.withLock { $0[metadata] = .some(view) }
        return view
    }

    private func name(of type: Any.Type) -> String {
        let name = String(reflecting: type)
        // Of a type in a file or function, the runtime has no more than its own name.
        if name.contains("(") { return String(describing: type) }
        return program.flatMap { name.hasPrefix("\($0).") ? String(name.dropFirst($0.count + 1)) : nil } ?? name
    }
}
