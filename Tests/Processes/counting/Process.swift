// SPDX-License-Identifier: MIT
// What all of these programs do: they say lines, and fork.

import Glibc

/// A fork without exec, which Swift does not offer and hosts do.
@_silgen_name("fork") func forkProcess() -> pid_t

/// Writes a line at once; a pipe would keep what `print` writes.
func say(_ line: String) {
    var bytes = Array("\(line)\n".utf8)[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        // The reader may be gone.
        guard count > 0 else { return }
        bytes = bytes.dropFirst(count)
    }
}
