// SPDX-License-Identifier: MIT
// The fields that the decoder reads against those that CSignpost writes.

import Foundation
import Testing

@testable import RerenderTrace

@Suite struct EventFieldTests {
    /// The names in one list of shapes.h, those of the lists that it names included.
    private static func written(_ list: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Shared/CSignpost/shapes.h")
        let text = try String(contentsOf: file, encoding: .utf8).replacing("\\\n", with: " ")
        let start = "#define CS_\(list)_FIELDS(FIELD) "
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(start) }).dropFirst(start.count)
        let own = line.matches(of: #/FIELD\(\w+, (\w+)\)/#).map { String($0.1) }
        return try line.matches(of: #/CS_(\w+)_FIELDS/#).flatMap { try written(String($0.1)) } + own
    }

    @Test(
        "every field that is read is written under the same name",
        arguments: [
            (.evaluationBegan, "BODY_BEGIN"), (.evaluationEnded, "BODY_END"), (.viewChanged, "VIEW"),
            (.turnEnded, "TURN_END"), (.phaseBegan, "PHASE"), (.write, "WRITE"), (.hangEnded, "HANG_END"),
            (.other, "GENERIC"),
        ] as [(EventKind, String)])
    func names(kind: EventKind, list: String) throws {
        let written = try Self.written(list)
        #expect(Set(kind.fields.names).isSubset(of: written), "\(kind.fields.names)")
        // The provider's name and what nobody reads of it are left out.
        #expect(Set(written).subtracting(kind.fields.names).isSubset(of: ["signpost_id", "name", "scope"]))
    }

    @Test("there is a place for every field of an event")
    func places() {
        let schema = EventSchema(kind: .other, name: .empty, signpostKind: .event, hasClock: false)
        for kind in EventKind.allCases { #expect(kind.fields.names.count <= schema.fields.count, "\(kind)") }
    }
}
