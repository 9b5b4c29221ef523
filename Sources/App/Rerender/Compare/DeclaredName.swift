// SPDX-License-Identifier: MIT
// The names of properties in the source, from the names of the fields that the compiler and macros make for them.

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
