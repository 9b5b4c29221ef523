// SPDX-License-Identifier: MIT
// Calls Observation's SPI and reads the layout of its data. No other file does either.

import CRerender
@_spi(SwiftUI) import Observation
import Synchronization

/// Which model: the object of Observation's that stands for it, kept so that no other object gets its address.
///
/// That object knows the registrations of one model and does not refer to the model, so that none lives longer.
/// A class that is observable and extends one that is has an identity for each.
package struct ModelID: Hashable, Sendable {
    /// Proof: told apart by its identity, never read.
    fileprivate nonisolated(unsafe) let context: AnyObject

    fileprivate init(_ context: AnyObject) { unsafe self.context = context }

    fileprivate var key: ObjectIdentifier { unsafe ObjectIdentifier(context) }
    /// The address of that object.
    var address: UInt { UInt(bitPattern: key) }

    package static func == (lhs: ModelID, rhs: ModelID) -> Bool { lhs.address == rhs.address }
    package func hash(into hasher: inout Hasher) { hasher.combine(address) }
}

/// What was read under tracking, as Observation lists it.
///
/// Proof of the bit casts. While a body is tracked, a thread-local variable of Observation's points to an optional
/// dictionary, which every read of a property adds to; where the body ends, the dictionary goes into that of the
/// enclosing tracking, and a registration is made of it. Observation offers this as one step, whose registration cannot
/// be reached; here it is done in steps, with a dictionary of our own. ``ObservationLayout`` finds the variable and
/// checks once per process, by the types' metadata and by trial, that all is as it is taken to be here:
/// an entry of the dictionary has two words, the object with a model's registrations, which is its key, too, and the set
/// of the key paths that were read. `Entry` has just these words. Where that does not hold, nothing is cast.
@safe
@_spi(Bridge)
public struct AccessList {
    struct Entry {
        var context: AnyObject
        var properties: Set<AnyKeyPath>

        fileprivate static func joined(_ existing: Entry, _ new: Entry) -> Entry {
            Entry(context: existing.context, properties: existing.properties.union(new.properties))
        }
    }

    fileprivate let entries: [ObjectIdentifier: Entry]

    fileprivate init(entries: [ObjectIdentifier: Entry]) { self.entries = entries }

    /// The models in no order.
    var models: [ObservedModel] {
        entries.values.map { ObservedModel(id: ModelID($0.context), properties: $0.properties) }
    }

    /// Runs the body and lists what it read, for the enclosing tracking, too; none if nothing observable was read.
    /// Also when the body throws. Needs ``ObservationLayout/isKnown``.
    public static func record<Output, Failure: Error>(
        _ list: inout AccessList?, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        var found: AccessList?
        defer { list = found }
        return try unsafe RunningCall.run(
            drop: { unsafe OpenAccessList.drop(OpenAccessList.list(of: crerender_running_of($0))) },
            begin: { unsafe OpenAccessList.begin(OpenAccessList.list(of: $0)) },
            end: { unsafe found = OpenAccessList.end(OpenAccessList.list(of: $0)) }, body)
    }

    /// Whether all of it is among what was read of those models.
    func isContained(in models: [ObservedModel]) -> Bool {
        models.count { entries[$0.id.key]?.properties.isSubset(of: $0.properties) == true } == entries.count
    }

    /// Whether it is just what was read of those models.
    func isSame(as models: [ObservedModel]) -> Bool {
        entries.count == models.count
            && models.allSatisfy { entries[$0.id.key]?.properties.isSame(as: $0.properties) == true }
    }

    /// The list with what was read of other models, or more of the same.
    func adding(_ models: [ObservedModel]) -> AccessList {
        let others = models.map { ($0.id.key, Entry(context: unsafe $0.id.context, properties: $0.properties)) }
        return AccessList(entries: entries.merging(others, uniquingKeysWith: Entry.joined))
    }

    /// As Observation does where a tracking within another ends.
    fileprivate static func merge(_ entries: [ObjectIdentifier: Entry], into enclosing: UnsafeMutableRawPointer) {
        let list = unsafe enclosing.assumingMemoryBound(to: [ObjectIdentifier: Entry]?.self)
        guard unsafe list.pointee != nil else {
            unsafe list.pointee = entries
            return
        }
        unsafe list.pointee?.merge(entries, uniquingKeysWith: Entry.joined)
    }

    /// Asks to be called before every write to what is on the list, by the writers.
    package func register(_ willSet: @escaping @Sendable (AnyKeyPath) -> Void) -> Registration {
        Registration(entries, willSet)
    }

    /// The same, and to be called after each write of which `willSet` says so, when the value is in its place.
    ///
    /// Costs nothing where it never says so: what is called afterwards is registered when it does.
    public func register(
        willSet: @escaping @Sendable (AnyKeyPath) -> Bool, didSet: @escaping @Sendable () -> Void
    ) -> Registration {
        let entries = FollowedEntries(entries: entries)
        return Registration(self.entries) { path in
            if willSet(path) { AwaitedWrite.begin(path, entries, didSet) }
        }
    }

    /// The same for one of the models alone, so that each write tells whose it is.
    func register(_ model: ModelID, _ willSet: @escaping @Sendable (AnyKeyPath) -> Void) -> Registration? {
        guard let found = entries.first(where: { $0.key == model.key }) else { return nil }
        return Registration([found.key: found.value], willSet)
    }
}

/// A list of what is read between two calls, in memory of the thread.
///
/// Proof: the first word is an optional dictionary at all times; zero is nil. Until the thread ends, the library uses the memory, which is
/// `crerender_running.reads`, for nothing else. Observation may write here after the list has ended, where the app left a tracking by a
/// jump. Both calls are on one thread.
@safe
struct OpenAccessList {
    private typealias Entries = [ObjectIdentifier: AccessList.Entry]?

    /// First, so that its address is that of the whole.
    private var entries: UInt = 0
    /// nil where nothing can be listed.
    private var slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    private var enclosing: UnsafeMutableRawPointer?

    /// Begins a list of what this thread reads.
    @inline(__always)
    static func begin(_ list: UnsafeMutablePointer<OpenAccessList>) {
        guard let slot = unsafe ObservationLayout.slot() else { return }
        unsafe list.pointee.slot = slot
        // Where the app left a tracking around an earlier list, that may be this one: what it has then is thrown away below.
        unsafe list.pointee.enclosing = slot.pointee
        if unsafe list.pointee.entries != 0 { unsafe entries(of: list).pointee = nil }
        unsafe slot.pointee = UnsafeMutableRawPointer(list)
    }

    /// Ends it, for the enclosing tracking, too; nil if nothing observable was read.
    @inline(__always)
    static func end(_ list: UnsafeMutablePointer<OpenAccessList>) -> AccessList? {
        guard let slot = unsafe list.pointee.slot else { return nil }
        unsafe list.pointee.slot = nil
        unsafe slot.pointee = list.pointee.enclosing
        guard let entries = unsafe entries(of: list).pointee.take() else { return nil }
        if let enclosing = unsafe list.pointee.enclosing { unsafe AccessList.merge(entries, into: enclosing) }
        return AccessList(entries: entries)
    }

    /// Ends one whose call was left; nothing happens where it has ended.
    static func drop(_ list: UnsafeMutablePointer<OpenAccessList>) {
        guard let slot = unsafe list.pointee.slot else { return }
        unsafe list.pointee.slot = nil
        if unsafe slot.pointee == UnsafeMutableRawPointer(list) { unsafe slot.pointee = list.pointee.enclosing }
        unsafe entries(of: list).pointee = nil
    }

    /// The list of a call.
    @inline(__always)
    static func list(of running: UnsafeMutablePointer<crerender_running>) -> UnsafeMutablePointer<OpenAccessList> {
        unsafe crerender_reads(running).assumingMemoryBound(to: OpenAccessList.self)
    }

    @inline(__always)
    private static func entries(of list: UnsafeMutablePointer<OpenAccessList>) -> UnsafeMutablePointer<Entries> {
        unsafe UnsafeMutableRawPointer(list).assumingMemoryBound(to: Entries.self)
    }
}

@available(*, unavailable)
extension OpenAccessList: Sendable {}
@available(*, unavailable)
extension AccessList: Sendable {}
@available(*, unavailable)
extension AccessList.Entry: Sendable {}

/// Calls for each write until it is cancelled. See ``AccessList`` for the proof of its bit cast.
@_spi(Bridge)
public struct Registration: Sendable {
    private let tracking: ObservationTracking

    fileprivate init(
        _ entries: [ObjectIdentifier: AccessList.Entry], _ willSet: @escaping @Sendable (AnyKeyPath) -> Void
    ) {
        tracking = ObservationTracking(entries)
        ObservationTracking._installTracking(
            tracking,
            willSet: { tracking in
                if let path = tracking.changed { willSet(path) }
            })
    }

    /// A call that has begun on another thread may still end after this.
    public func cancel() { tracking.cancel() }
}

extension ObservationTracking {
    /// See ``AccessList`` for the proof of the bit cast.
    fileprivate init(_ entries: [ObjectIdentifier: AccessList.Entry]) {
        self.init(unsafe unsafeBitCast(entries, to: _AccessList.self))
    }
}

/// What is followed, for whichever thread writes to it.
///
/// The registrars in it are `Sendable`, and nothing changes it.
private struct FollowedEntries: @unchecked Sendable {
    let entries: [ObjectIdentifier: AccessList.Entry]
}

/// A write that has been announced, until the value is in its place.
///
/// Observation tells both on the thread that writes. A write inside of it to the same property of another model, which
/// cannot be told from it, is counted, so that the outer one's end is not missed.
private final class AwaitedWrite: Sendable {
    private let writer = crerender_thread_pointer()
    /// Proof: key paths never change.
    private nonisolated(unsafe) let path: AnyKeyPath
    private let within = Mutex(0)

    private init(_ path: AnyKeyPath) { unsafe self.path = path }

    /// Calls `didSet` at the end of the write that the calling thread has begun, and of those within it.
    static func begin(_ path: AnyKeyPath, _ followed: FollowedEntries, _ didSet: @escaping @Sendable () -> Void) {
        let write = AwaitedWrite(path)
        ObservationTracking._installTracking(
            ObservationTracking(followed.entries),
            willSet: { tracking in
                if write.isMeant(tracking) { write.within.withLock { $0 += 1 } }
            },
            didSet: { tracking in
                guard write.isMeant(tracking) else { return }
                if write.endsOne() { tracking.cancel() }
                didSet()
            })
    }

    private func isMeant(_ tracking: ObservationTracking) -> Bool {
        unsafe crerender_thread_pointer() == writer && tracking.changed == path
    }

    /// Whether it was the outermost.
    private func endsOne() -> Bool {
        within.withLock { depth in
            depth -= 1
            return depth < 0
        }
    }
}

/// Where Observation keeps what, found and checked once per process.
@_spi(Bridge)
public enum ObservationLayout: Sendable {
    /// Whether all is as ``AccessList`` takes it to be. Where not, there is no tracking.
    public static let isKnown = offset != nil

    /// The calling thread's variable that points to the list in use. 2 ns; a thread's first some microseconds.
    static func slot() -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        if let known = unsafe crerender_access_slot() { return unsafe known }
        guard let offset, let block = unsafe threadStorage() else { return nil }
        let slot = unsafe (block.baseAddress.unsafelyUnwrapped + offset)
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        unsafe crerender_set_access_slot(slot)
        return unsafe slot
    }

    /// The address that a ``ModelID`` has, from the registrar's place in a model; the registrar never changes.
    static func address(ofRegistrar registrar: UnsafeRawPointer) -> UInt {
        unsafe registrar.load(as: UnsafeRawPointer.self).load(fromByteOffset: 16, as: UInt.self)
    }

    /// A model of our own to try things with.
    private final class Probe: Observable, Sendable {
        let registrar = ObservationRegistrar()
        var first: Int { 1 }
        var second: Int { 2 }

        func read() {
            registrar.access(self, keyPath: \.first)
            registrar.access(self, keyPath: \.second)
        }
    }

    private static let found = Atomic(-1)

    /// Where in the thread-local storage the variable is.
    ///
    /// On a thread of its own: what is tried would be read for a tracking that encloses this, too, and that would be kept
    /// alive by our models when the app's have gone.
    private static let offset: Int? = {
        guard
            crerender_run_apart({
                guard ObservationLayout.hasKnownTypes, let offset = ObservationLayout.offsetOfSlot,
                    ObservationLayout.lists(at: offset)
                else { return }
                ObservationLayout.found.store(offset, ordering: .releasing)
            })
        else { return nil }
        let offset = found.load(ordering: .acquiring)
        return offset < 0 ? nil : offset
    }()

    /// The types by their own description, before any value is touched.
    private static var hasKnownTypes: Bool {
        typealias Metadata = TypeMetadata
        guard MemoryLayout<ObservationTracking._AccessList>.size == 8,
            MemoryLayout<ObservationTracking._AccessList?>.size == 8,
            MemoryLayout<ObservationRegistrar>.size == 8,
            let list = Metadata(ObservationTracking._AccessList.self).fields, list.count == 1,
            let dictionary = list[0].type, dictionary.name == "Dictionary", dictionary.module == "Swift",
            dictionary.genericArgument(0).type == ObjectIdentifier.self,
            let entry = dictionary.genericArgument(1).fields, entry.map(\.name) == ["context", "properties"],
            entry.map(\.offset) == [0, 8], dictionary.genericArgument(1).size == 16,
            entry[1].type?.type == Set<AnyKeyPath>.self,
            let context = entry[0].type?.fields, context.count == 1, entry[0].type?.size == 8,
            let extent = Metadata(ObservationRegistrar.self).fields, extent.count == 1,
            let fields = extent[0].type?.fields, fields.first?.offset == 16,
            fields.first?.type == entry[0].type
        else { return false }
        return true
    }

    /// The one word that changes as trackings begin and end, and points to this thread's stack in between.
    private static var offsetOfSlot: Int? {
        var outer: [UInt] = []
        var inner: [UInt] = []
        var after: [UInt] = []
        let before = words()
        withObservationTracking {
            outer = words()
            withObservationTracking {
                inner = words()
            } onChange: {
            }
            after = words()
        } onChange: {
        }
        let end = words()
        let here = UInt(crerender_stack_address())
        func isNear(_ word: UInt) -> Bool { word > here &- 65_536 && word < here &+ 65_536 }
        let candidates = before.indices.filter { index in
            before[index] == end[index] && outer[index] == after[index] && outer[index] != inner[index]
                && outer[index] != before[index] && isNear(outer[index]) && isNear(inner[index])
        }
        return candidates.count == 1 ? candidates[0] * 8 : nil
    }

    /// Whether a list of our own is filled by Observation as it should be.
    private static func lists(at offset: Int) -> Bool {
        guard let block = unsafe threadStorage() else { return false }
        let slot = unsafe (block.baseAddress.unsafelyUnwrapped + offset)
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        let probes = [Probe(), Probe()]
        var entries: [ObjectIdentifier: AccessList.Entry]?
        let enclosing = unsafe slot.pointee
        unsafe withUnsafeMutablePointer(to: &entries) { pointer in
            unsafe slot.pointee = UnsafeMutableRawPointer(pointer)
            probes[0].read()
            probes[1].registrar.access(probes[1], keyPath: \.first)
            unsafe slot.pointee = enclosing
        }
        guard let entries, entries.count == 2 else { return false }
        return zip(probes, [2, 1]).allSatisfy { probe, count in
            var registrar = probe.registrar
            let address = unsafe withUnsafePointer(to: &registrar) { unsafe Self.address(ofRegistrar: $0) }
            return entries.contains { key, entry in
                UInt(bitPattern: key) == address && ObjectIdentifier(entry.context) == key
                    && entry.properties.count == count
            }
        }
    }

    private static func words() -> [UInt] {
        guard let block = unsafe threadStorage() else { return [] }
        return unsafe Array(block.bindMemory(to: UInt.self))
    }

    private static func threadStorage() -> UnsafeMutableRawBufferPointer? {
        if let known = unsafe existingThreadStorage() { return unsafe known }
        // This thread has never tracked anything, so that no tracking encloses this; it gets the variable by reading.
        Probe().read()
        return unsafe existingThreadStorage()
    }

    private static func existingThreadStorage() -> UnsafeMutableRawBufferPointer? {
        var size = 0
        let inside = unsafe UInt(
            bitPattern: unsafeBitCast(ObservationTracking.self as Any.Type, to: UnsafeRawPointer.self))
        guard let block = unsafe crerender_thread_storage(inside, &size), size >= 8 else { return nil }
        return unsafe UnsafeMutableRawBufferPointer(start: block, count: size & ~7)
    }
}
