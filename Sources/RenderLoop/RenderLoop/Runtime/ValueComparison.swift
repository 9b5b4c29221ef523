// SPDX-License-Identifier: MIT
// Whether two values of a view are equal, property by property, as far as that can be told.

@_spi(Bridge) import Rerender

/// A value that decides itself whether another one is the same input for a view.
@MainActor
protocol InputComparable {
    func isSameInput(as other: Self) -> Bool
}

/// Compares two values of one type with a plan that is made once per type.
///
/// As SwiftUI does it: what is trivially copied is compared by its bytes (padding left out), what is `Equatable` with
/// `==`, a struct or tuple by its parts, an optional by its case and what it holds, a reference by identity (a weak or
/// unowned one by its bytes), a closure by function and context, so that only one that captures nothing, or the very
/// same one, is equal. Dynamic properties say for themselves what counts as input: a state's initial value does not.
/// All else (enums with payloads, existentials, collections of things that are not `Equatable`) is equal if its bytes
/// are, which never takes a change for none.
///
/// The store of `Rerender` compares snapshots that retain nothing. Here the graph owns both values, so that they are
/// compared in place.
@MainActor
final class ValueComparison {
    typealias Compare = @MainActor (UnsafeRawPointer, UnsafeRawPointer) -> Bool

    @safe private struct Comparison {
        let name: String
        let offset: Int
        var size: Int
        /// nil if the bytes decide.
        let compare: Compare?
    }

    private var comparisons: [Comparison] = []

    /// The name of the first property that differs; nil if the values are equal. Empty for a value without properties.
    ///
    /// Proof of the unsafe parts: both values live, unmoved, during the call, and the plan is of their type.
    static func firstDifference<Value>(_ old: Value, _ new: Value) -> String? {
        if MemoryLayout<Value>.size == 0 { return nil }
        let plan = plan(of: Value.self)
        return unsafe withUnsafePointer(to: old) { old in
            unsafe withUnsafePointer(to: new) { new in
                unsafe plan.firstDifference(UnsafeRawPointer(old), UnsafeRawPointer(new))
            }
        }
    }

    private func firstDifference(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> String? {
        for comparison in comparisons {
            let isSame =
                if let compare = unsafe comparison.compare {
                    unsafe compare(old + comparison.offset, new + comparison.offset)
                } else {
                    unsafe Self.areEqual(old + comparison.offset, new + comparison.offset, comparison.size)
                }
            guard isSame else { return plainName(comparison.name) }
        }
        return nil
    }

    private static func areEqual(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ size: Int) -> Bool {
        if size == 8 { return unsafe old.loadUnaligned(as: UInt64.self) == new.loadUnaligned(as: UInt64.self) }
        let old = unsafe UnsafeRawBufferPointer(start: old, count: size)
        return unsafe old.elementsEqual(UnsafeRawBufferPointer(start: new, count: size))
    }

    // MARK: Plans

    private static var plans: [ObjectIdentifier: ValueComparison] = [:]

    private static func plan(of type: Any.Type) -> ValueComparison {
        if let plan = plans[ObjectIdentifier(type)] { return plan }
        let plan = ValueComparison()
        plans[ObjectIdentifier(type)] = plan
        plan.add(type, name: "", offset: 0)
        return plan
    }

    /// Adds what is needed to compare a part of a value.
    private func add<Part>(_ type: Part.Type, name: String, offset: Int) {
        if let type = type as? any InputComparable.Type {
            return unsafe append(name, offset, Self.compareInput(type))
        }
        let fields = StoredProperty.all(of: type)
        if type is any DynamicProperty.Type { return addAll(fields ?? [], name, offset) }
        if let fields, _isPOD(type) { return addAll(fields, name, offset) }
        if let type = type as? any Equatable.Type { return unsafe append(name, offset, Self.compareEquatable(type)) }
        if let fields { return addAll(fields, name, offset) }
        if let type = type as? any OptionalType.Type { return unsafe append(name, offset, type.comparison) }
        appendBytes(of: type, name, offset)
    }

    private func addAll(_ fields: [StoredProperty], _ name: String, _ offset: Int) {
        for field in fields {
            let name = name.isEmpty ? field.name : name
            if field.isStrong {
                add(field.type, name: name, offset: offset + field.offset)
            } else {
                // Those of one object are the same for as long as it lives.
                appendBytes(of: field.type, name, offset + field.offset)
            }
        }
    }

    private func append(_ name: String, _ offset: Int, _ compare: @escaping Compare) {
        unsafe comparisons.append(Comparison(name: name, offset: offset, size: 0, compare: compare))
    }

    /// Bytes that touch those before belong to one comparison, unless another property's name would be lost.
    private func appendBytes<Part>(of type: Part.Type, _ name: String, _ offset: Int) {
        let size = MemoryLayout<Part>.size
        guard size > 0 else { return }
        if let last = comparisons.last, last.name == name, unsafe last.compare == nil, last.offset + last.size == offset
        {
            comparisons[comparisons.count - 1].size += size
        } else {
            unsafe comparisons.append(Comparison(name: name, offset: offset, size: size, compare: nil))
        }
    }

    private static func compareEquatable<Part: Equatable>(_: Part.Type) -> Compare {
        { old, new in
            unsafe old.assumingMemoryBound(to: Part.self).pointee == new.assumingMemoryBound(to: Part.self).pointee
        }
    }

    private static func compareInput<Part: InputComparable>(_: Part.Type) -> Compare {
        { old, new in
            unsafe old.assumingMemoryBound(to: Part.self).pointee
                .isSameInput(as: new.assumingMemoryBound(to: Part.self).pointee)
        }
    }
}

private protocol OptionalType {
    @MainActor static var comparison: ValueComparison.Compare { get }
}

extension Optional: OptionalType {
    @MainActor static var comparison: ValueComparison.Compare {
        { old, new in
            let old = unsafe old.assumingMemoryBound(to: Self.self).pointee
            let new = unsafe new.assumingMemoryBound(to: Self.self).pointee
            return switch (old, new) {
            case (nil, nil): true
            case (let old?, let new?): ValueComparison.firstDifference(old, new) == nil
            default: false
            }
        }
    }
}
