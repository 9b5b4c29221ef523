// SPDX-License-Identifier: MIT
// Sums up the writes since the last evaluation: their names, their writers, and whether a value changed.

import RerenderModel

extension CauseEvidence {
    /// Names the writes by the paths on which the body reached the models, then looks at the values where they are now.
    mutating func observe(
        _ state: inout EvaluatedState, _ value: UnsafeRawPointer?, _ type: Any.Type, except foreign: ForeignWrites
    ) {
        guard let pending, !pending.observed.isEmpty else { return }
        // One write is most of all, and nothing of it need be kept in a list or put in order.
        if pending.observed.count == 1 {
            let named = state.paths.name(of: pending.observed[0].write, state.reads)
            unsafe Self.findWays(&state, value, type, except: foreign)
            return observeOne(named, pending.observed, &state, foreign)
        }
        let named = pending.observed.map { state.paths.name(of: $0.write, state.reads) }
        unsafe Self.findWays(&state, value, type, except: foreign)
        observeAll(named, pending, &state, foreign)
    }

    private static func findWays(
        _ state: inout EvaluatedState, _ value: UnsafeRawPointer?, _ type: Any.Type, except foreign: ForeignWrites
    ) {
        guard let value = unsafe value, let reads = state.reads else { return }
        unsafe state.paths.update(view: value, type: type, reads: reads, except: foreign)
    }

    private mutating func observeOne(
        _ named: NamedWrite, _ writes: [PendingCauses.Observed], _ state: inout EvaluatedState, _ foreign: ForeignWrites
    ) {
        var causes = ObservedCauses()
        causes.isSameValue = true
        causes.names = named.evaluate(&state, writes[0].write, writes, foreign, &causes)
        guard !causes.names.isEmpty else { return }
        causes.writers = named.writers(of: writes[0])
        observed = causes
    }

    private mutating func observeAll(
        _ named: [NamedWrite], _ pending: PendingCauses, _ state: inout EvaluatedState, _ foreign: ForeignWrites
    ) {
        let writes = pending.observed
        var causes = ObservedCauses()
        causes.isSameValue = true
        var byName = zip(named, writes).map { named, written in
            (name: named.evaluate(&state, written.write, writes, foreign, &causes), named: named, written: written)
        }
        byName.sort { $0.name < $1.name }
        var names: [String] = []
        // Without names, properties of one type are found together, by each of their writes.
        for write in byName where !write.name.isEmpty && names.last != write.name { names.append(write.name) }
        guard !names.isEmpty else { return }
        causes.names = CauseNames.joined(names, areCut: pending.areWritesCut)
        causes.writers = byName.flatMap { $0.named.writers(of: $0.written) }
        if pending.writesBeyond > 0 { causes.writers.append((.unknown, pending.writesBeyond)) }
        observed = causes
    }
}

extension NamedWrite {
    /// Looks whether the value changed, and returns the name. A property without a name is found by comparing all of its
    /// model's; the name is empty where that does not tell.
    fileprivate func evaluate(
        _ state: inout EvaluatedState, _ write: ObservedWrite, _ writes: [PendingCauses.Observed],
        _ foreign: ForeignWrites, _ result: inout ObservedCauses
    ) -> String {
        if property != nil {
            let effect = unsafe state.values.effect(on: write.keyPath, write.model, state.paths, except: foreign)
            if effect != .unchanged { result.isSameValue = false }
            return name
        }
        result.attribution = .diff
        guard let model = write.model, let path,
            let change = unsafe state.values.changes(in: model, write.keyPath, state.paths, except: foreign)
        else {
            result.isSameValue = false
            return name
        }
        if change.effect != .unchanged { result.isSameValue = false }
        let type = unsafe ObjectIdentifier(Swift.type(of: write.keyPath).valueType)
        let written = writes.count {
            unsafe $0.write.model == model && ObjectIdentifier(Swift.type(of: $0.write.keyPath).valueType) == type
        }
        // Of more than were written, some changed that the body had not read: which cannot be told.
        guard change.names.count <= written else { return name }
        return change.names.map { path.isEmpty ? $0 : path + "." + $0 }.joined(separator: ", ")
    }

    fileprivate func writers(of causes: PendingCauses.Observed) -> [(writer: Writer, count: UInt64)] {
        let function = Writer.Function.accessors(of: property?.qualifiedRoot)
        var writers = causes.origins.counts.map {
            (writer: Writer(function: function, origin: $0.element), count: $0.count)
        }
        let others = causes.origins.others
        if others > 0 { writers.append((.unknown, others)) }
        return writers
    }
}
