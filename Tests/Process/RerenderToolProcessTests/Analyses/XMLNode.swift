// SPDX-License-Identifier: MIT
// An XML file as a tree, with the lines where elements begin.

import Foundation
@testable import ToolSupport

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// One element.
final class XMLNode {
    let name: String
    let attributes: [String: String]
    let line: Int
    private(set) var children: [XMLNode] = []

    private init(_ name: String, _ attributes: [String: String], _ line: Int) {
        (self.name, self.attributes, self.line) = (name, attributes, line)
    }

    /// The root of a file; throws what the parser says of one that is not well-formed.
    static func parse(_ bytes: [UInt8]) throws -> XMLNode {
        let parser = XMLParser(data: Data(bytes))
        let builder = Builder()
        parser.delegate = builder
        guard parser.parse(), let root = builder.root else {
            throw NotSeen(description: "no XML: \(parser.parserError.map { "\($0)" } ?? "empty")")
        }
        return root
    }

    subscript(attribute: String) -> String { attributes[attribute] ?? "" }

    func all(_ names: String...) -> [XMLNode] { children.filter { names.contains($0.name) } }

    /// This one and all below it, in the order of the file.
    var tree: [XMLNode] { [self] + children.flatMap(\.tree) }

    /// Where it is, for a person.
    var place: String { "line \(line), <\(name)\(attributes["id"].map { " id=\"\($0)\"" } ?? "")>" }

    private final class Builder: NSObject, XMLParserDelegate {
        var root: XMLNode?
        private var open: [XMLNode] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            let node = XMLNode(name, attributes, parser.lineNumber)
            open.last?.children.append(node)
            root = root ?? node
            open.append(node)
        }

        func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
            open.removeLast()
        }
    }
}
