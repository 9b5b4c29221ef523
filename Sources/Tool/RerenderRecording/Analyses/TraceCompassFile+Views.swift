// SPDX-License-Identifier: MIT
// What Trace Compass draws: three timelines, a chart, and the flame views of nested evaluations.

extension TraceCompassFile {
    /// The timelines and the chart. Text in a bar is the name of its colour: Trace Compass writes no text of the trace there.
    static var views: [XMLElement] {
        [
            timeline(
                "views", "Views",
                [
                    ("evaluating", "#4477AA"), ("wasted (inferred)", "#EE9944"), ("wasted (measured)", "#CC3311"),
                    ("idle", "#E4E9EE"), ("idle; the last was wasted (inferred)", "#FADFC3"),
                    ("idle; the last was wasted (measured)", "#F3C6BC"),
                ],
                XMLElement("entry", ["path": "Views/*"], constant("display", "State"))),
            timeline(
                "threads", "Processes and Threads",
                [
                    ("1 body", "#77AADD"), ("2 bodies deep", "#4477AA"), ("3 bodies deep", "#225588"),
                    ("4 bodies deep", "#113355"),
                ],
                XMLElement(
                    "entry", ["path": "Threads/*", "displayText": "true"], constant("display", "Stack"),
                    constant("name", "Name"))),
            timeline(
                "turns", "Turns and Hangs",
                [("turn", "#BBCCDD"), ("turn with evaluations", "#4477AA"), ("turn that hangs", "#CC3311")],
                XMLElement("entry", ["path": "Hang"], itself),
                XMLElement("entry", ["path": "Turn", "displayText": "true"], itself)),
            // No differences: behind the last event the engine takes every value for 0, and the last difference would be
            // minus the whole count.
            XMLElement(
                "xyView", ["id": "com.rerender.chart.evaluations"], viewHead("Evaluations per Turn"),
                XMLElement(
                    "entry", ["path": "Processes/*/Loop", "displayType": "absolute"], itself,
                    constant("name", "Name"))),
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

    private static func constant(_ name: String, _ value: String) -> XMLElement {
        XMLElement(name, ["type": "constant", "value": value])
    }

    // MARK: Nested evaluations

    /// Flame Chart, Flame Graph and what else Trace Compass has for call stacks; here views have their names in the bars.
    ///
    /// Below `Processes` there are threads alone, because the levels take whatever is there.
    static var callStack: XMLElement {
        let isOutermost = XMLElement.equal("~thread_state/Outermost", .field("signpost_id"))
        let isOutside = XMLElement.compare(field: "in_body", .int("0"))
        let knowText = XMLElement.setOnce("~text", .script(AnalysisScript.name, ["t": "name"]))
        return XMLElement(
            "callstack", ["id": "com.rerender.callstack"],
            XMLElement(
                "callstackGroup", ["name": "Nested evaluations"], XMLElement("level", ["path": "Processes/*"]),
                XMLElement("level", ["path": "*"]), XMLElement("thread", ["level": "1", "type": "name"])),
            XMLElement(
                "stateProvider", ["version": "2", "id": "com.rerender.callstack.states"], .head("nested evaluations"),
                .location("text", "Texts/@name"),
                .location("thread", "Processes/@context._vpid/@context._vtid/CallStack"),
                .location("thread_state", "Threads/@context._vpid/@context._vtid"),
                .on(
                    "BodyEval:begin",
                    [
                        knowText, .popAll(from: "~thread", if: [Self.isOutermost]),
                        .push("query", "~text", on: "~thread"),
                        .set("~thread_state/Outermost", .field("signpost_id"), if: Self.isOutermost),
                    ]),
                .on(
                    "BodyEval:end",
                    [
                        knowText, .pop(from: "~thread", if: .compare([.top(of: "~thread")], .query("~text"))),
                        .popAll(from: "~thread", if: [isOutermost]),
                        .set("~thread_state/Outermost", .null, if: isOutermost),
                    ]),
                .on("RenderLoop:begin", [.popAll(from: "~thread", if: [isOutside])])))
    }
}
