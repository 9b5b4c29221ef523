// SPDX-License-Identifier: MIT
// What the tests of the comparison share: a value is recorded, then another is compared with it.

import Testing

@testable import Rerender

/// What a comparison said, in a form that tests can list.
struct Verdict: OptionSet, CustomStringConvertible {
    let rawValue: Int
    static let same: Verdict = []
    static let changed = Verdict(rawValue: 1)
    static let unknown = Verdict(rawValue: 2)
    static let newIdentity = Verdict(rawValue: 4)
    static let newClosure = Verdict(rawValue: 8)
    static let replacement = Verdict(rawValue: 16)
    static let otherClosure = Verdict(rawValue: 32)

    init(rawValue: Int) { self.rawValue = rawValue }

    init(_ change: ValueChange) {
        self = []
        if !change.changed.isEmpty { insert(.changed) }
        if change.unknown { insert(.unknown) }
        if change.hasNewIdentity { insert(.newIdentity) }
        if change.hasNewClosure { insert(.newClosure) }
        if change.equalReplacement { insert(.replacement) }
        if change.hasOtherClosure { insert(.otherClosure) }
    }

    var description: String {
        let names = ["changed", "unknown", "new identity", "new closure", "replacement", "other closure"]
        let found = names.indices.filter { rawValue >> $0 & 1 == 1 }.map { names[$0] }
        return found.isEmpty ? "same" : found.joined(separator: " + ")
    }
}

extension ValueSnapshot {
    mutating func update<Value>(_ value: borrowing Value, depth: Int = StoreLimits.reflectionDepth) -> ValueChange {
        let layout = ValueLayout.layout(of: Value.self, depth: depth)
        return withUnsafeBytes(of: value) { bytes in
            var empty = 0
            return bytes.baseAddress.map { update($0, layout) } ?? update(&empty, layout)
        }
    }
}

/// A view with a property of any type between two others.
struct Holder<Value> {
    var before: UInt8 = 1
    var value: Value
    var after = "after"
}

/// What comparing two values in the same property says, once settled on the first.
func verdict<Value>(
    _ old: Value, _ new: Value, location: SourceLocation = #_sourceLocation
) -> (verdict: Verdict, names: String) {
    var snapshot = ValueSnapshot()
    let layout = ValueLayout.layout(of: Holder<Value>.self, depth: StoreLimits.reflectionDepth)
    let first = snapshot.update(Holder(value: old))
    #expect(first.isFirst, sourceLocation: location)
    let again = Verdict(snapshot.update(Holder(value: old)))
    #expect(again.isSubset(of: .unknown), "the same value again", sourceLocation: location)
    let change = snapshot.update(Holder(value: new))
    let settled = Verdict(snapshot.update(Holder(value: new)))
    #expect(settled.isSubset(of: .unknown), "the new value again", sourceLocation: location)
    return (Verdict(change), layout.names(of: change))
}

/// Whether two values in the same property are told to be the same all the way down.
func proved<Value>(_ old: Value, _ new: Value) -> Bool {
    var snapshot = ValueSnapshot()
    _ = snapshot.update(Holder(value: old))
    // As a store does before it compares.
    TrackedFields.seek { KeyPathName.property(of: $0)?.property }
    let change = snapshot.update(Holder(value: new))
    return change.isProved && change.changed.isEmpty
}
