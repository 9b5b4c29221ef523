// SPDX-License-Identifier: MIT
// Decides whether an expectation holds, without a test library.

import Rerender

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
