// SPDX-License-Identifier: MIT
// Models and writers of another module than the corpus.

import Observation

@Observable package final class Remote {
    package var level = 0
    package init() {}
    package func raise() -> Int { level += 1; return #line }
}

extension Array where Element == Remote {
    package func raiseAll() -> Int { for remote in self { remote.level += 1 }; return #line }
}

@available(*, unavailable) extension Remote: Sendable {}
