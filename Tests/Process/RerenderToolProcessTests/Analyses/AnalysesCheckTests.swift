// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

/// The events and fields that the analyses use, as docs/reference/trace-events.md has them; other events are left out.
/// `AnalysesTraceTests` holds the analyses against a real recording.
private let documented = TraceVocabulary(
    events: [
        "com.rerender.BodyEval:begin": ["signpost_id", "name", "file", "line", "parent", "instance"],
        "com.rerender.BodyEval:end": [
            "signpost_id", "name", "reason", "body_ns", "total_ns", "wasted", "turn", "count", "epoch",
            "store", "store_id", "instance", "instances", "attribution", "kind", "writers", "chain",
        ],
        "com.rerender.View:event": [
            "name", "message", "store", "store_id", "epoch", "instance", "instances", "commits", "measured",
            "wasted_ns",
            "same_output", "same_value", "new_identity", "closure_identity", "parent_only", "twice_in_a_turn",
            "signpost_id", "wasted",
        ],
        "com.rerender.RenderLoop:begin": ["signpost_id", "name", "turn", "in_body"],
        "com.rerender.RenderLoop:end": ["signpost_id", "name", "turn", "evaluations"],
        "com.rerender.Hang:begin": ["signpost_id", "name", "last_rendered", "pid", "attribution", "verdict"],
        "com.rerender.Hang:end": [
            "signpost_id", "name", "last_rendered", "pid", "attribution", "verdict", "duration_ns",
        ],
    ], contexts: ["vpid", "vtid", "procname"])

/// One thing that is wrong with a file.
struct Defect: Sendable, CustomTestStringConvertible {
    let what: String
    /// What stands in the file as it is, and what is put in its place the first time.
    let from: String
    let to: String
    /// A part of what the check says.
    let fault: String
    var testDescription: String { what }

    init(_ what: String, _ from: String, _ to: String, _ fault: String) {
        (self.what, self.from, self.to, self.fault) = (what, from, to, fault)
    }
}

@Suite("The analyses for Trace Compass")
struct AnalysesCheckTests {
    private static var file: String { String(decoding: TraceCompassFile.bytes, as: UTF8.self) }

    /// The environment variable that names the directory of Trace Compass's schemas.
    private static let schemas = ProcessInfo.processInfo.environment["RERENDER_TRACE_COMPASS_SCHEMAS"]

    @Test("the file keeps all rules")
    func right() throws {
        #expect(try AnalysesCheck.faults(in: TraceCompassFile.bytes, for: documented) == [])
    }

    @Test(
        "the file is valid against Trace Compass's own schemas",
        .enabled(if: schemas != nil, "needs RERENDER_TRACE_COMPASS_SCHEMAS, a directory with xmlDefinition.xsd"),
        .enabled(if: TestSupport.ChildProcess.path(of: "xmllint") != nil, "needs libxml2-utils"))
    func schemaValid() async throws {
        let scratch = try TemporaryDirectory()
        let path = scratch.path + "/analyses.xml"
        func verdict(_ text: String) async throws -> TestSupport.ChildProcess.Output {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let xmllint = try #require(TestSupport.ChildProcess.path(of: "xmllint"))
            let schema = try #require(Self.schemas) + "/xmlDefinition.xsd"
            return try await TestSupport.ChildProcess.run([xmllint, "--noout", "--schema", schema, path])
        }
        let output = try await verdict(Self.file)
        #expect(output.succeeded, "\(output.standardError)")
        let broken = try await verdict(Self.file.replacingOccurrences(of: "<patternHandler>", with: "<handler>"))
        #expect(!broken.succeeded, "a schema that refuses nothing")
        // What the check is for: all these are valid.
        for defect in Self.silentDefects {
            let output = try await verdict(try Self.broken(defect))
            #expect(output.succeeded, "\(defect.what): \(output.standardError)")
        }
    }

    @Test("the kind of waste that the file names is two evaluations in a turn, by its label and by its number")
    func kinds() throws {
        let number = try #require(WasteKind.allCases.firstIndex(of: .twiceInATurn)) + 1
        let conditions = try XMLNode.parse(TraceCompassFile.bytes).tree.filter { node in
            node.name == "condition" && node.all("field").contains { $0["name"] == "kind" }
        }
        let values = conditions.flatMap { $0.all("stateValue") }
        // A viewer gives the label of an enumeration, or its number.
        for value in values {
            #expect(value["value"] == (value["type"] == "int" ? "\(number)" : WasteKind.twiceInATurn.rawValue))
        }
        #expect(Set(values.compactMap { $0["type"] }) == ["int", "string"] && values.count == conditions.count)
    }

    private static let turnsView = "<timeGraphView id=\"com.rerender.timeline.turns\">"
    private static let turnsHead =
        "\n    <head>\n      <analysis id=\"com.rerender.states\"/>\n      <label value=\"Rerender: Turns and Hangs\"/>\n    </head>"

    /// What the schemas accept, and Trace Compass drops or leaves empty.
    static let silentDefects = [
        Defect(
            "an unknown location", #"<stateAttribute type="location" value="view"/>"#,
            #"<stateAttribute type="location" value="vue"/>"#, "there is no location vue"),
        Defect(
            "an unknown condition", #"cond="same_signpost:same_process""#, #"cond="same_signpost:same""#,
            "there is no test same before it"),
        Defect(
            "an unknown action", #"action="know:double:ended""#, #"action="know:duplicate:ended""#,
            "there is no action duplicate before it"),
        Defect("an unknown target of a transition", #"target="done""#, #"target="end""#, "there is no state end"),
        Defect("a value that is not defined", #"value="$EVALUATING""#, #"value="$RUNNING""#, "$RUNNING is not defined"),
        Defect(
            "another trace type", AnalysesCheck.traceType, "org.eclipse.linuxtools.lttng2.kernel.tracetype",
            "not LTTng-UST's"),
        Defect(
            "a view of an analysis that is not there", #"<analysis id="com.rerender.states"/>"#,
            #"<analysis id="com.rerender.state"/>"#, "there is no analysis"),
        Defect(
            "a wrong event", #"eventName="com.rerender.BodyEval:begin""#, #"eventName="com.rerender.Body:begin""#,
            "no event of a recording is named com.rerender.Body:begin"),
        Defect(
            "a wrong path of a view", #"<entry path="Views/*">"#, #"<entry path="Keys/*">"#,
            "no state change writes Keys/*"),
        Defect(
            "a wrong field", #"<field name="wasted"/>"#, #"<field name="waste"/>"#,
            "com.rerender.BodyEval:end has no field waste"),
        Defect("a view without a head", turnsView + turnsHead, turnsView, "has no head"),
        Defect(
            "an id on two views", #"id="com.rerender.timeline.turns""#, #"id="com.rerender.timeline.views""#,
            "the id is used twice"),
        Defect("an unknown initial state", #"initial="watching""#, #"initial="waiting""#, "there is no state waiting"),
        Defect(
            "a field that only the event at the other end has", #"<stateValue type="eventField" value="duration_ns"/>"#,
            #"<stateValue type="eventField" value="evaluations"/>"#, "com.rerender.Hang:end has no field evaluations"),
        Defect(
            "a context that is not recorded", #"value="context._procname""#, #"value="context._ip""#,
            "has no field context._ip"),
        Defect(
            "a comparison with a value that was never set",
            "<condition operator=\"ne\">\n              <stateAttribute type=\"location\" value=\"stack\"/>\n              <stateValue type=\"null\"/>",
            "<condition operator=\"eq\">\n              <stateAttribute type=\"location\" value=\"stack\"/>\n              <stateValue type=\"null\"/>",
            "is true for a value that was never set"),
        Defect(
            "a name that nothing writes", #"<name type="constant" value="Name"/>"#,
            #"<name type="constant" value="Program"/>"#, "no state change writes Program"),
        Defect(
            "a display that nothing writes", #"<display type="constant" value="State"/>"#,
            #"<display type="constant" value="Number"/>"#, "no state change writes Number"),
        Defect(
            "a field twice in a segment", #"<segField name="total_ns""#, #"<segField name="body_ns""#,
            "has a field twice"),
        Defect(
            "a stack of another name", #"value="CallStack""#, #"value="Stack""#, "no stack CallStack below its levels"),
        Defect("a level that is not there", #"<thread level="1""#, #"<thread level="2""#, "there is no such level"),
        Defect("a state twice", #"<state id="open">"#, #"<state id="idle">"#, "has a state twice"),
        Defect(
            "a double", #"value="1" increment="true"/>"#, #"value="1" forcedType="double" increment="true"/>"#,
            "doubles come out wrong"),
        Defect("an integer that is none", #"type="int" value="-1""#, #"type="int" value="-1.5""#, "is no integer"),
        Defect(
            "a text as it is",
            "<segName>\n              <stateValue type=\"query\">\n                <stateAttribute type=\"location\" value=\"label\"/>\n              </stateValue>",
            "<segName>\n              <stateValue type=\"eventField\" value=\"name\"/>",
            "the text name becomes a state or a row as it is"),
        Defect(
            "an enumeration as it is",
            "<segField name=\"wasted\" type=\"long\">\n              <stateValue type=\"query\">\n                <stateAttribute type=\"location\" value=\"code\"/>\n              </stateValue>",
            "<segField name=\"wasted\" type=\"long\">\n              <stateValue type=\"eventField\" value=\"wasted\"/>",
            "the enumeration wasted becomes a state or a row as it is"),
        Defect(
            "text in a bar whose states are texts", #"<entry path="Hang">"#, #"<entry path="Hang" displayText="true">"#,
            "a bar shows no text"),
        Defect(
            "a chart of differences", #"displayType="absolute""#, #"displayType="delta""#,
            "the last difference is minus the whole value"),
        Defect(
            "a stored field", "<viewLabelPrefix value=\"Hang\"/>\n    </head>",
            "<viewLabelPrefix value=\"Hang\"/>\n    </head><storedField id=\"name\"/>", "storedField does nothing"),
    ]

    /// What the schemas refuse too, which are not at hand everywhere.
    static let schemaDefects = [
        Defect(
            "two entries in a chart", #"<entry path="Processes/*/Loop" displayType="absolute">"#,
            #"<entry path="Processes/*"/><entry path="Processes/*/Loop" displayType="absolute">"#, "must have one entry"
        ),
        Defect("a version that is no integer", #"version="2""#, #"version="1.1""#, "the version is no integer"),
        Defect("an id that is no name", #"id="com.rerender.states">"#, #"id="1 states">"#, "is no XML name"),
        Defect(
            "a pattern whose parts are out of order", "<location id=\"ids\">",
            "<patternHandler/><location id=\"ids\">",
            "not in the order"),
        Defect(
            "transitions that are not last", "<final id=\"done\"/>",
            "<state id=\"late\"><transition event=\"com.rerender.Hang:end\" target=\"done\"/><state id=\"x\"/></state><final id=\"done\"/>",
            "its transitions are not last"),
    ]

    @Test("each defect is found, and none but it", arguments: silentDefects + schemaDefects)
    func defects(defect: Defect) throws {
        let faults = try AnalysesCheck.faults(in: Array(try Self.broken(defect).utf8), for: documented)
        #expect(faults.contains { $0.contains(defect.fault) }, "\(faults)")
        #expect(faults.allSatisfy { $0.hasPrefix("line ") })
    }

    @Test("a test or action that comes after its machine is found")
    func order() throws {
        let file = Self.file
        let start = try #require(file.range(of: "      <fsm id=\"doubles\""))
        let end = try #require(file.range(of: "</fsm>\n", range: start.lowerBound..<file.endIndex))
        let machine = file[start.lowerBound..<end.upperBound]
        var moved = file.replacingOccurrences(of: machine, with: "")
        let handler = try #require(moved.range(of: "<test id=\"mine\">"))
        moved.insert(contentsOf: machine, at: handler.lowerBound)
        let faults = try AnalysesCheck.faults(in: Array(moved.utf8), for: documented)
        #expect(faults.contains { $0.contains("there is no test mine before it") })
    }

    /// The file with a defect; throws where the file has not what the defect changes.
    private static func broken(_ defect: Defect) throws -> String {
        let range = try #require(file.range(of: defect.from), "\(defect.what)")
        return file.replacingCharacters(in: range, with: defect.to)
    }
}
