// SPDX-License-Identifier: MIT
// `screens hud`: a program in a window with the HUD above it, which the lines of standard input drive.

import CHUDHost
import Glibc

enum HUDHost {
    static func run() -> Never {
        #if RERENDER_GTK
            let listener = UnsafeMutablePointer<hud_host_listener>.allocate(capacity: 1)
            listener.initialize(
                to: hud_host_listener(
                    ready: { HostCommands.shared.begin(in: $0) }, line: { HostCommands.shared.take($0) }))
            exit(hud_host_run(listener) == 0 ? 0 : 69)
        #else
            print("built without the trait GTK")
            exit(69)
        #endif
    }
}
