// SPDX-License-Identifier: MIT
// Tells of which properties every change is reported, by their types.

/// What can be concluded from there being no report of a write to a tracked property.
///
/// The macro's setter stores a value that is `==` the old one without a report. An app's own `==` may ignore what a body
/// shows, and some values of the system's are `==` and read differently: `0.0` and `-0.0`.
enum WriteReports {
    private static let reporting = BoundedCache<TypeMetadata, Bool>(limit: StoreLimits.comparedTypes)

    /// Whether a property of the type is as it was unless a write was reported: nothing that it holds can change by itself,
    /// and equal values have equal contents. Once per type microseconds, then 100 ns.
    static func areComplete(for type: TypeMetadata) -> Bool {
        // A write of a value that cannot be compared is always reported.
        Settlement.isSettled(type)
            && reporting.value(for: type) { !(type.type is any Equatable.Type) || comparesContents(type) }
    }

    /// Whether the `==` of the type, and of all that it is made of, is the system's and tells all contents apart.
    private static func comparesContents(_ type: TypeMetadata) -> Bool {
        switch type.kind {
        case .optional: return comparesContents(type.genericArgument(0))
        case .struct where SystemTypes.contains(type): break
        default: return false
        }
        switch SystemTypes.form(of: type) {
        // Texts that are canonically equivalent look the same.
        case .string, .substring: return true
        case .array, .arraySlice, .set: return comparesContents(type.genericArgument(0))
        case .dictionary: return comparesContents(type.genericArgument(0)) && comparesContents(type.genericArgument(1))
        case .properties: return type.fields?.allSatisfy { $0.type.map(comparesContents) ?? false } ?? false
        case .stringIndex, .bytes, .vector: return false
        case nil:
            return type.type is any FixedWidthInteger.Type || type.type == Bool.self
                || SystemTypes.isFoundation(type, "Data") || SystemTypes.isFoundation(type, "URL")
        }
    }
}
