// SPDX-License-Identifier: MIT
// The labelled corpus: what evaluations must be explained as, independent of how that is found out.

import Rerender
import RerenderModel
import Synchronization

/// What the store said of one evaluation, or must say.
struct Outcome: Equatable, Sendable, CustomStringConvertible {
    var reason: String
    var attribution: Attribution?
    var waste: WasteKind?
    var isMeasured: Bool
    var writer: String?
    var chain: String?
    /// The next reason in rank, for a program without names.
    var withoutNames: String?

    init(
        _ reason: String, _ attribution: Attribution? = .exact, waste: WasteKind? = nil, isMeasured: Bool = false,
        writer: String? = nil, chain: String? = nil
    ) {
        self.reason = reason
        self.attribution = attribution
        self.waste = waste
        self.isMeasured = isMeasured
        self.writer = writer
        self.chain = chain
    }

    var description: String {
        var text = "\(reason) (\(attribution?.rawValue ?? "unsure"))"
        if let waste { text += ", wasted: \(waste.rawValue)\(isMeasured ? ", measured" : "")" }
        if let writer { text += ", by \(writer)" }
        if let chain { text += ", from \(chain)" }
        return text
    }

    /// Whether a program without names says something else than the truth, not just less.
    func isWrong(_ truth: Outcome) -> Bool {
        if waste != nil, waste != truth.waste { return true }
        if let next = truth.withoutNames, reason == next { return false }
        // A write that is known exactly has a name.
        if reason == truth.reason { return attribution == .exact && truth.writer != nil }
        return !(attribution == nil && reason == Outcome.external.reason)
    }

    static let initial = Outcome("initial")
    static let external = Outcome("<external signal>", nil)
    /// All inputs are as they were, and nothing else is known.
    static let again = Outcome("<external signal>", nil, waste: .sameInputs)
}

/// One labelled case: evaluations, and what each of them must be explained as.
package struct Case: Sendable, CustomStringConvertible {
    package let name: String
    /// Evaluates and notes outcomes beside what is expected.
    let run: @Sendable (Recorder) -> Void

    init(_ name: String, _ run: @escaping @Sendable (Recorder) -> Void) {
        self.name = name
        self.run = run
    }

    package var description: String { name }

    /// The differences between what was expected and what came; empty if the case holds.
    ///
    /// Without names, as in a stripped program, a reason may be found by comparing values, or not be known; it may never
    /// be another one.
    package func failures(areNamesKnown: Bool = true) -> [String] { tally(areNamesKnown: areNamesKnown).wrong }

    /// What became of the case.
    package func tally(areNamesKnown: Bool = true) -> Tally {
        let recorder = Recorder(areNamesKnown: areNamesKnown)
        run(recorder)
        var tally = recorder.tally
        for view in recorder.store.stats {
            tally.reasons.formUnion(view.reasons.map(\.reason))
            // Nothing is remembered then, for a leak check to see.
            recorder.store.ended(view.key.rawValue)
        }
        return tally
    }

    /// All cases; their names are unique.
    package static let all: [Case] =
        storedValues + containers + hostile + observedWrites + parentsAndAnnouncements + parentInstances + turns
        + turnsOfHosts + names + wastes + labelled

    private static let labelled: [Case] = [
        numbers, texts, collections, writtenCollections, foundationValues, foundationBoxes, enums, typesOfValues,
        objects, weakReferences, storage, closures, capturedObjects, placesOfModels, namesOfModels, writes,
        unheardWrites, otherThreads, parents, announcements, commits, hostileHosts, outputs, sameAgain, capturedValues,
        capturedReferences, constants, copiedValues, longTexts, crossed, wrappers, wrappedValues, bounds,
    ].flatMap(\.self)
}

/// Evaluates views in a store of its own and compares what is said of each evaluation.
final class Recorder: Sendable {
    let store = RerenderStore(name: "corpus")
    private let found = Mutex(Tally())
    private let oracle = Mutex(Oracle())
    let areNamesKnown: Bool

    init(areNamesKnown: Bool) {
        self.areNamesKnown = areNamesKnown
    }

    var tally: Tally { found.withLock { $0 } }

    /// Evaluates a view once and expects the store to say `expected` of it.
    @discardableResult
    func evaluate<View, Output>(
        _ key: String = "View", _ view: View, instance: InstanceID? = nil, parent: ViewKey? = nil,
        parentInstance: InstanceID? = nil, reason: String? = nil, comparing: OutputComparison<Output>? = nil,
        _ expected: Outcome?, line: UInt = #line,
        body: (View) -> Output
    ) -> Output {
        let before = stats(key)
        let output = store.evaluate(
            key, of: view, instance: instance, parent: parent, parentInstance: parentInstance, reason: reason,
            comparing: comparing
        ) { body(view) }
        if let expected { check(key, since: before, expected, line) }
        return output
    }

    /// Evaluates a view once, and judges what the store says of it by the truth and by the oracle.
    ///
    /// - Parameter isDescribed: Whether ``Content`` can tell all of the view and its output that matters here.
    @_semantics("optimize.sil.specialize.generic.never")
    @discardableResult
    func evaluate<View, Output>(
        _ key: String = "View", _ view: View, instance: InstanceID? = nil, parent: ViewKey? = nil,
        reason: String? = nil, comparing: OutputComparison<Output>? = nil, isDescribed: Bool = true, is truth: Truth?,
        line: UInt = #line, body: (View) -> Output
    ) -> Output {
        let before = stats(key), inputs = isDescribed ? Content(view) : nil
        let output = store.evaluate(
            key, of: view, instance: instance, parent: parent, reason: reason, comparing: comparing
        ) { body(view) }
        let answer = Self.outcome(before, stats(key))
        if let truth { judge(answer, by: truth, line) }
        let subject = Oracle.Subject(key: key, instance: instance)
        let evaluation = Oracle.Evaluation(inputs: inputs, output: isDescribed ? Content(output) : nil)
        if let objection = oracle.withLock({ $0.objection(to: answer, subject, evaluation) }) {
            found.withLock { $0.add(.wrong, isTellable: false, "line \(line): \(objection)") }
        }
        return output
    }

    /// Evaluates a view whose body reads nothing.
    @_semantics("optimize.sil.specialize.generic.never")
    func evaluate<View>(
        _ view: View, instance: InstanceID? = nil, isDescribed: Bool = true, is truth: Truth?, line: UInt = #line
    ) {
        evaluate("View", view, instance: instance, isDescribed: isDescribed, is: truth, line: line) { _ in }
    }

    func judge(_ answer: Outcome, by truth: Truth, _ line: UInt) {
        let verdict = truth.verdict(on: answer)
        found.withLock { tally in
            if verdict == .unknown, !areNamesKnown, truth.needsSymbols {
                tally.nameless += 1
                return
            }
            tally.add(verdict, isTellable: truth.isTellable, "line \(line): truly \(truth), said \(answer)")
        }
    }

    /// Evaluates a view whose body reads nothing.
    func evaluate<View>(
        _ view: View, instance: InstanceID? = nil, _ expected: Outcome?, line: UInt = #line
    ) {
        evaluate("View", view, instance: instance, expected, line: line) { _ in }
    }

    /// Compares what the store says of the evaluations since `before` with one expected outcome.
    func check(_ key: String, since before: Stats?, _ expected: Outcome, _ line: UInt = #line) {
        var outcome = Self.outcome(before, stats(key))
        outcome.withoutNames = expected.withoutNames
        let isWrong = areNamesKnown ? outcome != expected : outcome.isWrong(expected)
        found.withLock {
            $0.add(
                isWrong ? .wrong : .right, isTellable: true, "line \(line): expected \(expected), got \(outcome)")
        }
    }

    func expect(_ condition: Bool, _ what: String, line: UInt = #line) {
        // What is asked for beside an outcome needs names.
        guard areNamesKnown else { return }
        found.withLock { $0.add(condition ? .right : .wrong, isTellable: true, "line \(line): \(what)") }
    }

    func stats(_ key: String = "View") -> Stats? { store.stats.first { $0.key.rawValue == key } }

    static func outcome(_ before: Stats?, _ after: Stats?) -> Outcome {
        guard let after else { return Outcome("nothing", nil) }
        let rows = after.reasons.filter { row in
            row.count
                > (before?.reasons.first { $0.reason == row.reason && $0.attribution == row.attribution }?.count ?? 0)
        }
        var outcome = Outcome(rows.map(\.reason).joined(separator: " / "), rows.first?.attribution)
        let old = before?.reasons.first {
            $0.reason == rows.first?.reason && $0.attribution == rows.first?.attribution
        }
        let writers = (rows.first?.writers ?? []).filter { writer in
            writer.count > (old?.writers.first { $0.writer == writer.writer }?.count ?? 0)
        }
        outcome.writer = writers.isEmpty ? nil : writers.map(\.writer).joined(separator: "; ")
        outcome.chain =
            rows.first?.chains.first { chain in
                chain.count > (old?.chains.first { $0.chain == chain.chain }?.count ?? 0)
            }?.chain
        outcome.waste = WasteKind.allCases.first {
            (after.wasted.kinds[$0] ?? 0) > (before?.wasted.kinds[$0] ?? 0)
        }
        outcome.isMeasured = after.wasted.measured > (before?.wasted.measured ?? 0)
        return outcome
    }
}
