// SPDX-License-Identifier: MIT
// Sums up the writes since the last evaluation: their names, their writers, and whether a value changed.

import RerenderModel

extension CauseEvidence {
    /// Names the writes by the paths on which the body reached the models, then looks at the values where they are now.
    mutating func observe(
        _ state: inout EvaluatedState, _ value: UnsafeRawPointer?, _ type: Any.Type, except foreign: ForeignWrites
    ) {
        guard let pending, !pending.observed.isEmpty else { return }
        var named = pending.observed.map { NamedWrite($0, state.paths, state.reads) }
        if let value = unsafe value, let reads = state.reads {
            unsafe state.paths.update(view: value, type: type, reads: reads, except: foreign)
        }
        var causes = ObservedCauses()
        causes.isSameValue = true
        for index in named.indices { named[index].evaluate(&state, pending.observed, foreign, &causes) }
        // One write is most of all, and nothing of it need be put in order.
        if named.count == 1 {
            guard !named[0].name.isEmpty else { return }
            causes.names = named[0].name
            causes.writers = named[0].writers
            observed = causes
            return
        }
        named.sort { $0.name < $1.name }
        var names: [String] = []
        // Without names, properties of one type are found together, by each of their writes.
        for write in named where !write.name.isEmpty && names.last != write.name { names.append(write.name) }
        guard !names.isEmpty else { return }
        causes.names = CauseNames.joined(names)
        causes.writers = named.flatMap(\.writers)
        observed = causes
    }
}

/// One written property with the name that a reader knows.
private struct NamedWrite {
    private let causes: PendingCauses.Observed
    private let property: PropertyName?
    private let path: String?
    private(set) var name: String

    init(_ causes: PendingCauses.Observed, _ paths: ModelPaths, _ reads: ObservedReads?) {
        self.causes = causes
        property = unsafe KeyPathName.property(of: causes.write.keyPath)
        path = causes.write.model.flatMap { paths.path(of: $0) }
        name =
            if causes.write.isDeinit {
                property == nil ? "" : causeName(of: causes.write, reads: reads, paths: paths) ?? ""
            } else {
                property.map { [path] name in causeName(of: causes.write, name, on: path, reads: reads) } ?? ""
            }
    }

    /// Looks whether the value changed. A property without a name is found by comparing all of its model's.
    mutating func evaluate(
        _ state: inout EvaluatedState, _ writes: [PendingCauses.Observed], _ foreign: ForeignWrites,
        _ result: inout ObservedCauses
    ) {
        if property != nil {
            let effect = unsafe state.values.effect(
                on: causes.write.keyPath, causes.write.model, state.paths, except: foreign)
            if effect != .unchanged { result.isSameValue = false }
            return
        }
        result.attribution = .diff
        guard let model = causes.write.model, let path,
            let change = unsafe state.values.changes(
                in: model, causes.write.keyPath, state.paths, except: foreign)
        else {
            result.isSameValue = false
            return
        }
        if change.effect != .unchanged { result.isSameValue = false }
        let type = unsafe ObjectIdentifier(Swift.type(of: causes.write.keyPath).valueType)
        let written = writes.count {
            unsafe $0.write.model == model && ObjectIdentifier(Swift.type(of: $0.write.keyPath).valueType) == type
        }
        // Of more than were written, some changed that the body had not read: which cannot be told.
        guard change.names.count <= written else { return }
        name = change.names.map { path.isEmpty ? $0 : path + "." + $0 }.joined(separator: ", ")
    }

    var writers: [(writer: Writer, count: UInt64)] {
        let others = causes.origins.others
        let origins = causes.origins.counts + (others > 0 ? [(WriteOrigin(stack: .other, handler: nil), others)] : [])
        return origins.map { (Writer(function: .accessors(of: property?.qualifiedRoot), origin: $0.element), $0.count) }
    }
}
