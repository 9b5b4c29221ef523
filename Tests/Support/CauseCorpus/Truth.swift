// SPDX-License-Identifier: MIT
// What a reader of the program says of one evaluation, and how an answer is measured by it.

import RerenderModel

/// The one truth of an evaluation, and what may honestly be left unsaid.
struct Truth: Sendable, CustomStringConvertible {
    /// Whether the evaluation was needed, as far as a reader of the program can tell.
    enum Need: Sendable, Hashable {
        /// Something changed, or might have: it must not be called wasted.
        case notWasted
        /// Every input was as before. To say nothing is to know less.
        case inferred(Set<WasteKind>)
        /// The output was compared and was the same.
        case measured
        /// The inputs are `==` and can be told apart all the same: both answers are true.
        case either
    }

    /// In the words of the guide.
    var reason: String
    var attribution: Attribution?
    var need: Need
    /// Reasons that are true too and say less.
    var lesser: [String] = []
    /// What really changed where nobody can be asked to see it; to name it is right as well.
    var unseen: String?
    /// The beginning and the end of names that are as good, where the way between has no agreed name.
    var way: (start: String, end: String)?
    /// The parent whose body ran around it.
    var parent: String?
    /// The functions that the optimiser may have made one of, where there are several; nil where the case does not say.
    var writers: [String]?
    var chain: String?

    var description: String {
        var text = "\(reason) (\(attribution?.rawValue ?? "unsure"))"
        switch need {
        case .notWasted: text += ", not wasted"
        case .inferred(let kinds):
            text += ", wasted by its inputs (\(kinds.map(\.rawValue).sorted().joined(separator: ", ")))"
        case .measured: text += ", measured as wasted"
        case .either: text += ", equal in one way and not in another"
        }
        if let writers { text += ", by \(writers.joined(separator: " or "))" }
        if let chain { text += ", from \(chain)" }
        return text
    }
}

extension Truth {
    static let external = "<external signal>"
    /// Kinds of waste that equal inputs can have. Those of writes, outputs and turns are other things.
    static let byInputs = Set(WasteKind.allCases).subtracting([
        .sameOutput, .sameValue, .twiceInATurn, .closureIdentity,
    ])

    static let initial = Truth(reason: "initial", attribution: .exact, need: .notWasted)
    /// All inputs are equal, and nothing else happened.
    static let same = Truth(reason: external, need: .inferred(byInputs))
    /// As before, with a closure made anew that does the same.
    static let sameClosure = Truth(reason: external, need: .inferred(byInputs.union([.closureIdentity])))
    /// Nothing is known to have changed, and nobody can be sure.
    static let open = Truth(reason: external, need: .notWasted)
    /// Equal by `==`, with other bits: no change, and no more can be asked for.
    static let equalInAWay = Truth(reason: external, need: .either)

    /// Stored properties that differ.
    static func changed(_ names: String) -> Truth { Truth(reason: names, attribution: .diff, need: .notWasted) }

    /// Observed properties that were written.
    static func wrote(_ names: String, _ place: Place? = nil, lesser: String...) -> Truth {
        Truth(
            reason: names, attribution: .exact, need: .notWasted, lesser: lesser, writers: place.map { [$0.text] })
    }

    /// An observed property of a model that is found somewhere below a stored property.
    static func wrote(_ property: String, below start: String, of type: String, _ place: Place? = nil) -> Truth {
        var truth = wrote("\(start)….\(property)", place)
        truth.way = (start, ".\(property)")
        truth.lesser = ["\(type).\(property)"]
        return truth
    }

    static func announced(_ cause: String, by writer: String? = nil) -> Truth {
        Truth(reason: cause, attribution: .announced, need: .notWasted, writers: writer.map { [$0] })
    }

    /// The same with a parent around: it becomes the reason where there was none.
    func under(_ key: String, from root: String? = nil) -> Truth {
        var truth = self
        truth.parent = key
        guard reason == Self.external else { return truth }
        truth.reason = "parent: \(key)"
        truth.chain = root.map { "\(key) ← \($0)" }
        return truth
    }

    /// The same with an output that was compared and is the same.
    var measured: Truth { with(.measured) }
    /// The same where nothing may be called wasted.
    var needed: Truth { with(.notWasted) }

    /// The same where that property changed behind an unchanged identity.
    func behind(_ name: String) -> Truth {
        var truth = self
        truth.unseen = name
        return truth
    }

    func with(_ need: Need) -> Truth {
        var truth = self
        truth.need = need
        return truth
    }

    func wasted(_ kinds: WasteKind...) -> Truth { with(.inferred(Set(kinds))) }
}

// MARK: - Judging

/// How an answer stands to the truth.
enum Verdict: Int, Comparable, Sendable {
    case right, unknown, wrong
    static func < (lhs: Verdict, rhs: Verdict) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Truth {
    /// Whether a reader of the program can tell anything that the store might leave out.
    var isTellable: Bool {
        if case .inferred = need { return true }
        return reason != Self.external
    }

    /// Whether a written property is the reason: its name is in the program's symbols, and in a stripped program nowhere.
    var needsSymbols: Bool {
        attribution == .exact && reason != Reason.initial && parent.map { reason != "parent: \($0)" } ?? true
    }

    /// The worst of what is to be said about an answer.
    func verdict(on answer: Outcome) -> Verdict {
        max(ofReason(answer), ofWaste(answer), ofWriter(answer), ofChain(answer))
    }

    private func ofReason(_ answer: Outcome) -> Verdict {
        if let way, answer.reason.hasPrefix(way.start), answer.reason.hasSuffix(way.end) {
            return ofAttribution(answer.attribution)
        }
        if answer.reason == reason { return ofAttribution(answer.attribution) }
        if let unseen, answer.attribution == .diff, answer.reason == unseen || answer.reason.hasPrefix("\(unseen).") {
            return .right
        }
        // As much, and where in it.
        if attribution == .diff, answer.attribution == .diff, isFiner(answer.reason) { return .right }
        if lesser.contains(answer.reason) || isPart(answer.reason) { return .unknown }
        // What always can be known.
        if reason == "initial" || attribution == .announced { return .wrong }
        if answer.reason == Self.external { return answer.attribution == nil ? .unknown : .wrong }
        if let parent, answer.reason == "parent: \(parent)" { return answer.attribution == nil ? .unknown : .wrong }
        return .wrong
    }

    private func ofAttribution(_ said: Attribution?) -> Verdict {
        if said == attribution || parent.map({ reason == "parent: \($0)" }) ?? false { return .right }
        return said == nil || (said == .diff && attribution == .exact) ? .unknown : .wrong
    }

    /// Whether every name is given, and perhaps what it is in it that changed.
    private func isFiner(_ said: String) -> Bool {
        let all = reason.names, said = said.names
        return all.allSatisfy { name in said.contains { $0 == name || $0.hasPrefix("\(name).") } }
            && said.allSatisfy { name in all.contains { name == $0 || name.hasPrefix("\($0).") } }
    }

    /// Whether some of the names are given, or a name without its last components, or other true names.
    private func isPart(_ said: String) -> Bool {
        guard attribution == .diff || attribution == .exact else { return false }
        return said.names.allSatisfy { name in
            lesser.contains(name) || reason.names.contains { $0 == name || $0.hasPrefix("\(name).") }
        }
    }

    private func ofWaste(_ answer: Outcome) -> Verdict {
        switch need {
        case .notWasted: answer.waste == nil ? .right : .wrong
        case .measured: answer.waste == .sameOutput && answer.isMeasured ? .right : .wrong
        case .either: answer.isMeasured ? .wrong : .right
        case .inferred(let kinds):
            answer.waste.map { !answer.isMeasured && kinds.contains($0) ? .right : .wrong } ?? .unknown
        }
    }

    private func ofWriter(_ answer: Outcome) -> Verdict {
        guard let writers, attribution != .exact || answer.attribution == .exact else { return .right }
        guard let writer = answer.writer, writer != "unknown" else { return .unknown }
        return writers.contains(writer) || writers.contains { writer.hasPrefix($0.prefix { $0 != " " } + " (merged)") }
            ? .right : .wrong
    }

    private func ofChain(_ answer: Outcome) -> Verdict {
        guard let chain, answer.reason == reason, answer.chain != chain else { return .right }
        // The way up is right as far as it is told.
        let links = chain.split(separator: " ← ")
        let said = answer.chain?.split(separator: " ← ") ?? []
        let isShorter = said.last.map(String.init) == Self.external && links.starts(with: said.dropLast())
        return said.isEmpty || said == ["other"] || isShorter ? .unknown : .wrong
    }
}

extension String {
    /// The names that a reason joins; those of raw identifiers may have anything in them.
    fileprivate var names: [String] {
        var names = [""]
        var isRaw = false
        for letter in self {
            if letter == "`" { isRaw.toggle() }
            if letter == ",", !isRaw { names.append("") } else { names[names.count - 1].append(letter) }
        }
        return names.map { String($0.drop { $0 == " " }) }
    }
}

/// What came of labelled evaluations.
package struct Tally: Sendable {
    /// Those of which a reader of the program can tell something.
    package var tellable = 0
    package var right = 0
    package var unknown: [String] = []
    package var wrong: [String] = []
    /// Those that are not known for want of a name that a stripped program does not have.
    package var nameless = 0
    /// Every reason that was given.
    package var reasons: Set<String> = []

    package init() {}

    mutating func add(_ verdict: Verdict, isTellable: Bool, _ text: @autoclosure () -> String) {
        if isTellable { tellable += 1 }
        switch verdict {
        case .right: right += 1
        case .unknown: unknown.append(text())
        case .wrong: wrong.append(text())
        }
    }

    /// Adds a case, which is what the worst of its evaluations is.
    package mutating func add(case name: String, _ one: Tally) {
        reasons.formUnion(one.reasons)
        if one.wrong.isEmpty, one.unknown.isEmpty, one.nameless > 0 {
            nameless += 1
            return
        }
        let verdict: Verdict = !one.wrong.isEmpty ? .wrong : !one.unknown.isEmpty ? .unknown : .right
        add(verdict, isTellable: one.tellable > 0, "\(name): \((one.wrong + one.unknown).joined(separator: "; "))")
    }

    /// Adds all that another one has.
    package mutating func add(_ other: Tally) {
        tellable += other.tellable
        right += other.right
        unknown += other.unknown
        wrong += other.wrong
        nameless += other.nameless
        reasons.formUnion(other.reasons)
    }

    package var count: Int { right + unknown.count + wrong.count + nameless }
    /// Of what a reader could tell.
    package var unknownShare: Double { tellable == 0 ? 0 : Double(unknown.count) / Double(tellable) }
    /// Wrong is never, and unknown is at most 5 %.
    package var holds: Bool { wrong.isEmpty && unknownShare <= 0.05 }

    package func summary(of what: String) -> String {
        let percent = Double(Int(unknownShare * 1_000)) / 10
        let names = nameless == 0 ? "" : ", \(nameless) without a name"
        return "\(count) \(what): \(right) right, \(unknown.count) unknown (\(percent) %)\(names), \(wrong.count) wrong"
    }
}
