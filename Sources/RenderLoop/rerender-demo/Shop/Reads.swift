// SPDX-License-Identifier: MIT
// What one body read, as Observation follows it; never more than its latest evaluation.

import Observation

/// Follows the reads of one view.
///
/// Observation keeps a registration until something in it changes. A body that runs again for another reason would leave
/// its old one behind, and one that runs at every tick would pile them up. So each includes a number of our own:
/// changing that ends the one before.
@MainActor
@Observable
final class Reads {
    private var number = 0
    /// The number to come, while that of now is still to be changed.
    @ObservationIgnored private var current = 0

    /// Runs `body`; calls `onChange` once, when the first of what it read is about to change. All on the main thread.
    func track<Result>(
        _ body: () -> Result, onChange: @escaping @MainActor @Sendable () -> Void
    ) -> Result {
        end()
        let tracked = current
        return withObservationTracking {
            _ = number
            return body()
        } onChange: { [weak self] in
            MainActor.assumeIsolated {
                if let self, self.current == tracked { onChange() }
            }
        }
    }

    /// Ends what is followed.
    func end() {
        current += 1
        number = current
    }
}
