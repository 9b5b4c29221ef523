// SPDX-License-Identifier: MIT
// The options of a screen, and their validation.

import ArgumentParser
import Foundation
import RenderLoopScenarios

extension RerenderDemo {
    /// The script that was given; nil for a user at the terminal.
    func parsedScript(for screen: RedrawScenario) throws(ScriptError) -> Script? {
        guard let script else { return nil }
        let parsed = try Script(parsing: script)
        try parsed.check(screen.controls, of: screen.rawValue)
        return parsed
    }

    func validateScreen(_ screen: RedrawScenario) throws {
        guard seconds == nil, ticks == nil, rate == nil else {
            throw ValidationError(
                "--seconds, --ticks and --rate are for the shop; \(screen.rawValue) ends with its script or Ctrl-C")
        }
        if window {
            guard script == nil, !virtualClock else {
                throw ValidationError("a window is operated by hand: --script and --virtual-clock are for runs without")
            }
            return
        }
        do {
            guard try parsedScript(for: screen) == nil else { return }
        } catch {
            throw ValidationError(error.description)
        }
        if virtualClock {
            throw ValidationError("--virtual-clock needs a script: --script \(screen.exampleScript)")
        }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw ValidationError(
                "\(screen.rawValue) needs a terminal, and standard input or output is not one; "
                    + "give it a script: --script \(screen.exampleScript)")
        }
    }
}
