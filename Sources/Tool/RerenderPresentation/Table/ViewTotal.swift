// SPDX-License-Identifier: MIT
// How many views there are beyond those that are shown.

import RerenderToolBase

/// The number of views that a table could show, as far as it is known.
package enum ViewTotal: Hashable, Sendable {
    /// So many.
    case exactly(Int)
    /// Not more than so many.
    case atMost(Int)
    case unknown

    /// The line below a table of `shown` views that leaves some out.
    package func line(shown: Int) -> String {
        let part =
            switch self {
            case .exactly(let all): "\(Counted.grouped(shown)) of \(Counted.text(max(all, shown + 1), "view"))"
            case .atMost(let all): "\(Counted.grouped(shown)) of up to \(Counted.text(max(all, shown + 1), "view"))"
            case .unknown: "only \(Counted.text(shown, "view"))"
            }
        return "… \(part) shown; --limit all shows every view"
    }
}

/// Counts the views of an export without reading them.
package struct ViewCounter: Sendable {
    private var splitter = ExportSplitter()
    package private(set) var views = 0

    package init() {}

    /// Takes the next bytes of the document.
    package mutating func count(_ bytes: [UInt8]) {
        for byte in bytes {
            if case .view = splitter.take(byte) { views += 1 }
        }
    }
}
