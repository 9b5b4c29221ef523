// SPDX-License-Identifier: MIT
// `daemon-lab notifier` notifies of hangs on command: for each line `PROCESS VIEW MILLISECONDS` one ended. Its log goes to standard output.

import Foundation
import Logging
import RerenderDaemon
import RerenderModel

enum Notifier {
    static func run() {
        let log = Logger(label: "notifier") { _ in
            DaemonLog(style: .journal, level: .info) { line in
                print("log:", line, terminator: "")
                fflush(nil)
            }
        }
        let notifier = HangNotifier(log: log)
        notifier.isEnabled = true
        while let words = readLine()?.split(separator: " "), words.count == 3 {
            var hang = Hang(id: 1, pid: 1, process: String(words[0]), startedAt: .now, turn: 1)
            hang.view = ViewKey(rawValue: String(words[1]))
            hang.attribution = .inBody
            hang.durationNanoseconds = (UInt64(words[2]) ?? 0) * 1_000_000
            hang.shares = [.init(view: ViewKey(rawValue: String(words[1])), nanoseconds: hang.durationNanoseconds)]
            hang.open = false
            // Before the notifier hears of it: afterwards the log of its own queue may come first.
            print("next")
            fflush(nil)
            notifier.hangEnded(hang)
        }
        withExtendedLifetime(notifier) {}
    }
}
