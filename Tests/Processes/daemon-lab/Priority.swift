// SPDX-License-Identifier: MIT
// `daemon-lab priority [--embedded] [--spin]` obtains priority on a thread of its own, as the daemon's watchdog does, and stays until it is
// ended. It prints the outcome as one line of JSON and the thread's number: `{…} TID`.

import Foundation
import RerenderDaemon

enum Priority {
    static func run(_ arguments: [String]) -> Never {
        let (ownsProcess, spins) = (!arguments.contains("--embedded"), arguments.contains("--spin"))
        let line = DispatchSemaphore(value: 0)
        let thread = Thread {
            let priority = ThreadPriority.obtain(ownsProcess: ownsProcess)
            let json = (try? JSONEncoder().encode(priority)) ?? Data()
            print(String(decoding: json, as: UTF8.self), Priority.threadNumber())
            fflush(nil)
            line.signal()
            if spins {
                // Longer than RLIMIT_RTTIME allows a real-time thread: it must become an ordinary one, and nothing be killed.
                while priority.current == priority, priority.realtimePriority > 0 {}
                print(priority.current.way.rawValue)
                fflush(nil)
            }
            pause()
        }
        thread.start()
        line.wait()
        while true { pause() }
    }

    /// The thread's number from its own link in /proc: Glibc's module shows no gettid.
    private static func threadNumber() -> String {
        let link = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
        return String(link.split(separator: "/").last ?? "")
    }
}
