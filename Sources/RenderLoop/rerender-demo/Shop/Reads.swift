// SPDX-License-Identifier: MIT
// What one body read, as Observation follows it; never more than its latest evaluation.

import Observation

/// Follows the reads of one view.
///
/// Observation keeps a registration until something in it changes. A body that runs again for another reason would leave
/// its old one behind, and one that runs at every tick would pile them up. So each includes a number of our own:
/// changing that ends the one before.
@MainActor
final class Reads {
    private let registration = Registration()

    /// Runs `body`; calls `onChange` once, when the first of what it read is about to change. All on the main thread.
    func track<Result>(
        _ body: () -> Result, onChange: @escaping @MainActor @Sendable () -> Void
    ) -> Result {
        end()
        let current = registration.number
        return withObservationTracking {
            _ = registration.number
            return body()
        } onChange: { [weak registration] in
            MainActor.assumeIsolated {
                guard let registration, !registration.isEnding, registration.number == current else { return }
                onChange()
            }
        }
    }

    /// Ends what is followed.
    func end() {
        registration.isEnding = true
        registration.number += 1
        registration.isEnding = false
    }
}

@MainActor
@Observable
private final class Registration {
    var number = 0
    @ObservationIgnored var isEnding = false
}
