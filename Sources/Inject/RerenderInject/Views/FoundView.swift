// SPDX-License-Identifier: MIT
// Finds types: those that conform to a protocol with the shape of a view, the program's own among them, and those of a module by name.

import CInject
import Glibc
import Rerender
import Synchronization

/// A view's type, as the metadata of its file has it.
///
/// Proof of the unsafe parts: descriptors and tables were found by `crerender_each_view`, which follows no address out of the
/// loaded files. Files with Swift code are never unloaded: the runtime cannot forget them.
@safe
struct FoundView: Hashable {
    /// A part of a type's name, outermost first.
    struct NamePart: Hashable {
        let name: String
        /// Whether it is of a file or function of its own, in which another type may have the same name.
        let isPrivate: Bool
    }

    let conformance: UInt
    let descriptor: UInt
    let module: String
    /// The module that declares the body.
    let bodyModule: String
    /// The names of the type and those around it.
    let name: [NamePart]
    let protocolAddress: UInt
    let protocolModule: String
    let protocolName: String
    /// The same with the names of the types around it.
    let protocolPath: String
    let isInProgram: Bool
    let isClass: Bool
    /// How many getters the protocol has: of several, which one is the body is not in the metadata. See ``BodyGetters``.
    let getters: Int
    /// The protocol's requirements, each the lowest byte of its flags.
    let requirements: [UInt8]
    /// The place of the body's getter among them: of the first one, until it is known better.
    var getter: Int
    /// The place of the body's type among them; nil where there are several types it could be.
    let bodyType: Int?
    /// Whether the body's type may be a class, as far as the protocol tells.
    let mayBeObject: Bool
    /// Whether there is a body: of a framework's building blocks its type is `Never`.
    let hasBody: Bool
    private let witnesses: [Witness?]

    /// Where the function for a requirement can be replaced.
    private enum Witness: Hashable {
        /// The addresses of an entry in a table, and of a record of which tables are made at run time.
        case entry(UInt), record(UInt)

        init?(_ witness: crerender_witness) {
            if let entry = unsafe witness.entry {
                self = .entry(UInt(bitPattern: entry))
            } else if let record = unsafe witness.record {
                self = .record(UInt(bitPattern: record))
            } else {
                return nil
            }
        }

        var place: crerender_witness {
            switch self {
            case .entry(let address):
                unsafe crerender_witness(entry: UnsafeMutablePointer(bitPattern: address), record: nil)
            case .record(let address):
                unsafe crerender_witness(entry: nil, record: UnsafeMutablePointer(bitPattern: address))
            }
        }
    }

    /// Where the function for a requirement can be replaced; nil where the protocol's own stands for it in tables that are made at run
    /// time.
    func witness(_ requirement: Int) -> crerender_witness? {
        witnesses.indices.contains(requirement) ? unsafe witnesses[requirement]?.place : nil
    }

    /// The places of the getters of instances that wait for nobody.
    var getterPlaces: [Int] {
        requirements.indices.filter {
            let flags = UInt32(requirements[$0]), ofInstance = CRERENDER_OF_INSTANCE.rawValue
            return flags & 0xF == CRERENDER_GETTER.rawValue
                && flags & (ofInstance | CRERENDER_ASYNC.rawValue) == ofInstance
        }
    }

    /// Where the protocol's description has a requirement: a symbol may name it.
    func description(ofRequirement requirement: Int) -> UInt {
        // The words in front of the requirements, and in them the number of those that the signature has.
        let inSignature = unsafe UnsafePointer<UInt32>(bitPattern: protocolAddress + 12)?.pointee ?? 0
        return protocolAddress + 24 + 12 * UInt(inSignature) + 8 * UInt(requirement)
    }

    /// Whether classes alone can conform to the protocol: then a getter has the reference for its value, and not the place of one.
    var isOfObjectsAlone: Bool {
        let flags = unsafe UnsafePointer<UInt32>(bitPattern: protocolAddress)?.pointee ?? 0
        return flags >> 16 & 1 == 0
    }

    /// Whether only symbols can tell that this is a view: nothing but the protocol's name says so.
    var needsSymbols: Bool {
        protocolName == "View"
            && !requirements.contains { UInt32($0) & 0xF == CRERENDER_ASSOCIATED_TYPE.rawValue }
    }

    /// The function that evaluates the body; nil where it is the protocol's own.
    var body: UInt? { function(getter) }

    /// The function for a requirement; nil where it is the protocol's own.
    func function(_ requirement: Int) -> UInt? {
        unsafe witness(requirement).flatMap { unsafe crerender_value_of($0) }.map { UInt(bitPattern: $0) }
    }

    private init?(_ view: crerender_view, in memory: OpaquePointer) {
        guard let module = unsafe crerender_module_of(memory, view.type),
            let protocolModule = unsafe crerender_module_of(memory, view.`protocol`)
        else { return nil }
        conformance = unsafe UInt(bitPattern: view.conformance)
        descriptor = unsafe UInt(bitPattern: view.type)
        self.module = unsafe String(cString: module)
        let declarer = unsafe view.module.map { unsafe String(cString: $0) } ?? self.module
        name = unsafe Self.name(of: view.type, in: memory)
        protocolAddress = unsafe UInt(bitPattern: view.protocol)
        self.protocolModule = unsafe String(cString: protocolModule)
        protocolName = unsafe crerender_name_of(memory, view.protocol).map { unsafe String(cString: $0) } ?? "View"
        let around = unsafe crerender_parent_of(memory, view.protocol).map { unsafe Self.name(of: $0, in: memory) }
        protocolPath = ((around ?? []).map(\.name) + [protocolName]).joined(separator: ".")
        // The standard library has no views: who declares the protocol says that its types are some.
        bodyModule = declarer == "Swift" ? self.protocolModule : declarer
        isInProgram = unsafe crerender_is_in_program(view.type)
        isClass = unsafe crerender_kind_of(memory, view.type) == CRERENDER_CLASS.rawValue
        getters = unsafe Int(view.getters)
        requirements = unsafe Self.requirements(of: view, in: memory)
        witnesses = unsafe Self.witnesses(of: view, requirements.count, in: memory)
        getter = unsafe Int(view.slot) - 1
        bodyType = Self.bodyType(among: requirements)
        mayBeObject = unsafe crerender_may_be_objects(memory, view.`protocol`)
        let ofBody = bodyType.flatMap { [witnesses] in witnesses[$0] }
        let type = unsafe ofBody.flatMap { unsafe crerender_value_of($0.place) }
        hasBody = unsafe type.map { unsafe !crerender_is_never(memory, $0) } ?? true
        if name.isEmpty { return nil }
    }

    /// The protocols of views without a property that were reported.
    private static let reported = Mutex<Set<UInt>>([])

    /// All that the runtime knows now. Reports the protocols of views that have no property which could be a body.
    static func all(in memory: OpaquePointer) -> [FoundView] {
        var search = unsafe Search(memory: memory)
        unsafe withUnsafeMutablePointer(to: &search) { search in
            unsafe crerender_each_view(
                memory, getenv("RERENDER_VIEW_PROTOCOLS"),
                { view, context in
                    let search = unsafe context?.assumingMemoryBound(to: Search.self)
                    guard let view = unsafe view, let search = unsafe search else { return true }
                    guard unsafe view.pointee.getters > 0 else {
                        let address = unsafe UInt(bitPattern: view.pointee.`protocol`)
                        if FoundView.reported.withLock({ $0.insert(address).inserted }) {
                            unsafe crerender_report_shape(search.pointee.memory, view)
                        }
                        return true
                    }
                    if let found = unsafe FoundView(view.pointee, in: search.pointee.memory) {
                        unsafe search.pointee.found.append(found)
                    }
                    return true
                }, search)
        }
        return unsafe search.found
    }

    @unsafe
    private struct Search {
        let memory: OpaquePointer
        var found: [FoundView] = []
    }

    private static func bodyType(among requirements: [UInt8]) -> Int? {
        let types = requirements.indices.filter {
            UInt32(requirements[$0]) & 0xF == CRERENDER_ASSOCIATED_TYPE.rawValue
        }
        return types.count == 1 ? types[0] : nil
    }

    private static func requirements(of view: crerender_view, in memory: OpaquePointer) -> [UInt8] {
        // More than any protocol of a framework has.
        let capacity = 256
        return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            // Told are no more than there is room for.
            count = unsafe min(
                capacity,
                Int(crerender_requirements_of(memory, view.`protocol`, buffer.baseAddress, UInt32(capacity))))
        }
    }

    /// The name of the standard library's type that an extension is of. Of other types, the extension leads to the type itself.
    private static func extendedName(of context: UnsafeRawPointer, in memory: OpaquePointer) -> String? {
        guard let mangled = unsafe crerender_extended_name_of(memory, context),
            let name = unsafe Demangler.demangle("$s" + String(cString: mangled))
        else { return nil }
        // `Swift.Array<A>`
        return name.prefix { $0 != "<" }.split(separator: ".").last.map(String.init)
    }

    private static func witnesses(of view: crerender_view, _ count: Int, in memory: OpaquePointer) -> [Witness?] {
        unsafe withUnsafePointer(to: view) { view in
            (0..<count).map { unsafe Witness(crerender_witness_for(memory, view, UInt32($0))) }
        }
    }

    private static func name(of type: UnsafeRawPointer, in memory: OpaquePointer) -> [NamePart] {
        var parts: [NamePart] = [], context: UnsafeRawPointer? = unsafe type
        // Deeper than programs nest types.
        for _ in 0..<32 {
            guard let current = unsafe context else { break }
            let kind = unsafe crerender_kind_of(memory, current)
            if kind == CRERENDER_MODULE.rawValue { break }
            if kind == CRERENDER_ANONYMOUS.rawValue, let last = parts.popLast() {
                parts.append(NamePart(name: last.name, isPrivate: true))
            } else if (CRERENDER_CLASS.rawValue...CRERENDER_ENUM.rawValue).contains(kind) {
                guard let name = unsafe crerender_name_of(memory, current) else { return [] }
                parts.append(NamePart(name: unsafe String(cString: name), isPrivate: false))
            } else if let name = unsafe extendedName(of: current, in: memory) {
                parts.append(NamePart(name: name, isPrivate: false))
            }
            unsafe context = crerender_parent_of(memory, current)
        }
        return parts.reversed()
    }
}

/// Chooses the program's own views: those of a framework's own modules are its building blocks.
struct ViewChoice {
    /// The modules that have a view's body and its protocol.
    struct Home {
        let body: String
        let declarer: String
        let `protocol`: UInt
        /// As in ``FoundView``.
        var hasBody = true
    }

    let views: [FoundView]
    let buildingBlocks: [FoundView]

    /// - Parameter entry: The module of the program's entry point, where that is known.
    init(_ found: [FoundView], entry: String?) {
        let areBlocks = Self.areBuildingBlocks(
            found.map {
                Home(
                    body: $0.bodyModule, declarer: $0.protocolModule, protocol: $0.protocolAddress, hasBody: $0.hasBody)
            }, entry: entry)
        views = zip(found, areBlocks).filter { !$0.1 }.map { $0.0 }
        buildingBlocks = zip(found, areBlocks).filter { $0.1 }.map { $0.0 }
    }

    /// Which of the views are building blocks. Where no other module has a view of the protocol, or where the program begins in its module,
    /// the framework is the program's own.
    ///
    /// A framework may declare its protocol in a part of its own, as TUIkit does in `TUIkitView`: the whole has views without a body.
    static func areBuildingBlocks(_ homes: [Home], entry: String?) -> [Bool] {
        let wholes = homes.filter { !$0.hasBody && $0.body != entry && $0.declarer.hasPrefix($0.body) }
        let modules = Dictionary(grouping: wholes, by: \.protocol).mapValues { Set($0.map(\.body)) }
        let areTheirs = homes.map { $0.body == $0.declarer || modules[$0.protocol]?.contains($0.body) == true }
        let others = zip(homes, areTheirs).filter { !$0.1 && $0.0.declarer != entry }
        let frameworks = Set(others.map { $0.0.protocol })
        return zip(homes, areTheirs).map { $0.1 && frameworks.contains($0.0.protocol) }
    }
}

/// The types that are declared at the top of a module.
enum FoundType {
    /// Proof: the search lives until all were visited; a name is a text in a file that is never unloaded.
    @unsafe
    private struct Search {
        let memory: OpaquePointer
        let visit: (_ name: String, _ declaration: UInt) -> Void
    }

    /// Calls with the name and the address of the descriptor of each struct, class and enum that the runtime knows now.
    static func each(of module: String, in memory: OpaquePointer, _ visit: (String, UInt) -> Void) {
        withoutActuallyEscaping(visit) { visit in
            var search = unsafe Search(memory: memory, visit: visit)
            unsafe withUnsafeMutablePointer(to: &search) { search in
                unsafe crerender_each_type(
                    memory, module,
                    { type, context in
                        guard let type = unsafe type,
                            let search = unsafe context?.assumingMemoryBound(to: Search.self)
                        else { return true }
                        let kind = unsafe crerender_kind_of(search.pointee.memory, type)
                        guard (CRERENDER_CLASS.rawValue...CRERENDER_ENUM.rawValue).contains(kind),
                            let name = unsafe crerender_name_of(search.pointee.memory, type)
                        else { return true }
                        unsafe search.pointee.visit(String(cString: name), UInt(bitPattern: type))
                        return true
                    }, search)
            }
        }
    }
}
