// SPDX-License-Identifier: MIT
// How the process says a line.

import Glibc
import Synchronization

private let output = Mutex<Void>(())

/// Writes a line at once. Long lines of two threads would mix without the lock.
func say(_ line: String) {
    output.withLock { _ in
        var bytes = Array("\(line)\n".utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // The reader may be gone.
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
