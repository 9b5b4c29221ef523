// SPDX-License-Identifier: MIT
// `screens window SCENARIO`: the window of rerender-demo, which tells on request where its widgets are and what was counted.

import Dispatch
import Foundation

@MainActor
enum WindowProgram {
    static func run(_ name: String) {
        #if RERENDER_GTK
            guard let host = ScreenHost(name) else { exit(69) }
            let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
            input.setEventHandler { MainActor.assumeIsolated { host.read() } }
            input.activate()
            DispatchQueue.main.async { MainActor.assumeIsolated { host.say("ready") } }
            host.run()
            withExtendedLifetime(input) {}
        #else
            exit(69)
        #endif
    }
}
