// SPDX-License-Identifier: MIT
// Decides whether an expectation holds, and says how it failed; records that with the test library that runs.

import Rerender

#if canImport(Testing)
    import Testing
#endif

#if canImport(XCTest)
    import XCTest
#endif

/// What a block may do in a store.
enum Expectation: Hashable, Sendable {
    case exactly(Int, ViewKey)
    case atMost(Int, ViewKey)
    case atLeast(Int, ViewKey)
    /// No wasted evaluation: of one view, or of any.
    case noWaste(ViewKey?)

    /// The failures, each in full; empty where the expectation holds.
    func failures(_ counts: BlockCounts, store: String) -> [String] {
        let text = ExpectationText(counts: counts, store: store)
        if let doubt = Self.doubt(counts) { return [doubt] }
        switch self {
        case .exactly(let count, let key): return evaluations(key, text) { $0 == count ? nil : "exactly \(count)" }
        case .atMost(let count, let key): return evaluations(key, text) { $0 <= count ? nil : "at most \(count)" }
        case .atLeast(let count, let key): return evaluations(key, text) { $0 >= count ? nil : "at least \(count)" }
        case .noWaste(let key):
            return counts.views.filter { key == nil || $0.key == key }.compactMap { view in
                Self.waste(view).map { found in
                    text.text(
                        view.key, headline: "\(view.key.displayName): \(found)", expected: "no wasted evaluation")
                }
            }
        }
    }

    /// What is against a view: that some of its evaluations were wasted, or that it is known of none; nil if nothing is.
    private static func waste(_ view: BlockCounts.View) -> String? {
        let all = ExpectationText.number(view.evaluations)
        if view.wasted > 0 {
            let sure =
                view.inferred == 0 ? "" : view.inferred == view.wasted ? " (inferred)" : " (\(view.inferred) inferred)"
            return "\(view.wasted) of \(all) wasted\(sure)"
        }
        guard view.unjudged >= view.evaluations else { return nil }
        return "\(view.unjudged) of \(all) could not be judged: use comparing:"
    }

    /// - Parameter excuse: What was expected, nil where a number of evaluations is what was.
    private func evaluations(
        _ key: ViewKey, _ text: ExpectationText, _ excuse: (Int) -> String?
    ) -> [String] {
        let counted = Int(clamping: text.counts.view(key)?.evaluations ?? 0)
        guard let expected = excuse(counted) else { return [] }
        let headline = "\(key.displayName): \(ExpectationText.number(counted)), expected \(expected)"
        return [text.text(key, headline: headline, expected: expected + " in this block")]
    }

    /// Why the block's counts are not complete; nil where they are.
    private static func doubt(_ counts: BlockCounts) -> String? {
        if counts.wasReset {
            return "the store was reset inside the block: what was evaluated before that is not known. "
                + "Reset it before the block."
        }
        return counts.dropped == 0
            ? nil : "\(ExpectationText.number(counts.dropped)) DROPPED: the process has more views than can be counted"
    }
}

extension StoreSilence {
    /// Why no expectation can hold or fail, and what to do.
    var text: String {
        let reason =
            switch self {
            case .compiledOut:
                "the probes are not in this build. Run the tests in a debug build, or with the trait AlwaysOn of rerender."
            case .environment: "RERENDER=0 is in the environment. Unset it."
            case .switchedOff: "rerenderctl off switched Rerender off. Run rerenderctl on, and start the tests again."
            case .disabled: "the store is switched off (isEnabled is false). Switch it on before the block."
            case .forked: "this process was forked and has not called exec. Count in the parent."
            }
        return "Rerender counts nothing here, so no expectation can hold: \(reason)"
    }
}

/// The text of a failure, in parts with their names in a margin.
struct ExpectationText: Sendable {
    /// The most reasons and other views that are listed.
    static let listed = 8

    let counts: BlockCounts
    let store: String

    /// The failure of an expectation on one view.
    ///
    /// - Parameters:
    ///   - key: The view.
    ///   - headline: What happened instead of what was expected.
    ///   - expected: "exactly 1 evaluation".
    func text(_ key: ViewKey, headline: String, expected: String) -> String {
        let view = counts.view(key)
        var parts = [part("view", [view.map(Self.place) ?? "\(key.displayName), not evaluated in this block"])]
        parts += [part("expected", [expected]), part("counted", [Self.counted(view)])]
        if let view { parts.append(part("why", reasons(view))) }
        let others = counts.views.filter { $0.key != key }
        if !others.isEmpty {
            let names = others.prefix(Self.listed).map { "\($0.key.displayName) \($0.evaluations)" }
            let rest = others.count - names.count
            parts.append(
                part("also", [names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more views" : "")]))
        }
        parts.append(part("store", [Printable.text(store)]))
        return ([headline] + parts.flatMap(\.self)).joined(separator: "\n")
    }

    private static func place(_ view: BlockCounts.View) -> String {
        let instances = view.instances == 1 ? "1 instance" : "\(view.instances) instances"
        return "\(view.key.displayName) at \(Printable.text(view.place)), \(instances)"
    }

    private static func counted(_ view: BlockCounts.View?) -> String {
        guard let view else { return "no evaluation" }
        let kinds = view.kinds.map { "\($0.count) \($0.kind.rawValue)\($0.kind.isMeasured ? "" : ", inferred")" }
            .joined(separator: "; ")
        let wasted = view.wasted == 0 ? "none wasted" : "\(view.wasted) wasted" + (kinds.isEmpty ? "" : " (\(kinds))")
        return "\(number(view.evaluations)), \(wasted)"
    }

    /// "1 evaluation", "3 evaluations".
    static func number(_ count: some BinaryInteger) -> String {
        "\(count) \(count == 1 ? "evaluation" : "evaluations")"
    }

    private func reasons(_ view: BlockCounts.View) -> [String] {
        let shown = view.reasons.prefix(Self.listed).map { reason in
            let chain = reason.chains.first.map { ", began with \(Printable.text($0.chain))" } ?? ""
            let writer = counts.writer(of: reason).map { ", written by \(Printable.text($0))" } ?? ""
            return "\(reason.count) \(Printable.text(reason.reason))\(Self.sureness(reason))\(chain)\(writer)"
        }
        let rest = view.reasons.count - shown.count
        return shown + (rest > 0 ? ["and \(rest) more reasons"] : [])
    }

    private static func sureness(_ reason: ReasonCount) -> String {
        reason.isGuess ? " (found by comparing values)" : ""
    }

    /// Lines; the first has the part's name in the margin.
    private func part(_ name: String, _ lines: [String]) -> [String] {
        lines.enumerated().map { index, line in
            let margin = index == 0 ? name : ""
            return "  " + margin + String(repeating: " ", count: 10 - margin.count) + line
        }
    }
}

/// Where an expectation stands.
typealias CallSite = (fileID: StaticString, filePath: StaticString, line: UInt, column: UInt)

/// Records failures.
enum TestIssue {
    /// Records one with Swift Testing where one of its tests runs, else with XCTest.
    ///
    /// Outside of a test's own task it is not known which of the two runs. Then both get the failure: each ignores it while none
    /// of its tests runs. A failure that reached neither would be a passed test.
    static func record(_ text: String, at site: CallSite) {
        #if canImport(Testing)
            let location = SourceLocation(
                fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line), column: Int(site.column))
            Issue.record(Comment(rawValue: text), sourceLocation: location)
            if Test.current != nil { return }
        #endif
        #if canImport(XCTest)
            XCTFail(text, file: site.filePath, line: site.line)
        #endif
    }
}
