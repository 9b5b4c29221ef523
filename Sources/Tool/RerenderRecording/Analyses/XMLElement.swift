// SPDX-License-Identifier: MIT
// XML as it is written: elements with attributes and content.

/// An element of XML. Names and values are our own, and none needs escaping.
struct XMLElement: Sendable {
    private let name: String
    private let attributes: [(name: String, value: String)]
    private let content: [XMLElement]

    init(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: [XMLElement]) {
        (self.name, self.content) = (name, content)
        self.attributes = attributes.map { ($0.key, $0.value) }
    }

    init(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: XMLElement...) {
        self.init(name, attributes, content)
    }

    /// The element and all in it, each on a line of its own.
    func text(indent: String = "") -> String {
        let start = attributes.reduce("\(indent)<\(name)") { $0 + " \($1.name)=\"\($1.value)\"" }
        guard !content.isEmpty else { return start + "/>\n" }
        return content.reduce(start + ">\n") { $0 + $1.text(indent: indent + "  ") } + "\(indent)</\(name)>\n"
    }
}
