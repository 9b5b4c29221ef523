// SPDX-License-Identifier: MIT
// The tables of evaluations that were for nothing: the first of two in one turn, and all that were wasted.

import RerenderToolBase

/// Both know the time of an evaluation after it is over: a begin is kept on its thread's stack, and then with the instance.
/// Each is a single machine with a state for each instance, because a scenario for each would be asked at every event.
extension TraceCompassFile {
    /// One row for each evaluation that another one of its instance followed in the same turn. Rows of a list that have no
    /// number cannot be told apart: of these only what the app itself found.
    static var doubles: XMLElement {
        pattern(
            "doubles", "double evaluations", prefix: "Double evaluation", places + [viewLabel],
            [
                isMine, isTwiceInATurn,
                test(
                    "again", .isSet("~instance/Begin"), .compare(field: "turn", operation: "gt", .long("0")),
                    .equal("~instance/Turn", .field("turn")),
                    .either(
                        .compare(field: "instance", operation: "ne", noInstance), twiceInATurn)),
                begun, ended,
                lost, known,
                row(
                    "double", at: time(from: "~instance/Begin", to: "~instance/End"),
                    [text("reason", .query("~instance/Reason")), number("turn")]),
                watching(
                    "doubles", transition("BodyEval:begin", to: "watching", "begun"),
                    transition("BodyEval:end", if: "mine:again", to: "watching", "know:double:ended"),
                    transition("BodyEval:end", if: "mine", to: "watching", "ended"),
                    transition("BodyEval:end", if: "again", to: "watching", "know:double:lost"),
                    transition("BodyEval:end", to: "watching", "lost")),
            ])
    }

    /// One row for each wasted evaluation, as `report` counts them: at its end where that is final, else when a commit has
    /// decided of it. A commit decides of the last eight evaluations of an instance at most, so that many are kept.
    static var wasted: XMLElement {
        let tests = [
            isMine, isTwiceInATurn,
            test("measured", .compare(field: "wasted", .int("2"))), test("inferred", isInferred(store: "~store")),
            test("wasted", .compare(field: "wasted", operation: "gt", .int("0"))),
            test("uncommitted", .isNotSet("~store/Commits")),
            test("again", .isSet("~instance/Begin"), .equal("~instance/Turn", .field("turn"))),
            test("committed", .compare(field: "message", .text("committed"))),
        ]
        let actions = [
            begun, ended, kept, lost, known,
            XMLElement("action", ["id": "commit"], [.set("~store/Commits", .int("1"))]),
            row(
                "wasted_now", at: time(from: "~instance/Begin", to: "~instance/End"), columns(of: "~instance")),
        ]
        return pattern(
            "wasted", "wasted evaluations", prefix: "Wasted evaluation",
            places + [viewLabel, .location("store", "Stores/@context._vpid/@store_id")],
            tests + slots.flatMap(tests(of:)) + actions + slots.flatMap(actions(of:))
                + [watching("wasted", evaluationTransitions + commitTransitions)])
    }

    private static let slots = 1...8

    private static func tests(of slot: Int) -> [XMLElement] {
        let place = "~instance/\(slot)/ID"
        return [
            test("is_\(slot)", .isSet(place), .equal(place, .field("signpost_id"))),
            test("first_in_\(slot)", .equal(place, .query("~instance/ID"))),
        ]
    }

    private static func actions(of slot: Int) -> [XMLElement] {
        let place = "~instance/\(slot)"
        return [
            XMLElement("action", ["id": "forget_\(slot)"], [.set("\(place)/ID", .null)]),
            row("decided_\(slot)", at: time(from: "\(place)/Begin", to: "\(place)/End"), columns(of: place)),
        ]
    }

    private static func columns(of place: String) -> [XMLElement] {
        [text("reason", .query("\(place)/Reason")), number("wasted")]
    }

    private static var evaluationTransitions: [XMLElement] {
        // Without commits the second of two in a turn says at its end that the first was for nothing.
        let first = slots.map { slot in
            transition(
                "BodyEval:end", if: "mine:twice_in_a_turn:uncommitted:again:first_in_\(slot)", to: "watching",
                "know:wasted_now:forget_\(slot):ended:keep")
        }
        let now = ["mine:twice_in_a_turn:uncommitted", "mine:measured", "mine:inferred"].map { condition in
            transition("BodyEval:end", if: condition, to: "watching", "know:ended:wasted_now")
        }
        return [transition("BodyEval:begin", to: "watching", "begun")] + first + now + [
            transition("BodyEval:end", if: "mine", to: "watching", "ended:keep"),
            transition("BodyEval:end", to: "watching", "lost"),
        ]
    }

    private static var commitTransitions: [XMLElement] {
        slots.map { slot in
            transition(
                "View:event", if: "is_\(slot):wasted", to: "watching",
                "know:decided_\(slot):forget_\(slot):commit")
        } + [transition("View:event", if: "committed", to: "watching", "commit")]
    }

    // MARK: Parts

    private static let places: [XMLElement] = [
        .location("ids", "Threads/@context._vpid/@context._vtid/IDs"),
        .location("times", "Threads/@context._vpid/@context._vtid/Times"),
        .location("instance", "Instances/@context._vpid/@store_id/@name/@instance"),
        .location("reason_text", "Texts/@reason"),
    ]

    /// Whether the end is that of the begin on top. Where one between was lost, the next outermost begin puts it right.
    private static let isMine = test("mine", .compare([.top(of: "~ids")], .field("signpost_id")))

    private static let twiceInATurn = XMLElement.compare(field: "kind", .int(number(of: .twiceInATurn)))
    private static let isTwiceInATurn = test("twice_in_a_turn", twiceInATurn)

    private static let begun = XMLElement(
        "action", ["id": "begun"],
        [
            .popAll(from: "~ids", if: [isOutermost]), .popAll(from: "~times", if: [isOutermost]),
            .push("eventField", "signpost_id", on: "~ids"), .push("eventField", "timestamp", on: "~times"),
        ])

    private static let ended = XMLElement(
        "action", ["id": "ended"],
        [
            knowText("reason"), .set("~instance/Begin", .top(of: "~times")),
            .set("~instance/End", .field("timestamp")), .set("~instance/ID", .field("signpost_id")),
            .set("~instance/Turn", .field("turn")), .set("~instance/Reason", .query("~reason_text")),
            .pop(from: "~ids"), .pop(from: "~times"),
        ])

    /// Where a commit will find it: a ring, whose next place is a number.
    private static let kept = XMLElement(
        "action", ["id": "keep"],
        [
            .set("~instance/Next", .add("1")),
            .set("~instance/Next", .int("1"), if: .equal("~instance/Next", .int("9"))),
        ]
            + ["ID", "Begin", "End", "Reason"].map { name -> XMLElement in
                .set("~instance/{~instance/Next}/\(name)", .query("~instance/\(name)"))
            })

    /// The end of an evaluation whose begin was lost.
    private static let lost = XMLElement("action", ["id": "lost"], [.set("~instance/Begin", .null)])

    private static let known = XMLElement("action", ["id": "know"], [knowView("context._vpid")])

    private static func watching(_ id: String, _ transitions: XMLElement...) -> XMLElement {
        watching(id, transitions)
    }

    private static func watching(_ id: String, _ transitions: [XMLElement]) -> XMLElement {
        XMLElement(
            "fsm", ["id": id, "initial": "watching", "multiple": "false"],
            XMLElement("state", ["id": "watching"], transitions))
    }
}
