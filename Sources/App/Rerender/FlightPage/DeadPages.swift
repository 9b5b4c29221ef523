// SPDX-License-Identifier: MIT
// Removes the flight pages of processes that are gone.

import Glibc
import RerenderWire

/// Pages that crashed apps left where no daemon came to collect them.
enum DeadPages {
    /// Below that many, pages are left for a daemon to find; an app must not scan a directory for nothing.
    private static let tolerated = 256

    /// Removes the pages of processes that are gone once there are very many.
    static func sweep(_ directory: String) {
        guard let listing = unsafe opendir(directory) else { return }
        defer { unsafe closedir(listing) }
        var pages: [FlightPageName] = []
        while let entry = unsafe readdir(listing) {
            // An entry is as long as its name: never read the 256 bytes that `dirent` declares.
            let text = unsafe UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 19)
            let name = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
            if let page = FlightPageName(name) { pages.append(page) }
        }
        guard pages.count > tolerated else { return }
        for page in pages {
            guard kill(page.pid, 0) != 0, errno == ESRCH else { continue }
            unsafe unlink("\(directory)/\(page.text)")
        }
    }
}
