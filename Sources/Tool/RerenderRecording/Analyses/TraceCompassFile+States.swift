// SPDX-License-Identifier: MIT
// The states behind the timelines and the chart.

import RerenderToolBase

extension TraceCompassFile {
    static let statesID = "com.rerender.states"

    /// The states of one process, view, thread and store, and the texts of the trace as people read them:
    ///
    ///     Processes/PID/Pid, Name, IsNamed, Hang, Turn, TurnNumber, Loop (with Name)
    ///     Processes/PID/Views/VIEW/State, Depth, LastID, LastInstance, LastTurn, IsOpen
    ///     Processes/PID/Threads/TID/Name, Stack/1…, Outermost
    ///     Processes/PID/Stores/STORE/Commits
    ///     Texts/TEXT
    ///
    /// `storedField` does nothing and doubles come out wrong: values are kept by state changes, and all numbers are
    /// integers. The engine writes no state with a character of U+0080 to U+009F, which it makes of UTF-8 read byte by
    /// byte: so every text that becomes a state goes through a script first.
    static var states: XMLElement {
        let defined: [(name: String, value: String)] = [
            ("EVALUATING", "1"), ("WASTED_INFERRED", "2"), ("WASTED_MEASURED", "3"), ("IDLE", "4"),
            ("IDLE_AFTER_INFERRED", "5"), ("IDLE_AFTER_MEASURED", "6"),
            ("TURN", "1"), ("TURN_WITH_EVALUATIONS", "2"), ("TURN_THAT_HANGS", "3"),
        ]
        return XMLElement(
            "stateProvider", ["version": "2", "id": statesID],
            [.head("views, turns, hangs")]
                + defined.map { XMLElement("definedValue", ["name": $0.name, "value": $0.value]) } + [
                    .location("text", "Texts/@name"),
                    .location("process", "Processes/@context._vpid"),
                    .location("hanging_process", "Processes/@pid"),
                    .location("view", "Processes/@context._vpid/Views/{Texts/@name}"),
                    .location("thread", "Processes/@context._vpid/Threads/@context._vtid"),
                    .location("stack", "Processes/@context._vpid/Threads/@context._vtid/Stack"),
                    .location("store", "Processes/@context._vpid/Stores/@store_id"),
                    .on("BodyEval:begin", evaluationBegins), .on("BodyEval:end", evaluationEnds),
                    .on("View:event", viewChanges), .on("RenderLoop:begin", turnBegins),
                    .on("RenderLoop:end", turnEnds), .on("Hang:begin", hangBegins), .on("Hang:end", hangEnds),
                ])
    }

    // MARK: Names

    /// A text is made readable once; one space stands for no view.
    private static let knowText = XMLElement.setOnce(
        "~text", .script(AnalysisScript.text(none: "(no view)"), ["t": "name"]))

    /// The row of a process has its number, and a name as soon as its first thread has told it: the name in an event is
    /// that of the thread.
    private static var knowProcess: [XMLElement] {
        let isFirstThread = XMLElement.compare([.thread], .process)
        return [
            .set("~process/Pid", .process),
            .setOnce("~process/Name", .script(AnalysisScript.unnamed("pid"), ["id": "context._vpid"])),
            .set(
                "~process/Name",
                .script(
                    AnalysisScript.named, isUpdate: true, ["t": "context._procname", "id": "context._vpid"]),
                if: isFirstThread, .isNotSet("~process/IsNamed")),
            .set("~process/IsNamed", .int("1"), if: isFirstThread),
            .setOnce(
                "~thread/Name", .script(AnalysisScript.named, ["t": "context._procname", "id": "context._vtid"])),
        ]
    }

    /// From rerenderd, so the process is in a field: the context is the daemon's.
    private static let knowHangingProcess: [XMLElement] = [
        knowText, .set("~hanging_process/Pid", .field("pid")),
        .setOnce("~hanging_process/Name", .script(AnalysisScript.unnamed("pid"), ["id": "pid"])),
    ]

    // MARK: Evaluations

    /// Whether no body runs around the one that begins.
    static let isOutermost = XMLElement.compare(field: "parent", .text(" "))

    /// How deep views are nested in the timelines: the levels are written out, because XML has no loops. Each level of a
    /// thread's stack is one in its view's `Depth`. What is nested deeper is in the flame views only.
    private static let levels = 12

    private static var evaluationBegins: [XMLElement] {
        let hasRoom = XMLElement.compare(XMLElement.path("~stack"), operation: "ne", .int("\(levels)"))
        return [knowText] + knowProcess + endsOfLost(if: isOutermost) + [
            // Evaluated again in the same turn, without a commit: the one before was never shown. Its bar is over, so that
            // the colour is that of the gap behind it.
            .set(
                "~view/State", .update("$IDLE_AFTER_INFERRED"), if: .isSet("~process/TurnNumber"),
                .compare(XMLElement.path("~view/LastTurn"), .query("~process/TurnNumber")),
                .compare(field: "instance", operation: "ne", noInstance),
                .equal("~view/LastInstance", .field("instance")), .isSet("~view/IsOpen"),
                .equal("~view/State", .int("$IDLE"))),
            // One view may run in several threads and in itself: its bar lasts from the first begin to the last end.
            .set("~view/Depth", .add("1"), if: hasRoom),
            .set("~view/State", .int("$EVALUATING"), if: hasRoom, .equal("~view/Depth", .int("1"))),
            .push("query", "~text", on: "~stack", if: hasRoom),
            .set("~thread/Outermost", .field("signpost_id"), if: isOutermost),
        ]
    }

    private static var evaluationEnds: [XMLElement] {
        // A pop takes whatever is on top. So it asks first whether that is the view that ends: an end whose begin was lost
        // closes nothing, and where an end before was lost, the outermost end closes what is left.
        let isMine = XMLElement.compare([.top(of: "~stack")], .query("~text"))
        let isMeasured = XMLElement.compare(field: "wasted", .int("2"))
        let isLast = [isMine, XMLElement.equal("~view/Depth", .int("1"))]
        let isOutermost = XMLElement.equal("~thread/Outermost", .field("signpost_id"))
        let inferred = isInferred(store: "~store")
        return [
            knowText,
            // Whether it was for nothing is known at the end, and colours the bar from its beginning.
            .set(
                "~view/State", .update("$WASTED_INFERRED"),
                if: [isMine] + inferred
                    + [.compare(XMLElement.path("~view/State"), operation: "ne", .int("$WASTED_MEASURED"))]),
            .set("~view/State", .update("$WASTED_MEASURED"), if: isMine, isMeasured),
            .set("~view/State", .int("$IDLE"), if: isLast),
            .set("~view/State", .int("$IDLE_AFTER_INFERRED"), if: isLast + inferred),
            .set("~view/State", .int("$IDLE_AFTER_MEASURED"), if: isLast + [isMeasured]),
            .set("~view/Depth", .add("-1"), if: isMine),
            .set("~view/LastID", .field("signpost_id")), .set("~view/LastInstance", .field("instance")),
            .set("~view/LastTurn", .field("turn")), .set("~view/IsOpen", .int("1")),
            .pop(from: "~stack", if: isMine),
        ] + endsOfLost(if: isOutermost) + [.set("~thread/Outermost", .null, if: isOutermost)]
    }

    /// What no instance has for a number: 2⁶⁴−1, which Trace Compass reads as −1.
    static let noInstance = XMLElement.long("-1")

    /// The number of a kind of waste in a trace.
    static func number(of kind: WasteKind) -> String { "\((WasteKind.allCases.firstIndex(of: kind) ?? 0) + 1)" }

    /// Whether an end's inferred waste is final. Where the framework tells of its commits, the next one decides. And of two
    /// evaluations in one turn it is the first that was for nothing, while the end of the second says so.
    static func isInferred(store: String) -> [XMLElement] {
        [
            .compare(field: "wasted", .int("1")),
            .compare(field: "kind", operation: "ne", .int(number(of: .twiceInATurn))), .isNotSet("\(store)/Commits"),
        ]
    }

    /// Ends what is left on a thread's stack: those ends were lost.
    private static func endsOfLost(if condition: XMLElement) -> [XMLElement] {
        (1...levels).reversed().flatMap { level -> [XMLElement] in
            let view = "~process/Views/{~stack/\(level)}"
            let isLeft = [condition] + XMLElement.isAtLeast("~stack", level)
            return [
                .set("\(view)/State", .int("$IDLE"), if: isLeft + [.equal("\(view)/Depth", .int("1"))]),
                .set("\(view)/Depth", .add("-1"), if: isLeft),
            ]
        } + [.popAll(from: "~stack", if: [condition])]
    }

    /// A commit decides of the evaluation that it names.
    private static var viewChanges: [XMLElement] {
        let isLast: [XMLElement] = [
            .equal("~view/LastID", .field("signpost_id")), .equal("~view/Depth", .int("0")),
        ]
        func decide(_ waste: String, _ state: String) -> XMLElement {
            .set("~view/State", .int(state), if: isLast + [.compare(field: "wasted", .int(waste))])
        }
        return [
            knowText,
            .set("~store/Commits", .int("1"), if: .compare(field: "message", .text("committed"))),
            decide("0", "$IDLE"), decide("1", "$IDLE_AFTER_INFERRED"), decide("2", "$IDLE_AFTER_MEASURED"),
            .set("~view/IsOpen", .null, if: .equal("~view/LastID", .field("signpost_id"))),
        ]
    }

    // MARK: Turns and hangs

    private static var turnBegins: [XMLElement] {
        // A body may run a loop of its own: then what is open is not lost.
        let isOutside = XMLElement.compare(field: "in_body", .int("0"))
        return knowProcess + endsOfLost(if: isOutside) + [
            .set("~thread/Outermost", .null, if: isOutside),
            .set("~process/Turn", .int("$TURN")), .set("~process/TurnNumber", .field("turn")),
        ]
    }

    private static var turnEnds: [XMLElement] {
        [
            .set(
                "~process/Turn", .update("$TURN_WITH_EVALUATIONS"), if: .equal("~process/Turn", .int("$TURN")),
                .compare(field: "evaluations", operation: "gt", .long("0"))),
            .set("~process/Turn", .null), .set("~process/TurnNumber", .null),
            .set("~process/Loop", .field("evaluations")),
            .setOnce("~process/Loop/Name", .query("~process/Name")),
        ]
    }

    private static var hangBegins: [XMLElement] {
        knowHangingProcess + [
            .set("~hanging_process/Hang", .query("~text")),
            // The turn that goes on is the hang: it is coloured from its beginning, which was before anybody noticed.
            .set("~hanging_process/Turn", .update("$TURN_THAT_HANGS"), if: .isSet("~hanging_process/Turn")),
        ]
    }

    private static var hangEnds: [XMLElement] {
        let wasNone = XMLElement.compare(field: "duration_ns", .long("0"))
        let isOpen = XMLElement.isSet("~hanging_process/Hang")
        return knowHangingProcess + [
            // Which view it was is a guess until now.
            .set("~hanging_process/Hang", .update(query: "~text"), if: isOpen),
            .set("~hanging_process/Hang", .update(nil), if: wasNone),
            .set("~hanging_process/Hang", .null),
            .set(
                "~hanging_process/Turn", .update("$TURN"), if: wasNone,
                .equal("~hanging_process/Turn", .int("$TURN_THAT_HANGS"))),
        ]
    }
}
