// SPDX-License-Identifier: MIT
// Reads files of the kernel.

import RerenderShow

/// Files of the kernel, whose size is not known before they are read.
package enum ProcFile {
    /// The file's text, all of it; empty where it cannot be read.
    ///
    /// Not by Foundation, which takes what the kernel hands over at first, 4 KiB of a list, for all of it.
    package static func read(_ path: String) -> String {
        var bytes: [UInt8] = []
        let fault = { (number: CInt) in ToolFailure(ExitStatus.system, SystemText.of(number)) }
        guard (try? InputFile.read(path, fault: fault, take: { bytes += $0 })) != nil else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
