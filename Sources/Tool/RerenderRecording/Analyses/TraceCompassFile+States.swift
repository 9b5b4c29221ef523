// SPDX-License-Identifier: MIT
// The analyses of states: three timelines, a chart, and the stacks of nested evaluations.

extension TraceCompassFile {
    /// The states behind the timelines and the chart:
    ///
    ///     Processes/PID/Name, Pid, Turn, Hang
    ///     Processes/PID/Views/KEY/State, Depth, Count
    ///     Processes/PID/Threads/TID/Stack/1…
    ///
    /// `storedField` does nothing and doubles come out wrong: values are kept by state changes, and all are integers.
    static var states: XMLElement {
        XMLElement(
            "stateProvider", ["version": "1", "id": statesID], .head("views, turns, hangs"),
            defined("EVALUATING", "1"), defined("WASTED_INFERRED", "2"), defined("WASTED_MEASURED", "3"),
            defined("TURN", "1"), defined("TURN_WITH_EVALUATIONS", "2"),
            .location("process", "Processes/@context._vpid"),
            .location("hanging_process", "Processes/@pid"),
            .location("view", "Processes/@context._vpid/Views/@name"),
            .location("stack", "Processes/@context._vpid/Threads/@context._vtid/Stack"),
            evaluationBegins, evaluationEnds,
            .on("RenderLoop:begin", .set("~process/Pid", .process), .set("~process/Turn", .int("$TURN"))),
            .on(
                "RenderLoop:end",
                .set(
                    "~process/Turn", .update("$TURN_WITH_EVALUATIONS"), if: .isSet("~process/Turn"),
                    .compare(field: "evaluations", operation: "gt", .long("0"))),
                .set("~process/Turn", .null)),
            // From rerenderd, so the process is in a field: the context is the daemon's.
            .on(
                "Hang:begin", .set("~hanging_process/Pid", .field("pid")),
                .set("~hanging_process/Hang", .field("name"))),
            .on("Hang:end", .set("~hanging_process/Hang", .null)))
    }

    private static let statesID = "com.rerender.states"

    private static var evaluationBegins: XMLElement {
        .on(
            "BodyEval:begin", .set("~process/Pid", .process),
            // The name of the first thread is the process's; others have names of their own.
            .set("~process/Name", .field("context._procname"), if: .compare([.thread], .process)),
            // One view may run in several threads and in itself: its bar lasts from the first begin to the last end.
            .set("~view/Depth", .add("int", "1")),
            .set("~view/State", .int("$EVALUATING"), if: .equal("~view/Depth", .int("1"))),
            .push("name", on: "~stack"))
    }

    private static var evaluationEnds: XMLElement {
        .on(
            "BodyEval:end", .set("~view/Count", .add("long", "1")), wasted("1", "$WASTED_INFERRED"),
            wasted("2", "$WASTED_MEASURED"),
            .set(
                "~view/Depth", .add("int", "-1"), if: .isSet("~view/Depth"),
                .compare(XMLElement.path("~view/Depth"), operation: "gt", .int("0"))),
            .set("~view/State", .null, if: .equal("~view/Depth", .int("0"))),
            .pop("name", from: "~stack"))
    }

    /// Whether it was for nothing is known at the end, and colours the bar from its beginning.
    private static func wasted(_ value: String, _ state: String) -> XMLElement {
        .set("~view/State", .update(state), if: .isSet("~view/State"), .compare(field: "wasted", .int(value)))
    }

    private static func defined(_ name: String, _ value: String) -> XMLElement {
        XMLElement("definedValue", ["name": name, "value": value])
    }

    // MARK: Views

    static var views: [XMLElement] {
        [
            timeline(
                "views", "Views",
                [("evaluating", "#4477AA"), ("wasted (inferred)", "#EE9944"), ("wasted (measured)", "#CC3311")],
                XMLElement("entry", ["path": "Views/*"], display("State"))),
            timeline(
                "threads", "Processes and Threads",
                [
                    ("a body", "#77AADD"), ("a body in a body", "#4477AA"), ("three bodies deep", "#225588"),
                    ("four bodies deep", "#113355"),
                ], XMLElement("entry", ["path": "Threads/*"], display("Stack"), labelled("Stack/*"))),
            timeline(
                "turns", "Turns and Hangs", [("turn", "#BBCCDD"), ("turn with evaluations", "#4477AA")],
                labelled("Hang"), XMLElement("entry", ["path": "Turn"], itself)),
            XMLElement(
                "xyView", ["id": "com.rerender.chart.evaluations"], viewHead("Evaluations"),
                XMLElement("entry", ["path": "Processes/*/Views/*", "displayType": "delta"], display("Count"))),
        ]
    }

    /// Rows below each process; `colours` are those of the values from 1.
    private static func timeline(
        _ id: String, _ label: String, _ colours: [(name: String, colour: String)], _ rows: XMLElement...
    ) -> XMLElement {
        let values = zip(1..., colours).map { value, colour in
            XMLElement("definedValue", ["name": colour.name, "value": "\(value)", "color": colour.colour])
        }
        let entry = [constant("id", "Pid"), constant("name", "Name")] + rows
        return XMLElement(
            "timeGraphView", ["id": "com.rerender.timeline.\(id)"],
            [viewHead(label)] + values + [XMLElement("entry", ["path": "Processes/*"], entry)])
    }

    private static func viewHead(_ label: String) -> XMLElement {
        XMLElement("head", [:], XMLElement("analysis", ["id": statesID]), .label(label))
    }

    private static let itself = XMLElement("display", ["type": "self"])

    private static func display(_ value: String) -> XMLElement { constant("display", value) }

    private static func constant(_ name: String, _ value: String) -> XMLElement {
        XMLElement(name, ["type": "constant", "value": value])
    }

    private static func labelled(_ path: String) -> XMLElement {
        XMLElement("entry", ["path": path, "displayText": "true"], itself)
    }

    // MARK: Nested evaluations

    /// Flame Chart, Flame Graph, Function Duration Statistics.
    static var callStack: XMLElement {
        XMLElement(
            "callstack", ["id": "com.rerender.callstack"],
            XMLElement(
                "callstackGroup", ["name": "Nested evaluations"], XMLElement("level", ["path": "Processes/*"]),
                XMLElement("level", ["path": "*"]), XMLElement("thread", ["level": "1", "type": "name"])),
            XMLElement(
                "stateProvider", ["version": "1", "id": "com.rerender.callstack.states"], .head("nested evaluations"),
                .location("thread", "Processes/@context._vpid/@context._vtid/CallStack"),
                .on("BodyEval:begin", .push("name", on: "~thread")),
                .on("BodyEval:end", .pop("name", from: "~thread"))))
    }
}
