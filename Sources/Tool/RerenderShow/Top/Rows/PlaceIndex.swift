// SPDX-License-Identifier: MIT
// The places that the screen names, each looked for once.

import Synchronization

/// Remembers the places in texts, and which files they mean: the screen shows the same ones again and again.
final class PlaceIndex: Sendable {
    /// Texts that are kept; beyond it all are looked at anew.
    private static let most = 4_096

    let files: SourceFiles
    private let known = Mutex<[TopSpan: [TopSpan]]>([:])

    init(_ files: SourceFiles) { self.files = files }

    /// As ``SourcePlace/links(in:_:)``, with the files that are known here.
    func links(in span: TopSpan) -> [TopSpan] {
        guard SourcePlace.mayBeIn(span.text) else { return [span] }
        return known.withLock { known in
            if let links = known[span] { return links }
            let links = SourcePlace.links(in: span) { files.path(of: $0) }
            if known.count >= Self.most { known = [:] }
            known[span] = links
            return links
        }
    }
}
