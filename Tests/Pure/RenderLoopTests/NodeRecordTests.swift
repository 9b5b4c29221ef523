// SPDX-License-Identifier: MIT
// What a view calls the sources that it reads.

import Testing

@testable import RenderLoop

@MainActor
@Suite("The names that a view has for its sources")
struct NodeRecordTests {
    @Test("are those of the sources that live: none goes over to another one, and none is kept for ever")
    func names() {
        let record = NodeRecord()
        let kept = DependencySource()
        record.setName("kept", of: kept)
        for round in 0..<1_000 {
            let source = DependencySource()
            #expect(record.name(of: source) == nil, "it may be where one was that is gone")
            record.setName("source \(round)", of: source)
            #expect(record.name(of: source) == "source \(round)")
        }
        record.setName("again", of: kept)
        #expect(record.name(of: kept) == "again" && record.names.count <= 3)
    }
}
