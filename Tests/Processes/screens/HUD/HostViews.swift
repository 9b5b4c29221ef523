// SPDX-License-Identifier: MIT
// Views that the store of the library counts.

import Rerender

#if RERENDER_GTK
    /// Evaluates so many views.
    struct HostViews {
        let store = RerenderStore(name: "host")
        private let names: [String]

        init(_ count: Int) {
            names = (0..<count).map { "Counted\($0)" }
            evaluate()
        }

        /// Each of them once, and the first once more.
        func evaluate() {
            for name in names + names.prefix(1) { store.evaluate(name, reason: "churn") {} }
        }
    }
#endif
