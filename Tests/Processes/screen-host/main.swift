// SPDX-License-Identifier: MIT
// The window of rerender-demo, which tells on request where its widgets are and what was counted.

import Dispatch
import Foundation

#if RERENDER_GTK
    let host = ScreenHost(CommandLine.arguments.dropFirst().first ?? "")
    guard let host else { exit(69) }
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { MainActor.assumeIsolated { host.read() } }
    input.activate()
    DispatchQueue.main.async { MainActor.assumeIsolated { host.say("ready") } }
    host.run()
#else
    exit(69)
#endif
