// SPDX-License-Identifier: MIT
// Tells property wrappers from other types, finds what they wrap, and names properties as the source does.

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
