// SPDX-License-Identifier: MIT
// What the writes since the last evaluation amount to: their names, their writers, whether a value changed.

import RerenderModel

extension CauseEvidence {
    /// Names the writes by the paths on which the body reached the models, then looks at the values where they are now.
    mutating func observe(_ state: inout EvaluatedState, _ value: UnsafeRawPointer?, _ type: Any.Type) {
        guard let pending, !pending.observed.isEmpty else { return }
        var named = pending.observed.map { NamedWrite($0, state.paths, state.reads) }
        if let value = unsafe value, let reads = state.reads {
            unsafe state.paths.update(view: value, type: type, reads: reads)
        }
        var causes = ObservedCauses()
        causes.isSameValue = true
        for index in named.indices { named[index].evaluate(&state, &causes) }
        named.sort { $0.name < $1.name }
        let names = named.map(\.name).filter { !$0.isEmpty }
        guard !names.isEmpty else { return }
        causes.names = CauseNames.joined(names)
        causes.writers = named.flatMap(\.writers)
        observed = causes
    }
}

/// One written property with the name that a reader knows.
private struct NamedWrite {
    let write: PendingCauses.Observed
    private let property: PropertyName?
    private let path: String?
    private(set) var name: String

    init(_ write: PendingCauses.Observed, _ paths: ModelPaths, _ reads: ObservedReads?) {
        self.write = write
        property = KeyPathName.property(of: write.keyPath)
        path = write.model.flatMap { paths.path(of: $0) }
        name = ""
        if property != nil { name = CauseName.name(of: write.keyPath, write.model, paths, reads) ?? "" }
    }

    /// Looks whether the value changed. A property without a name is found by comparing all of its model's.
    mutating func evaluate(_ state: inout EvaluatedState, _ causes: inout ObservedCauses) {
        if property != nil {
            let effect = state.values.effect(on: write.keyPath, write.model, state.paths)
            if effect != .unchanged { causes.isSameValue = false }
            return
        }
        causes.attribution = .diff
        guard let model = write.model, let change = state.values.changes(in: model, state.paths) else {
            causes.isSameValue = false
            return
        }
        if change.effect != .unchanged { causes.isSameValue = false }
        name = [path, change.names.isEmpty ? nil : change.names].compactMap { $0 }.joined(separator: ".")
    }

    var writers: [(writer: Writer, count: UInt64)] {
        write.stacks.map { (Writer(stack: $0.stack, text: property?.qualifiedRoot, isAnnounced: false), $0.count) }
    }
}
