// SPDX-License-Identifier: MIT
// Tells property wrappers from other types, finds what they wrap, and names properties as the source does.

import Synchronization

/// What the field `_count` keeps for a property `count` in a wrapper.
struct PropertyWrapper: Sendable {
    struct Content: Sendable {
        /// From the beginning of the wrapper.
        let place: Place
        let type: TypeMetadata
        /// Whether the wrapped value is this and nothing else. A getter of the wrapper's own may ask for anything.
        var isWhole = false
        /// What else lies in the wrapper, where that is text and numbers: what the wrapper projects may come from it.
        var rest: [TypeMetadata.Field] = []
        /// How it is compared, where its type does not say.
        var shape: ShapeReference?
        /// Whether it is an object of which properties are compared, too.
        var isEntered = false
        var readers: ContentReaders?

        /// The same, where the wrapped value may be another than this.
        var inDoubt: Content {
            var content = self
            (content.isWhole, content.rest) = (false, [])
            return content
        }

        /// What is in a wrapper that is the content of this one.
        func around(_ inner: Content) -> Content {
            let isWhole = self.isWhole && inner.isWhole && (place.hops.isEmpty || inner.rest.isEmpty)
            let rest = self.rest + inner.rest.map { $0.moved(by: place.offset) }
            return Content(
                place: place.followed(by: inner.place), type: inner.type, isWhole: isWhole, rest: isWhole ? rest : [],
                shape: inner.shape, isEntered: inner.isEntered,
                readers: readers ?? inner.readers.map { $0.behind(place) })
        }
    }

    /// The property's name in the source.
    let name: String
    /// nil if it cannot be told where it lies, or if it must not be read.
    let content: Content?

    /// What is known of a type.
    enum Kind: Sendable {
        case wrapper(Content?)
        case other
        /// Nothing tells.
        case unknown
    }

    private static let kinds = BoundedCache<TypeMetadata, Kind>(limit: StoreLimits.comparedTypes)

    /// The wrapper that a field is; nil for any other field, and where nothing proves that it is one.
    ///
    /// - Parameter fields: All fields of the type. What the macro of Observation makes is called the same and is no wrapper.
    static func of(_ field: TypeMetadata.Field, among fields: [TypeMetadata.Field]) -> PropertyWrapper? {
        guard field.ownership == .strong, let type = field.type, let name = DeclaredName.wrapped(field),
            !fields.contains(where: { $0.name == name || $0.name == "_$observationRegistrar" }),
            case .wrapper(let content) = kind(of: type)
        else { return nil }
        return PropertyWrapper(name: name, content: content)
    }

    /// Once for each type, milliseconds if the symbols of its file have not been read yet.
    static func kind(of type: TypeMetadata) -> Kind {
        switch type.kind {
        case .struct, .class, .enum: break
        default: return .other
        }
        guard type.module != nil, !SystemTypes.contains(type) else { return .other }
        return kinds.value(for: type) { find(type, depth: StoreLimits.wrapperDepth) }
    }

    private static func find(_ type: TypeMetadata, depth: Int) -> Kind {
        guard depth > 0 else { return .wrapper(nil) }
        let search = ContentSearch(wrapper: type)
        let found: Content?
        if let description = type.declaration.flatMap(WrapperAdapters.description(of:)) {
            switch description.content {
            case .noWrapper: return .other
            case .closed: return .wrapper(nil)
            case .path, .object, .bits, .cases: found = search.content(of: description)
            }
        } else if type.fields?.contains(where: { $0.name == "wrappedValue" }) == true {
            found = search.stored
        } else {
            switch PropertySymbols.wrappedValue(of: type) {
            case .absent: return .other
            case .unknown: return .unknown
            case .found(let wrapped): found = search.content(declaredAs: wrapped)
            }
        }
        return .wrapper(found.flatMap { innermost($0, depth - 1) })
    }

    /// What a wrapper in a wrapper wraps. What may be one as far as anything tells is compared, and proves nothing: its getter may
    /// give what it does not hold.
    private static func innermost(_ content: Content, _ depth: Int) -> Content? {
        let isFollowed = !content.isEntered && content.shape == nil
        guard isFollowed || content.isWhole else { return content }
        switch content.type.kind {
        case .struct, .class, .enum: break
        default: return content
        }
        guard content.type.module != nil, !SystemTypes.contains(content.type) else { return content }
        switch find(content.type, depth: depth) {
        case .wrapper(let inner) where isFollowed: return inner.map { content.around($0) }
        case .unknown where isModel(content.type): return content
        case .wrapper, .unknown: return content.inDoubt
        case .other: return content
        }
    }

    /// Whether Observation's macro made the class, which tells of reads itself.
    private static func isModel(_ type: TypeMetadata) -> Bool {
        type.kind == .class && type.fields?.contains { $0.name == "_$observationRegistrar" } == true
    }
}

/// A stored field by the name of its property in the source.
struct DeclaredName {
    let name: String
    /// Whether the field is behind a property of another name, and holds what that one wraps.
    let isStorage: Bool

    private static let lazyStorage = "$__lazy_storage_$_"

    /// - Parameter fields: All fields of the type. One that has the name itself is the property: then this one is another.
    init(of field: TypeMetadata.Field, among fields: [TypeMetadata.Field]) {
        if field.name.hasPrefix(Self.lazyStorage) {
            self.init(Self.quoted(field.name.dropFirst(Self.lazyStorage.count)), isStorage: true)
        } else if let wrapped = Self.wrapped(field), !fields.contains(where: { $0.name == wrapped }),
            Self.mayBeWrapper(field.type) || fields.contains(where: { $0.name == "_$observationRegistrar" })
        {
            self.init(wrapped, isStorage: true)
        } else {
            self.init(field.name, isStorage: false)
        }
    }

    private init(_ name: String, isStorage: Bool) {
        self.name = name
        self.isStorage = isStorage
    }

    /// `x` of `_x`, as a property wrapper's field is named, and an observed property's: both can be written.
    static func wrapped(_ field: TypeMetadata.Field) -> String? {
        guard field.isMutable, field.name.utf8.count > 1 else { return nil }
        if field.name.hasPrefix("_") { return String(field.name.dropFirst()) }
        // A raw identifier's.
        return field.name.hasPrefix("`_") ? "`" + field.name.dropFirst(2) : nil
    }

    /// With backticks if it is a raw identifier, whose backticks the compiler leaves out here.
    private static func quoted(_ name: Substring) -> String {
        let isPlain =
            name.first?.isNumber == false && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0.isSymbol }
        return isPlain ? String(name) : RawIdentifiers.asWritten("`\(name)`")
    }

    /// Whether the type is a property wrapper, or may be one as far as anything tells. No layout is concluded from the latter.
    private static func mayBeWrapper(_ type: TypeMetadata?) -> Bool {
        guard let type else { return false }
        return switch PropertyWrapper.kind(of: type) {
        case .wrapper, .unknown: true
        case .other: false
        }
    }
}

// Knows the models whose variables are proved to be tracked, all of them.

/// Which fields of models are those of tracked properties.
///
/// The field `_volume` that the macro makes for a tracked property `volume` looks like the storage of a wrapper around an
/// ignored one, and like an ignored variable of this name. Only a tracked property has the type of its field and a key path of
/// its own. Two things prove that: symbols, and a read of the property that Observation hears of, which stripped
/// programs have, too. What is proved stays proved.
enum TrackedFields {
    private struct Model: Sendable {
        /// The properties without a proof.
        var doubts: Set<DeclaredProperty>
        var isSought = false
        /// Properties that were read and whose names are not known, each once.
        var nameless: [Path] = []

        /// Takes a read of a property into account.
        mutating func note(_ path: Path, _ name: String?) {
            if let name {
                doubts.remove(DeclaredProperty(name: name, type: path.type))
            } else if !nameless.contains(where: { $0.path == path.path }) {
                nameless.append(path)
            }
            // As many properties of a type as there are fields of it: each is one of theirs.
            let isRead = nameless.count { $0.type == path.type } >= doubts.count { $0.type == path.type }
            if isRead { doubts = doubts.filter { $0.type != path.type } }
        }
    }

    /// Proof: key paths are immutable. Threads other than their maker's compare them, as Observation itself does.
    private struct Path: @unchecked Sendable {
        let path: AnyKeyPath
        var model: TypeMetadata { TypeMetadata(Swift.type(of: path).rootType) }
        var type: TypeMetadata { TypeMetadata(Swift.type(of: path).valueType) }
    }

    private static let models = Mutex<[TypeMetadata: Model]>([:])
    /// What was read and may prove something, as soon as its name is known.
    private static let reads = Mutex<[Path]>([])
    private static let seeking = Mutex(())
    private static let openCount = Atomic(0)
    /// Models whose symbols were not looked at, and reads without a name.
    private static let unsoughtCount = Atomic(0)
    private static let askedCount = Atomic<UInt>(0)
    private static let provedCount = Atomic<UInt>(1)

    /// Raised when another model is proved to be tracked. What was recorded before may prove more now.
    static var proofs: UInt { provedCount.load(ordering: .acquiring) }

    /// Raised when a proof is needed for another model; 0 while none is. One load then.
    static var questions: UInt {
        openCount.load(ordering: .relaxed) == 0 ? 0 : askedCount.load(ordering: .relaxed)
    }

    /// Whether the properties are proved to be tracked ones of the class that declares their fields. If not, a proof is looked
    /// for from then on.
    static func areProved(_ properties: [DeclaredProperty], of model: TypeMetadata) -> Bool {
        if properties.isEmpty { return true }
        return models.withLock { models in
            if let known = models[model] { return known.doubts.isEmpty }
            if models.count < StoreLimits.comparedTypes {
                models[model] = Model(doubts: Set(properties))
                askedCount.add(1, ordering: .relaxed)
                openCount.add(1, ordering: .relaxed)
                unsoughtCount.add(1, ordering: .relaxed)
            }
            return false
        }
    }

    /// Looks into the program's symbols for proofs that are needed, or waits for another thread that does. One load if there are
    /// none; else milliseconds for each model, once, and more if no symbols were read before. Nothing needs it before an instance
    /// is evaluated again, and until then another thread has read them.
    ///
    /// - Parameter name: Names a property that was read; nil in a program without symbols.
    @inline(__always)
    static func seek(name: (AnyKeyPath) -> String?) {
        if unsoughtCount.load(ordering: .acquiring) != 0 { seekAll(name) }
    }

    @inline(never)
    private static func seekAll(_ name: (AnyKeyPath) -> String?) {
        seeking.withLock { _ in
            let open = models.withLock { models in
                models.filter { !$0.value.isSought }.map { ($0.key, $0.value.doubts) }
            }
            for (type, doubts) in open {
                let tracked = PropertySymbols.tracked(doubts, of: type)
                change(type) { $0.doubts.subtract(tracked) }
                models.withLock { $0[type]?.isSought = true }
                // Only now: who finds no more models to look for has all proofs.
                unsoughtCount.subtract(1, ordering: .releasing)
            }
            let paths = reads.withLock { reads in
                defer { reads = [] }
                return reads
            }
            for path in paths { prove(path.path, name: name(path.path)) }
            unsoughtCount.subtract(paths.count, ordering: .releasing)
        }
    }

    /// Whether a read of the property would prove something. 100 ns.
    static func awaits(_ path: AnyKeyPath) -> Bool {
        let (model, type) = (TypeMetadata(type(of: path).rootType), TypeMetadata(type(of: path).valueType))
        return models.withLock { $0[model]?.doubts.contains { $0.type == type } ?? false }
    }

    /// Notes that Observation was told of a read of the property.
    static func note(_ path: AnyKeyPath) {
        let path = Path(path: path)
        let isNew = reads.withLock { reads in
            guard reads.count < StoreLimits.comparedTypes, !reads.contains(where: { $0.path == path.path }) else {
                return false
            }
            reads.append(path)
            return true
        }
        if isNew { unsoughtCount.add(1, ordering: .relaxed) }
    }

    /// Takes a read that Observation was told of for a proof. `name` is nil in a program without symbols.
    static func prove(_ path: AnyKeyPath, name: String?) {
        let path = Path(path: path)
        change(path.model) { $0.note(path, name) }
    }

    private static func change(_ model: TypeMetadata, _ remove: @Sendable (inout Model) -> Void) {
        let isProved = models.withLock { models in
            guard var known = models[model], !known.doubts.isEmpty else { return false }
            remove(&known)
            if known.doubts.isEmpty { known.nameless = [] }
            models[model] = known
            return known.doubts.isEmpty
        }
        guard isProved else { return }
        openCount.subtract(1, ordering: .relaxed)
        provedCount.add(1, ordering: .acquiringAndReleasing)
        ShapeMaker.forgetUnproved()
        Settlement.forgetUnsettled()
    }
}
