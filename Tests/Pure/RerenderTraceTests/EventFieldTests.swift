// SPDX-License-Identifier: MIT
// The fields that the decoder reads against those that CSignpost writes.

import CSignpost
import Testing

@testable import RerenderTrace

@Suite struct EventFieldTests {
    /// What the writer says of its own events.
    private static func written(_ shape: Int, _ event: Int) -> [String] {
        var names: [String] = []
        while let name = csignpost_field(CInt(shape), CInt(event), names.count).name {
            names.append(String(cString: name))
        }
        return names
    }

    @Test(
        "every field that is read is written under the same name",
        arguments: [
            (.evaluationBegan, CSIGNPOST_BODY_EVAL, CSIGNPOST_BEGIN),
            (.evaluationEnded, CSIGNPOST_BODY_EVAL, CSIGNPOST_END),
            (.viewChanged, CSIGNPOST_VIEW, CSIGNPOST_EVENT),
            (.turnEnded, CSIGNPOST_TURN, CSIGNPOST_END),
            (.phaseBegan, CSIGNPOST_PHASE, CSIGNPOST_BEGIN), (.write, CSIGNPOST_WRITE, CSIGNPOST_EVENT),
            (.hangEnded, CSIGNPOST_HANG, CSIGNPOST_END), (.other, CSIGNPOST_GENERIC, CSIGNPOST_EVENT),
        ] as [(EventKind, Int, Int)])
    func names(kind: EventKind, shape: Int, event: Int) throws {
        let written = Self.written(shape, event)
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
