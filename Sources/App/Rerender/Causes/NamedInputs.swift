// SPDX-License-Identifier: MIT
// Keeps what the inputs were that a bridge names by hand, and compares them with what they are.

/// How named inputs differ from those of the evaluation before.
struct NamedChange {
    var change = ValueChange()
    /// What changed, by the names that were given: `title`, `size.width`.
    var names: [String] = []
}

/// What the named inputs of one instance were. As a ``ValueSnapshot`` it keeps no object alive.
struct NamedInputs: ~Copyable {
    private final class Input {
        let name: String
        var snapshot = ValueSnapshot()
        init(_ name: String) { self.name = name }
    }

    private var inputs: [Input] = []

    /// Whether nothing is recorded.
    var isEmpty: Bool { inputs.isEmpty }
    /// Whether there is anything to compare.
    var hasLeaves: Bool { inputs.contains { $0.snapshot.hasLeaves } }

    mutating func forget() { inputs = [] }

    /// Compares the inputs with those that are recorded by the same names, then records what is new.
    ///
    /// - Parameter values: Names, and values that nobody writes to until this returns.
    mutating func update(_ values: [(String, Any)], depth: Int) -> NamedChange {
        var found = NamedChange()
        found.change.isFirst = isEmpty
        let isSameList = inputs.count == values.count && zip(inputs, values).allSatisfy { $0.name == $1.0 }
        if !isSameList { arrange(values, &found.change) }
        for (input, value) in zip(inputs, values) { Self.compare(input, value.1, depth, &found) }
        return found
    }

    /// Puts the inputs into the order of the values. What is new or has gone may have been another value before.
    private mutating func arrange(_ values: [(String, Any)], _ change: inout ValueChange) {
        var left = inputs
        inputs = values.map { name, _ in
            guard let index = left.firstIndex(where: { $0.name == name }) else {
                change.unknown = true
                return Input(name)
            }
            return left.remove(at: index)
        }
        if !left.isEmpty { change.unknown = true }
    }

    private static func compare(_ input: Input, _ value: Any, _ depth: Int, _ found: inout NamedChange) {
        let isNew = input.snapshot.isEmpty
        // Proof: the value is alive and ours until the closure returns, and lies where its container says.
        unsafe withUnsafePointer(to: value) { container in
            guard let (value, type) = unsafe TypeMetadata(Any.self).contained(in: container) else {
                found.change.unknown = true
                return
            }
            let layout = ValueLayout.layout(of: type.type, depth: depth)
            var change = unsafe input.snapshot.update(value, layout)
            if change.isFirst, !isNew {
                // A value of another type.
                change.insert(0)
                found.names.append(input.name)
            } else if !change.changed.isEmpty {
                found.names += layout.names(of: change, below: input.name)
            }
            found.change.formUnion(change)
        }
    }
}
