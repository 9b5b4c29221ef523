// SPDX-License-Identifier: MIT
// A requirement of a view that was replaced, and a call of it.

import CInject
import Glibc
import Rerender
import Synchronization

/// The context of a hook. Kept for ever: a thunk may be called until the process ends.
///
/// Proof of the unsafe parts: the name is a copy that is never freed or written. The view is lent to calls without a reference,
/// which would be counted twice for each call; this keeps it.
@safe
final class HookedView: Sendable {
    /// nil for a framework's own views, which are not counted.
    let view: InjectedView?
    private let lentView: Unmanaged<InjectedView>?
    /// The view's layouts, on the main loop.
    let layouts: InjectedSpan?
    private let handler: WitnessHook.Handler
    private let outputs: Outputs
    private let own: OwnView
    /// Of a class: the views of those that inherit its body.
    private let subclasses: SubclassViews?
    /// The type's own name.
    nonisolated(unsafe) let name: UnsafePointer<CChar>

    /// - Parameters:
    ///   - own: Of all hooks of one view.
    ///   - subclasses: Of a class: the views of those that inherit its body.
    init(
        _ view: InjectedView?, found: FoundView, own: OwnView, subclasses: SubclassViews?, in store: RerenderStore,
        handler: @escaping WitnessHook.Handler
    ) {
        self.view = view
        unsafe lentView = view.map { unsafe Unmanaged.passUnretained($0) }
        layouts = view?.span(.layout)
        self.own = own
        self.subclasses = subclasses
        unsafe name = UnsafePointer(strdup(found.name.last?.name ?? ""))
        self.handler = handler
        outputs = Outputs(of: found, in: store)
    }

    /// Runs in the place of the function that was replaced.
    @inline(__always)
    func take(_ call: borrowing WitnessCall) {
        handler(self, call)
    }

    /// Whether its evaluations are counted.
    var isCounted: Bool { unsafe lentView != nil }

    /// Calls the body on, and counts that as an evaluation of whatever instance.
    ///
    /// - Parameter isOwn: Asked after the body: whether the program counts this evaluation itself.
    @inline(__always)
    func evaluate(_ call: borrowing WitnessCall, unless isOwn: () -> Bool) {
        guard let view = unsafe lentView else { return call.goOn() }
        if let subclasses, let other = subclasses.view(of: call.value) {
            return other.evaluate(unless: isOwn) { call.goOn() }
        }
        unsafe view._withUnsafeGuaranteedRef { $0.evaluate(unless: isOwn) { call.goOn() } }
    }

    /// Whether the view was left to the program, which counts it itself.
    var isLeft: Bool { own.isCounted }

    /// Whether the view's body was seen to be counted by what is in it.
    var countsItself: Bool { own.isCountedInBody }

    /// Notes that the program counts the view: in its body, or around it.
    func noteOwn() { if let view { own.note(view, inBody: true) } }
    func noteOwnAround() { if let view { own.note(view, inBody: false) } }

    /// Looks which views there are in a body's output.
    ///
    /// - Parameters:
    ///   - call: The call of the body, which has ended.
    ///   - type: The metadata of the view's type.
    ///   - table: Its witness table.
    @inline(__always)
    func look(atOutputOf call: borrowing WitnessCall, type: UInt, table: UInt) {
        if outputs.isWanted(type), !call.hasThrown { lookAtOutput(of: call, type, table) }
    }

    @inline(never)
    private func lookAtOutput(of call: borrowing WitnessCall, _ type: UInt, _ table: UInt) {
        if outputs.look(at: call.result, type: type, table: table) { return }
        // Where the error has a type of its own, it has a place in memory, which is passed in front of the others.
        _ = outputs.look(at: call.result, type: call.argument(1), table: call.argument(2))
    }
}

/// A requirement to replace.
struct WitnessHook: Sendable {
    /// What runs in the place of the function, and calls it on.
    typealias Handler = @Sendable (HookedView, borrowing WitnessCall) -> Void

    /// The place among the requirements.
    let requirement: Int
    /// Whether it is left out where nothing counts: it keeps nothing that a later call needs.
    var onlyCounts = false
    let handler: Handler
}

/// A call that stands in a thunk.
///
/// Proof of the unsafe parts: the thunk keeps the registers of the call until its handler has returned, and a handler has no
/// way to keep this longer.
@safe
struct WitnessCall: ~Copyable {
    private let registers: UnsafeMutablePointer<crerender_call>
    private let errorBefore: UInt64

    init(_ registers: UnsafeMutablePointer<crerender_call>) {
        unsafe self.registers = unsafe registers
        errorBefore = unsafe registers.pointee.error
    }

    /// Where the call is on the stack: one in it has a lower place.
    var place: UInt { unsafe UInt(bitPattern: registers) }

    /// More words of arguments than a requirement of a view has on the stack.
    private static let stackWords = 32
    #if arch(x86_64)
        private static let wordsInRegisters = 6
    #else
        private static let wordsInRegisters = 8
    #endif

    /// As many words of arguments as a call may have.
    static var mostWords: Int { wordsInRegisters + stackWords }

    /// Calls the function that was replaced, once: one whose arguments are all in registers.
    @inline(__always)
    func goOn() { unsafe crerender_call_program(registers, 0) }

    /// Calls a function that may have arguments on the stack.
    @inline(__always)
    func goOnWithStack() { unsafe crerender_call_program(registers, Self.stackWords) }

    /// An argument that is in a register, by its place; there are six on x86-64. The type and its table are the last of all.
    @inline(__always)
    func argument(_ place: Int) -> UInt {
        unsafe withUnsafeBytes(of: &registers.pointee.arguments) {
            unsafe $0.load(fromByteOffset: place * MemoryLayout<UInt>.stride, as: UInt.self)
        }
    }

    /// An argument that is in a register or on the stack, by its place: one of those that the function has.
    func word(_ place: Int) -> UInt {
        if place < Self.wordsInRegisters { return argument(place) }
        return unsafe UInt(registers.pointee.stack[place - Self.wordsInRegisters])
    }

    /// Where the value is whose requirement this is.
    var value: UInt { unsafe UInt(bitPattern: registers.pointee.`self`) }

    /// Whether the function threw an error: then there is no result. One that cannot throw leaves the register as it was.
    var hasThrown: Bool { unsafe registers.pointee.error != errorBefore }

    /// Where the result was put, once the function has returned it; of a function that threw an error, nothing is there.
    var result: UInt { unsafe UInt(bitPattern: registers.pointee.result) }
}

// Stands back where the program counts a view itself: with a copy of the library of its own.

/// The copies of the library that the program has itself.
enum ProgramEngines {
    private static let areThere = Atomic<Bool>(false)

    static var exist: Bool { areThere.load(ordering: .relaxed) }

    /// Looks for some in the files that are loaded now. One thread at a time.
    static func look() {
        // Proof: a metatype is the address of metadata, which live for ever.
        let none = unsafe unsafeBitCast(Void.self as Any.Type, to: UnsafeRawPointer.self)
        if unsafe crerender_watch_engines(none) { areThere.store(true, ordering: .relaxed) }
    }
}

extension HookedView {
    /// Counts a call, unless the program counts it: around the call, or in it.
    ///
    /// - Parameters:
    ///   - type: The metadata of the view's type.
    ///   - count: Counts what calls the function, unless what it asks behind that says that the program does.
    @inline(__always)
    func count(_ type: UInt, _ call: borrowing WitnessCall, _ count: (() -> Bool) -> Void) {
        guard ProgramEngines.exist else { return count { false } }
        countUnlessOwn(type, call, count)
    }

    /// Proof of the unsafe parts: the guard lies on the stack until the call has returned; metadata live for ever.
    @inline(never)
    private func countUnlessOwn(_ type: UInt, _ call: borrowing WitnessCall, _ count: (() -> Bool) -> Void) {
        if isAround(type) { return call.goOn() }
        var own = crerender_guard()
        unsafe withUnsafeMutablePointer(to: &own) { own in
            unsafe crerender_begin_call(own, UnsafeRawPointer(bitPattern: type))
            var hasEnded = false
            func isOwn() -> Bool {
                if hasEnded { return false }
                hasEnded = true
                guard unsafe crerender_end_call(own) else { return false }
                noteOwn()
                return true
            }
            // One that is known to count itself in its body is not counted first, and taken back then.
            if countsItself { call.goOn() } else { count(isOwn) }
            _ = isOwn()
        }
    }

    /// Whether the program's own evaluation of the view is around a call; notes that.
    func isAround(_ type: UInt) -> Bool {
        guard unsafe crerender_is_around(UnsafeRawPointer(bitPattern: type), name) else { return false }
        noteOwnAround()
        return true
    }
}

/// Whether a view is counted by the program, and said to be.
final class OwnView: Sendable {
    private let isSaid = Atomic<Bool>(false)
    private let isInBody = Atomic<Bool>(false)

    /// Whether the program counts it, in whatever way.
    var isCounted: Bool { isSaid.load(ordering: .relaxed) }

    /// Whether it counts itself in its body.
    var isCountedInBody: Bool { isInBody.load(ordering: .relaxed) }

    func note(_ view: InjectedView, inBody: Bool) {
        if inBody { isInBody.store(true, ordering: .relaxed) }
        guard !isSaid.exchange(true, ordering: .relaxed) else { return }
        view.leave()
        unsafe crerender_report("own", view.label)
    }
}

// The classes that inherit a body: an evaluation counts for the class of the object, and not for the one that conforms.

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
