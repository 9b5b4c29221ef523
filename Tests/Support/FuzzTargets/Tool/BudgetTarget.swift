// SPDX-License-Identifier: MIT
// A budget that people wrote.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    @testable import RerenderTool

    extension FuzzTarget {
        static let budget = FuzzTarget("budget", longest: 2_048) { bytes in
            guard let budget = try? BudgetReader(path: "budget").read(bytes) else { return }
            let text = try BudgetText.of(budget)
            guard let again = try? BudgetReader(path: "budget").read(text) else {
                throw FuzzFinding("what was written is not read: \(String(decoding: text, as: UTF8.self))")
            }
            let isSame = try BudgetText.of(again) == text && again.views.count == budget.views.count
            try hold(isSame, "it changes when it is written")
        }
    }
#endif
