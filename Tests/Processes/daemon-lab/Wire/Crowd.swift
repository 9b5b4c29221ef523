// SPDX-License-Identifier: MIT
// Very many connections, held by a process that has nothing else to lose.

import Glibc
import TestSupport

struct Crowd {
    private let socket: String
    private let count: Int
    private let kept: Int

    init(_ arguments: [String]) {
        socket = arguments[1]
        count = Int(arguments[2]) ?? 0
        kept = Int(arguments[3]) ?? 0
    }

    func run() throws {
        raiseLimit()
        var open: [CInt] = []
        var failures = 0
        for _ in 0..<count {
            guard let connection = try? UnixStream.connect(socket) else {
                failures += 1
                continue
            }
            open.append(connection)
            if open.count > kept { close(open.removeFirst()) }
        }
        let line = Array("ready \(failures)\n".utf8)
        write(1, line, line.count)
        while readLine() != nil {}
    }

    private func raiseLimit() {
        let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}
