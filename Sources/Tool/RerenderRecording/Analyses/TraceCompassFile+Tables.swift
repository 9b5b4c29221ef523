// SPDX-License-Identifier: MIT
// The analyses that make tables: evaluations, hangs, double and wasted evaluations.

extension TraceCompassFile {
    /// One row for each evaluation, from its begin to its end.
    static var evaluations: XMLElement {
        let remembered = ["signpost_id": "signpost_id", "pid": "context._vpid", "line": "line"].sorted {
            $0.key < $1.key
        }
        let texts = ["parent", "file"]
        return pattern(
            "latency.evaluations", "evaluation times", prefix: "Evaluation",
            [viewLabel] + (["reason"] + texts).map { .location("\($0)_text", "Texts/@\($0)") },
            test("same_signpost", .compare([.field("signpost_id")], .remembered("signpost_id"))),
            test("same_process", .compare([.process], .remembered("pid"))),
            XMLElement(
                "action", ["id": "remember"],
                texts.flatMap { text -> [XMLElement] in
                    [knowText(text), .set("#CurrentScenario/\(text)", .query("~\(text)_text"))]
                } + remembered.map { .set("#CurrentScenario/\($0.key)", .field($0.value)) }),
            XMLElement("action", ["id": "know"], [knowView("context._vpid"), knowText("reason")]),
            row(
                "evaluation",
                [
                    text("reason", .query("~reason_text")), number("body_ns"), number("total_ns"), number("wasted"),
                    number("turn"), text("parent", .remembered("parent")), text("file", .remembered("file")),
                    number("line", .remembered("line")), number("tid", .thread),
                ]),
            XMLElement(
                "fsm", ["id": "evaluations", "initial": "idle"],
                XMLElement("state", ["id": "idle"], transition("BodyEval:begin", to: "open", "remember")),
                XMLElement(
                    "state", ["id": "open"],
                    transition(
                        "BodyEval:end", if: "same_signpost:same_process", to: "done", "know:evaluation")),
                XMLElement("final", ["id": "done"])))
    }

    /// One row for each hang, as long as the app says, up to the moment when rerenderd saw its end. What was opened and
    /// turned out to be none has a duration of 0.
    static var hangs: XMLElement {
        let time = XMLElement(
            "segTime", [:],
            XMLElement(
                "begin", ["type": "script", "value": AnalysisScript.beginning, "forcedType": "long"],
                XMLElement.inputs(["end": "timestamp", "length": "duration_ns"])),
            XMLElement("duration", ["type": "eventField", "value": "duration_ns"]))
        return pattern(
            "latency.hangs", "hangs", prefix: "Hang",
            [.location("label", "Labels/@pid/@name"), .location("last_rendered_text", "Texts/@last_rendered")],
            test("is_hang", .compare(field: "duration_ns", operation: "gt", .long("0"))),
            XMLElement("action", ["id": "know"], [knowView("pid"), knowText("last_rendered")]),
            row(
                "hang", at: time,
                [
                    number("duration_ns"), text("attribution"), text("verdict"),
                    text("last_rendered", .query("~last_rendered_text")),
                ]),
            XMLElement(
                "fsm", ["id": "hangs", "initial": "watching", "multiple": "false"],
                XMLElement(
                    "state", ["id": "watching"],
                    transition("Hang:end", if: "is_hang", to: "watching", "know:hang"))))
    }

    // MARK: Parts

    /// The name of a row: the view with its process's number.
    static let viewLabel = XMLElement.location("label", "Labels/@context._vpid/@name")

    static func knowView(_ process: String) -> XMLElement {
        .setOnce("~label", .script(AnalysisScript.viewOfProcess, ["t": "name", "pid": process]))
    }

    /// A table's engine stops at a text that is not ASCII.
    static func knowText(_ field: String) -> XMLElement {
        .setOnce("~\(field)_text", .script(AnalysisScript.asciiText, ["t": field]))
    }

    static func pattern(
        _ id: String, _ label: String, prefix: String, _ locations: [XMLElement], _ handler: XMLElement...
    ) -> XMLElement {
        pattern(id, label, prefix: prefix, locations, handler)
    }

    static func pattern(
        _ id: String, _ label: String, prefix: String, _ locations: [XMLElement], _ handler: [XMLElement]
    ) -> XMLElement {
        let head = XMLElement.head(label, XMLElement("viewLabelPrefix", ["value": prefix]))
        return XMLElement(
            "pattern", ["version": "2", "id": "com.rerender.\(id)"],
            [head] + locations + [XMLElement("patternHandler", [:], handler)])
    }

    static func test(_ id: String, _ conditions: XMLElement...) -> XMLElement { test(id, conditions) }

    static func test(_ id: String, _ conditions: [XMLElement]) -> XMLElement {
        let all = conditions.count > 1 ? [XMLElement("and", [:], conditions)] : conditions
        return XMLElement("test", ["id": id], XMLElement("if", [:], all))
    }

    /// Makes a row, named after the event's view; it lasts as long as its scenario where no time is given.
    static func row(_ id: String, at time: XMLElement? = nil, _ columns: [XMLElement]) -> XMLElement {
        let name = XMLElement("segType", [:], XMLElement("segName", [:], .query("~label")))
        return XMLElement(
            "action", ["id": id],
            XMLElement("segment", [:], [name] + (time.map { [$0] } ?? []) + [XMLElement("segContent", [:], columns)]))
    }

    /// A row's time: from one place to another.
    static func time(from begin: String, to end: String) -> XMLElement {
        XMLElement(
            "segTime", [:], XMLElement("begin", ["type": "query"], XMLElement.path(begin)),
            XMLElement("end", ["type": "query"], XMLElement.path(end)))
    }

    /// A column: the event's field of that name, unless another value is given.
    static func text(_ name: String, _ value: XMLElement? = nil) -> XMLElement {
        XMLElement("segField", ["name": name, "type": "string"], value ?? .field(name))
    }

    static func number(_ name: String, _ value: XMLElement? = nil) -> XMLElement {
        XMLElement("segField", ["name": name, "type": "long"], value ?? .field(name))
    }

    static func transition(
        _ event: String, if condition: String? = nil, to target: String, _ action: String
    ) -> XMLElement {
        let event = "com.rerender.\(event)"
        return XMLElement(
            "transition",
            condition.map { ["event": event, "cond": $0, "target": target, "action": action] }
                ?? ["event": event, "target": target, "action": action])
    }
}
