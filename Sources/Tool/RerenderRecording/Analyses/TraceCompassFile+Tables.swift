// SPDX-License-Identifier: MIT
// The analyses that make tables: evaluations, hangs, and double evaluations.

extension TraceCompassFile {
    /// One row for each evaluation, from its begin to its end.
    static var evaluations: XMLElement {
        intervals(
            "evaluation", "evaluation times", of: "BodyEval", ofSame: "process", "pid", ["parent", "file", "line"],
            [
                text("reason"), number("body_ns"), number("total_ns"), number("wasted"), number("turn"),
                text("parent", .remembered("parent")), text("file", .remembered("file")),
                number("line", .remembered("line")), number("pid", .process), number("tid", .thread),
            ])
    }

    /// One row for each hang, from the moment when it was seen to be one; `duration_ns` is the app's own measure.
    static var hangs: XMLElement {
        intervals(
            "hang", "hangs", of: "Hang", ofSame: "daemon", "daemon", [],
            [number("duration_ns"), text("attribution"), text("verdict"), text("last_rendered"), number("pid")])
    }

    /// One row for each view that was evaluated again in the same turn, from the end of the one evaluation to that of the
    /// next. A single machine with a state for each view, because a scenario for each would be asked at every event.
    static var doubles: XMLElement {
        let time = XMLElement(
            "segTime", [:], XMLElement("begin", ["type": "query"], XMLElement.path("~last/End")),
            XMLElement("end", ["type": "eventField", "value": "timestamp"]))
        return pattern(
            "doubles", "double evaluations", prefix: "Double evaluation",
            [.location("last", "Last/@context._vpid/@store_id/@name/@instance")],
            test("in_turn", .compare(field: "turn", operation: "gt", .long("0"))),
            test("same_turn", .equal("~last/Turn", .field("turn"))),
            row(
                "double", [time],
                [text("reason"), number("wasted"), number("turn"), number("count"), number("pid", .process)]),
            remember(["turn", "timestamp"], as: ["Turn", "End"], in: "~last"),
            XMLElement(
                "fsm", ["id": "doubles", "initial": "watching", "multiple": "false"],
                XMLElement(
                    "state", ["id": "watching"],
                    transition("BodyEval:end", if: "in_turn:same_turn", to: "watching", "double:remember"),
                    transition("BodyEval:end", if: "in_turn", to: "watching", "remember"))))
    }

    /// Rows from a begin to the end of the same signpost of the same process; `owner` is what that is remembered as, and
    /// `kept` are fields that only the begin has.
    private static func intervals(
        _ row: String, _ label: String, of event: String, ofSame process: String, _ owner: String, _ kept: [String],
        _ columns: [XMLElement]
    ) -> XMLElement {
        pattern(
            "latency.\(row)s", label, prefix: row.prefix(1).uppercased() + row.dropFirst(), [],
            test("same_signpost", .compare([.field("signpost_id")], .remembered("signpost_id"))),
            test("same_\(process)", .compare([.process], .remembered(owner))),
            remember(
                ["signpost_id", "context._vpid"] + kept, as: ["signpost_id", owner] + kept, in: "#CurrentScenario"),
            self.row(row, [], columns),
            XMLElement(
                "fsm", ["id": "\(row)s", "initial": "idle"],
                XMLElement("state", ["id": "idle"], transition("\(event):begin", to: "open", "remember")),
                XMLElement(
                    "state", ["id": "open"],
                    transition("\(event):end", if: "same_signpost:same_\(process)", to: "done", row)),
                XMLElement("final", ["id": "done"])))
    }

    private static func pattern(
        _ id: String, _ label: String, prefix: String, _ locations: [XMLElement], _ handler: XMLElement...
    ) -> XMLElement {
        let head = XMLElement.head(label, XMLElement("viewLabelPrefix", ["value": prefix]))
        return XMLElement(
            "pattern", ["version": "1", "id": "com.rerender.\(id)"],
            [head] + locations + [XMLElement("patternHandler", [:], handler)])
    }

    private static func test(_ id: String, _ condition: XMLElement) -> XMLElement {
        XMLElement("test", ["id": id], XMLElement("if", [:], condition))
    }

    private static func remember(_ fields: [String], as names: [String], in place: String) -> XMLElement {
        let changes = zip(names, fields).map { XMLElement.set("\(place)/\($0)", .field($1)) }
        return XMLElement("action", ["id": "remember"], changes)
    }

    /// Makes a row, named after the event's view; it lasts as long as its scenario where no time is given.
    private static func row(_ id: String, _ time: [XMLElement], _ columns: [XMLElement]) -> XMLElement {
        let name = XMLElement("segType", [:], XMLElement("segName", [:], .field("name")))
        return XMLElement(
            "action", ["id": id], XMLElement("segment", [:], [name] + time + [XMLElement("segContent", [:], columns)]))
    }

    /// A column: the event's field of that name, unless another value is given.
    private static func text(_ name: String, _ value: XMLElement? = nil) -> XMLElement {
        XMLElement("segField", ["name": name, "type": "string"], value ?? .field(name))
    }

    private static func number(_ name: String, _ value: XMLElement? = nil) -> XMLElement {
        XMLElement("segField", ["name": name, "type": "long"], value ?? .field(name))
    }

    private static func transition(
        _ event: String, if condition: String? = nil, to target: String, _ action: String
    ) -> XMLElement {
        let event = "com.rerender.\(event)"
        return XMLElement(
            "transition",
            condition.map { ["event": event, "cond": $0, "target": target, "action": action] }
                ?? ["event": event, "target": target, "action": action])
    }
}
