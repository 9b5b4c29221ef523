// SPDX-License-Identifier: MIT
// Lists the stored properties that do not keep alive what they refer to.

/// Properties that are `weak` or `unowned`: their memory is not that of a variable of their type.
package enum UnkeptProperties {
    /// Where they lie in values of a struct; empty for other types.
    package static func offsets(in type: Any.Type) -> Set<Int> {
        let metadata = TypeMetadata(type)
        guard metadata.kind == .struct, let fields = metadata.fields else { return [] }
        return Set(fields.lazy.filter { $0.ownership != .strong }.map(\.offset))
    }
}
