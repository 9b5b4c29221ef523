// SPDX-License-Identifier: MIT
// The elements of Trace Compass's analyses, by what they mean.

extension XMLElement {
    /// What an analysis begins with.
    static func head(_ label: String, _ more: XMLElement...) -> XMLElement {
        XMLElement("head", [:], [XMLElement("traceType", ["id": traceType]), self.label(label)] + more)
    }

    static func label(_ text: String) -> XMLElement { XMLElement("label", ["value": "Rerender: \(text)"]) }

    private static let traceType = "org.eclipse.linuxtools.lttng2.ust.tracetype"
    /// LTTng's contexts. The name is that of the thread; the first thread has the process's number, and its name.
    static let process = field("context._vpid")
    static let thread = field("context._vtid")

    // MARK: Paths and values

    /// A place in the state system: `@name` stands for a field of the event, `~view` for a location, and `{~stack/1}` for
    /// what is at that place.
    static func path(_ text: String) -> [XMLElement] {
        var steps: [XMLElement] = []
        var rest = text[...]
        while !rest.isEmpty {
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                let place = rest[rest.index(after: rest.startIndex)..<end]
                steps.append(XMLElement("stateAttribute", ["type": "query"], path(String(place))))
                rest = rest[end...].dropFirst()
            } else {
                let step = rest.prefix { $0 != "/" }
                steps.append(self.step(step))
                rest = rest[step.endIndex...]
            }
            rest = rest.drop { $0 == "/" }
        }
        return steps
    }

    private static func step(_ step: Substring) -> XMLElement {
        let types: [Character: String] = ["@": "eventField", "~": "location"]
        let type = step.first.flatMap { types[$0] }
        return XMLElement(
            "stateAttribute", ["type": type ?? "constant", "value": String(type == nil ? step : step.dropFirst())])
    }

    /// Names a path.
    static func location(_ id: String, _ place: String) -> XMLElement {
        XMLElement("location", ["id": id], path(place))
    }

    static let null = value(["type": "null"])

    private static func value(_ attributes: KeyValuePairs<String, String>, _ content: [XMLElement] = []) -> XMLElement {
        XMLElement("stateValue", attributes, content)
    }

    /// A number, or the name of a defined value.
    static func int(_ text: String) -> XMLElement { value(["type": "int", "value": text]) }

    static func long(_ text: String) -> XMLElement { value(["type": "long", "value": text]) }

    static func text(_ text: String) -> XMLElement { value(["type": "string", "value": text]) }

    /// Adds to the value that is there.
    static func add(_ text: String) -> XMLElement {
        value(["type": "int", "value": text, "increment": "true"])
    }

    /// Changes the value that is there from its beginning; nil makes it none.
    static func update(_ text: String?) -> XMLElement {
        guard let text else { return value(["type": "null", "update": "true"]) }
        return value(["type": "int", "value": text, "update": "true"])
    }

    /// A field of the event.
    static func field(_ name: String) -> XMLElement { value(["type": "eventField", "value": name]) }

    /// The value at a place.
    static func query(_ place: String) -> XMLElement { value(["type": "query"], path(place)) }

    /// Like ``query(_:)``, and changes what is there from its beginning.
    static func update(query place: String) -> XMLElement { value(["type": "query", "update": "true"], path(place)) }

    /// What a pattern's scenario has remembered.
    static func remembered(_ name: String) -> XMLElement { query("#CurrentScenario/\(name)") }

    /// What a script of ``AnalysisScript`` makes of fields of the event, each under its name in the script.
    static func script(
        _ code: String, type: String = "string", isUpdate: Bool = false, _ fields: KeyValuePairs<String, String>
    ) -> XMLElement {
        value(
            isUpdate
                ? ["type": "script", "value": code, "forcedType": type, "update": "true"]
                : ["type": "script", "value": code, "forcedType": type], inputs(fields))
    }

    /// The fields that a script reads, under their names in the script.
    static func inputs(_ fields: KeyValuePairs<String, String>) -> [XMLElement] {
        fields.map { value(["id": $0.key, "type": "eventField", "value": $0.value]) }
    }

    // MARK: Changes

    /// Sets the value at a place, where all conditions hold.
    static func set(_ place: String, _ value: XMLElement, if conditions: XMLElement...) -> XMLElement {
        set(place, value, if: conditions)
    }

    static func set(_ place: String, _ value: XMLElement, if conditions: [XMLElement]) -> XMLElement {
        let change = path(place) + [value]
        guard !conditions.isEmpty else { return XMLElement("stateChange", [:], change) }
        let all = conditions.count > 1 ? [XMLElement("and", [:], conditions)] : conditions
        return XMLElement("stateChange", [:], XMLElement("if", [:], all), XMLElement("then", [:], change))
    }

    /// Sets a value once: a script runs only where nothing is there yet.
    static func setOnce(_ place: String, _ value: XMLElement) -> XMLElement { set(place, value, if: isNotSet(place)) }

    /// Compares what is at a place, or another value, with a value.
    static func compare(_ left: [XMLElement], operation: String? = nil, _ right: XMLElement) -> XMLElement {
        XMLElement("condition", operation.map { ["operator": $0] } ?? [:], left + [right])
    }

    static func equal(_ place: String, _ value: XMLElement) -> XMLElement { compare(path(place), value) }

    /// Compares a field with a number or a text.
    static func compare(field: String, operation: String? = nil, _ value: XMLElement) -> XMLElement {
        compare([XMLElement("field", ["name": field])], operation: operation, value)
    }

    /// Whether a value was ever set. One that was not compares as the text "null", which is greater than any digit: so
    /// each "greater than" stands beside this.
    static func isSet(_ place: String) -> XMLElement { compare(path(place), operation: "ne", null) }

    static func isNotSet(_ place: String) -> XMLElement { compare(path(place), null) }

    /// Whether a number was set and is at least that.
    static func isAtLeast(_ place: String, _ number: Int) -> [XMLElement] {
        [isSet(place), compare(path(place), operation: "ge", int("\(number)"))]
    }

    static func either(_ conditions: XMLElement...) -> XMLElement { XMLElement("or", [:], conditions) }

    // MARK: Stacks

    /// Puts a value on the stack at a place.
    static func push(_ kind: String, _ text: String, on stack: String, if conditions: XMLElement...) -> XMLElement {
        kind == "query"
            ? set(stack, value(["type": kind, "stack": "push"], path(text)), if: conditions)
            : set(stack, value(["type": kind, "value": text, "stack": "push"]), if: conditions)
    }

    /// What is on top of a stack.
    static func top(of stack: String) -> XMLElement { value(["type": "string", "stack": "peek"], path(stack)) }

    /// Takes what is on top of a stack, whatever it is.
    static func pop(from stack: String, if conditions: XMLElement...) -> XMLElement {
        set(stack, value(["type": "null", "stack": "pop"]), if: conditions)
    }

    static func popAll(from stack: String, if conditions: [XMLElement]) -> XMLElement {
        set(stack, value(["type": "null", "stack": "popAll"]), if: conditions)
    }

    /// What one kind of event changes.
    static func on(_ event: String, _ changes: [XMLElement]) -> XMLElement {
        XMLElement("eventHandler", ["eventName": "com.rerender.\(event)"], changes)
    }
}
