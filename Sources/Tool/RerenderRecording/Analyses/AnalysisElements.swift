// SPDX-License-Identifier: MIT
// The elements of Trace Compass's analyses, by what they mean.

extension XMLElement {
    /// What an analysis begins with.
    static func head(_ label: String, _ more: XMLElement...) -> XMLElement {
        XMLElement("head", [:], [XMLElement("traceType", ["id": traceType]), self.label(label)] + more)
    }

    static func label(_ text: String) -> XMLElement { XMLElement("label", ["value": "Rerender: \(text)"]) }

    private static let traceType = "org.eclipse.linuxtools.lttng2.ust.tracetype"
    /// LTTng's contexts.
    static let process = field("context._vpid")
    static let thread = field("context._vtid")

    // MARK: Paths and values

    /// A place in the state system: `@name` stands for a field of the event, `~view` for a location.
    static func path(_ text: String) -> [XMLElement] {
        text.split(separator: "/").map { step in
            let types: [Character: String] = ["@": "eventField", "~": "location"]
            let type = step.first.flatMap { types[$0] }
            return XMLElement(
                "stateAttribute", ["type": type ?? "constant", "value": String(type == nil ? step : step.dropFirst())])
        }
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

    /// Adds to the value that is there.
    static func add(_ type: String, _ text: String) -> XMLElement {
        value(["type": type, "value": text, "increment": "true"])
    }

    /// Changes the value that is there from its beginning.
    static func update(_ text: String) -> XMLElement { value(["type": "int", "value": text, "update": "true"]) }

    /// A field of the event.
    static func field(_ name: String) -> XMLElement { value(["type": "eventField", "value": name]) }

    /// The value at a place.
    static func query(_ place: String) -> XMLElement { value(["type": "query"], path(place)) }

    /// What a pattern's scenario has remembered.
    static func remembered(_ name: String) -> XMLElement { query("#CurrentScenario/\(name)") }

    // MARK: Changes

    /// Sets the value at a place, where all conditions hold.
    static func set(_ place: String, _ value: XMLElement, if conditions: XMLElement...) -> XMLElement {
        let change = path(place) + [value]
        guard !conditions.isEmpty else { return XMLElement("stateChange", [:], change) }
        let all = conditions.count > 1 ? [XMLElement("and", [:], conditions)] : conditions
        return XMLElement("stateChange", [:], XMLElement("if", [:], all), XMLElement("then", [:], change))
    }

    /// Compares what is at a place, or another value, with a value.
    static func compare(_ left: [XMLElement], operation: String? = nil, _ right: XMLElement) -> XMLElement {
        XMLElement("condition", operation.map { ["operator": $0] } ?? [:], left + [right])
    }

    static func equal(_ place: String, _ value: XMLElement) -> XMLElement { compare(path(place), value) }

    /// Compares a field with a number.
    static func compare(field: String, operation: String? = nil, _ value: XMLElement) -> XMLElement {
        compare([XMLElement("field", ["name": field])], operation: operation, value)
    }

    /// Whether a value was ever set. One that was not compares as the text "null", which is greater than any digit: so
    /// each "greater than" stands beside this.
    static func isSet(_ place: String) -> XMLElement { compare(path(place), operation: "ne", null) }

    /// Puts a field on the stack at a place.
    static func push(_ name: String, on stack: String) -> XMLElement {
        set(stack, value(["type": "eventField", "value": name, "stack": "push"]))
    }

    /// Takes a field from the top of a stack. A pop takes whatever is there: so it asks first whether that is the one that
    /// ends, and an end whose begin was lost closes nothing.
    static func pop(_ name: String, from stack: String) -> XMLElement {
        let top = value(["type": "string", "stack": "peek"], path(stack))
        return set(stack, value(["type": "null", "stack": "pop"]), if: compare([top], field(name)))
    }

    /// What one kind of event changes.
    static func on(_ event: String, _ changes: XMLElement...) -> XMLElement {
        XMLElement("eventHandler", ["eventName": "com.rerender.\(event)"], changes)
    }
}
