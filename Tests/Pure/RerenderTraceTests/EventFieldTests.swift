// SPDX-License-Identifier: MIT
// The table of events, as the decoder reads by it.

import CShared
import Foundation
import RerenderModel
import TestSupport
import Testing

@testable import RerenderTrace

@Suite struct EventFieldTests {
    /// A row of the table.
    private static func fields(_ kind: EventKind) -> [csignpost_field] {
        let row = kind.row
        let all = (0...).lazy.map { csignpost_field(CInt(row.shape), CInt(row.kind), $0) }
        return Array(all.prefix { $0.name != nil })
    }

    private static func name(_ field: csignpost_field) -> String { field.name.map { String(cString: $0) } ?? "" }

    @Test("the struct of an event has room for its fields, and none lies on another", arguments: EventKind.allCases)
    func room(kind: EventKind) {
        let size =
            switch kind {
            case .evaluationBegan: MemoryLayout<EvaluationBegan>.size
            case .evaluationEnded: MemoryLayout<EvaluationEnded>.size
            case .viewChanged: MemoryLayout<ViewChanged>.size
            case .turnBegan: MemoryLayout<TurnBegan>.size
            case .turnEnded: MemoryLayout<TurnEnded>.size
            case .phaseBegan, .phaseEnded: MemoryLayout<Phase>.size
            case .write: MemoryLayout<Write>.size
            case .hangBegan, .hangEnded: MemoryLayout<HangEvent>.size
            case .store: MemoryLayout<csignpost_read_store>.size
            case .loop: MemoryLayout<csignpost_read_loop>.size
            case .part: MemoryLayout<csignpost_read_part>.size
            case .stretch: MemoryLayout<csignpost_read_stretch>.size
            case .row: MemoryLayout<csignpost_read_loop_row>.size
            case .fact: MemoryLayout<csignpost_read_fact>.size
            case .threads: MemoryLayout<csignpost_read_threads>.size
            case .work: MemoryLayout<csignpost_read_work>.size
            case .cycle: MemoryLayout<csignpost_read_cycle>.size
            case .other: MemoryLayout<csignpost_read_generic>.size
            }
        let fields = Self.fields(kind).sorted { $0.offset < $1.offset }
        #expect(!fields.isEmpty && fields.count <= CSIGNPOST_MAX_FIELDS)
        #expect(fields.allSatisfy { $0.is_text != 0 ? $0.size == 4 : [1, 4, 8].contains($0.size) })
        #expect(fields.allSatisfy { $0.offset + $0.size <= size })
        #expect(zip(fields, fields.dropFirst()).allSatisfy { $0.offset + $0.size <= $1.offset })
        #expect(Set(fields.map(Self.name)).count == fields.count)
    }

    @Test("a recording needs the fields that each version has written, and no others")
    func needed() {
        let hang = ["signpost_id", "name", "last_rendered", "pid", "attribution", "verdict"]
        let phase = ["signpost_id", "name", "turn"]
        // Fields of interactions are younger than the event.
        let interaction: Set = [
            "input", "age_ns", "evaluations_ns", "style_ns", "layout_ns", "drawing_ns", "presentation_ns",
        ]
        let needed: [EventKind: [String]] = [
            .evaluationBegan: ["signpost_id", "name"],
            .evaluationEnded: [
                "signpost_id", "name", "reason", "body_ns", "total_ns", "wasted", "turn", "count", "epoch",
            ],
            .viewChanged: [
                "name", "message", "store", "store_id", "epoch", "instance", "instances", "commits", "measured",
                "wasted_ns", "same_output", "same_value", "new_identity", "closure_identity", "parent_only",
                "twice_in_a_turn",
            ],
            .turnBegan: ["turn"], .turnEnded: ["turn"], .phaseBegan: phase, .phaseEnded: phase,
            .write: ["name", "message", "views"], .hangBegan: hang, .hangEnded: hang, .other: [],
            .fact: Self.fields(.fact).map(Self.name).filter { !interaction.contains($0) },
        ]
        for kind in EventKind.allCases {
            let fields = Self.fields(kind).filter { Int($0.absent) == CSIGNPOST_NEEDED }
            // Of what else stores tell, there is one version.
            #expect(fields.map(Self.name) == needed[kind] ?? Self.fields(kind).map(Self.name), "\(kind)")
        }
    }

    @Test("the page of trace events names each field in the row of its event", arguments: EventKind.allCases)
    func documented(kind: EventKind) throws {
        guard kind != .other else { return }
        let page = try String(contentsOf: Checkout.url("docs/reference/trace-events.md"), encoding: .utf8)
        let (provider, event) = (kind.rawValue.prefix { $0 != ":" }, kind.rawValue.drop { $0 != ":" })
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `\(provider):") }
        // One row may have both events of a provider, and an end may have "the same" fields as its begin.
        let own = rows.filter { $0.split(separator: "|").first?.contains("\(event)`") == true }
        let isTheSame = own.contains { $0.contains("the same") }
        let text: String = (isTheSame ? rows : own).joined(separator: "")
        let missing = Self.fields(kind).map(Self.name).filter { !text.contains("`\($0)`") }
        #expect(missing == [], "\(kind.rawValue)")
    }

    @Test("a view's event has a count for each kind of waste, and a view has room for each attribution of its reasons")
    func kinds() {
        #expect(ViewChanged().wastedKinds.count == WasteKind.allCases.count)
        #expect(TraceLimits.reasonsPerView == 33 * (Attribution.allCases.count + 1))
    }

    /// The labels of a field, if it is an enumeration: those of the numbers from 0 on.
    private static func labels(_ kind: EventKind, _ name: String) -> [String] {
        guard let place = fields(kind).firstIndex(where: { Self.name($0) == name }) else { return [] }
        let row = kind.row
        let all = (0 as CUnsignedInt..<256).map { csignpost_label(CInt(row.shape), CInt(row.kind), place, $0) }
        return all.prefix { $0 != nil }.map { $0.map { String(cString: $0) } ?? "" }
    }

    @Test("an enumeration has a label for each case, in their order, and 0 stands for none")
    func enumerations() {
        #expect(Self.labels(.evaluationEnded, "wasted") == ["no", "inferred", "measured"])
        #expect(Self.labels(.viewChanged, "wasted") == ["no", "inferred", "measured"])
        #expect([TraceWaste.none, .inferred, .measured].map(\.rawValue) == [0, 1, 2])
        #expect(Self.labels(.evaluationEnded, "kind") == ["none"] + WasteKind.allCases.map(\.rawValue))
        #expect(Self.labels(.evaluationEnded, "attribution") == ["none"] + Attribution.allCases.map(\.rawValue))
        #expect(Self.labels(.store, "kind") == ["none"] + StoreKind.allCases.map(\.rawValue))
        #expect(Self.labels(.row, "kind") == ["none"] + LoopRow.Kind.allCases.map(\.rawValue))
        #expect(Self.labels(.fact, "kind") == ["none"] + WidgetFact.Kind.allCases.map(\.rawValue))
        let inputs = WidgetFact.Interaction.Input.allCases.map(\.rawValue)
        #expect(Self.labels(.fact, "input") == ["none"] + inputs)
        #expect(Self.labels(.work, "kind") == ["none"] + IdleWork.Kind.allCases.map(\.rawValue))
        // Of a hang, the last case stands for none.
        for kind in [EventKind.hangBegan, .hangEnded] {
            let (blames, verdicts) = (HangAttribution.allCases.map(\.rawValue), HangVerdict.allCases.map(\.rawValue))
            #expect(Self.labels(kind, "attribution") == [HangAttribution.none.rawValue] + blames.dropLast())
            #expect(Self.labels(kind, "verdict") == [HangVerdict.unknown.rawValue] + verdicts.dropLast())
        }
        #expect(Self.labels(.evaluationEnded, "turn") == [] && Self.labels(.work, "wasted") == [])
    }

    @Test("a hang has its words by their numbers, and a number that is not known is none")
    func hangWords() {
        var hang = HangEvent()
        for blame in HangAttribution.allCases {
            hang.attribution = TraceCode.code(blame, none: .none)
            #expect(hang.blame == blame && (hang.attribution == 0) == (blame == .none))
        }
        for verdict in HangVerdict.allCases {
            hang.verdict = TraceCode.code(verdict, none: .unknown)
            #expect(hang.activity == verdict && (hang.verdict == 0) == (verdict == .unknown))
        }
        (hang.attribution, hang.verdict) = (200, 200)
        #expect(hang.blame == .none && hang.activity == .unknown)
    }

    @Test("a code is the place of a case, and neither 0 nor one beyond the last is any")
    func codes() {
        #expect(WidgetFact.Kind.allCases.map { TraceCode.code($0) } == [1, 2, 3, 4])
        #expect(
            ([0, 1, 3, 5, 255] as [UInt8]).map { TraceCode.value($0) as WidgetFact.Kind? } == [
                nil, .asker, .anew, nil, nil,
            ])
        // The app tells each part and each stretch of a main loop.
        let properties = Mirror(reflecting: LoopTotals()).children
        let parts = properties.filter { $0.value is LoopPart }.compactMap(\.label)
        let stretches = properties.filter { $0.value is QuietStretch }.compactMap(\.label)
        #expect(LoopTotals.tracedParts.map(\.name) == parts && LoopTotals.tracedStretches.map(\.name) == stretches)
    }

    @Test("a name is that of its row") func names() {
        for kind in EventKind.allCases where kind != .other {
            let events = ["begin", "end", "event"]
            let provider = csignpost_reserved_name(CInt(kind.row.shape)).map { String(cString: $0) }
            #expect(kind.rawValue == "\(provider ?? ""):\(events[kind.row.kind])")
        }
    }
}
