// SPDX-License-Identifier: MIT
import Foundation
import FoundationXML
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
@testable import RerenderTrace
import TestSupport
import Testing
@testable import ToolSupport

@Suite("Text of others has no meaning in the syntax that it is written in")
struct EscapedTextTests {
    @Test("hostile texts are two hundred, all different, without control characters")
    func hostileTexts() {
        #expect(Set(HostileTexts.all.map { Array($0.utf8) }).count == 200 && HostileTexts.all.count == 200)
        #expect(!HostileTexts.all.joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test("a command that came from elsewhere is one of words alone, or is refused")
    func parsed() {
        for word in HostileTexts.all {
            let command: ShellCommand = "rerenderctl explain \(word) --process 7"
            #expect(ShellCommand(parsing: command.text) == command)
        }
        for text in [
            "rerenderctl explain x; touch y", "a $(b)", "a 'b", "a `b`", "a\nb", "a  b", "a|b",
            "a &",
            "a #b", "~", "a*", "", "a \\", "a \"b\"", " a", "a ",
        ] {
            #expect(ShellCommand(parsing: text) == nil, "\(text)")
        }
    }

    @Test(
        "of a document's commands, only those are shown that ask rerenderctl for more",
        arguments: [
            ("rerenderctl explain Cart --process 7", true), ("rerenderctl explain --process 7 -- -x", true),
            ("rerenderctl stats --sources --since flag-1", true), ("rerenderctl hangs", true),
            ("rerenderctl run -- sh -c 'touch owned'", false), ("rerenderctl", false), ("rerenderctl off", false),
            ("rerenderctl stats --output file", false), ("rerenderctl explain Cart '--output=file'", false),
            ("sh -c 'touch owned'", false), ("rerenderctl explain $(touch owned)", false),
        ])
    func asked(command: String, isShown: Bool) throws {
        var finding = Verdict.Finding(.waste, text: "Cart")
        finding.command = "rerenderctl hangs"
        let text = String(decoding: try JSONEncoder().encode(finding), as: UTF8.self)
        let changed = text.replacing("rerenderctl hangs", with: command)
        let read = try JSONDecoder().decode(Verdict.Finding.self, from: Data(changed.utf8))
        #expect(read.command?.text == (isShown ? command : nil))
    }

    @Test("a command that is shown to be copied has a program's name as one word")
    func shown() throws {
        let none = ProcessFiles(
            processes: { [] }, read: { _ in "" }, link: { _ in nil }, file: { _ in nil }, isInjected: { _ in false },
            user: 1_000)
        var made = MadeELF()
        made.needed = ["libglib-2.0.so.0"]
        let file = ProgramFile(path: "/bin/app", rights: .ordinary, image: ProgramImage(made.bytes))
        let place = InjectionLibraries.Place.toBeMade(InjectionLibraries(directory: "/nowhere"), script: "make-them")
        let nothing = RunHost.Harvest(export: Sample.export([]), health: nil, isComplete: true)
        for name in HostileTexts.all {
            let unknown = #expect(throws: ToolFailure.self) { try AttachTarget.find(name, in: none) }
            let ways = LookCommand.ways(to: name).split(separator: "\n").map(String.init)
            let texts: [(text: String?, words: [String])] = [
                (unknown?.message, ["run", "--"]), (ways.first, ["look", "--"]), (ways.last, ["attach"]),
                (LookCommand.unmeasured(name, .seconds(10), goesOn: true), ["look"]),
                (RunSilence(name, mayInject: true).lines(nothing, nil).last, ["run", "--inject", "--"]),
                (InjectionOffer(of: name, file: file, place: place)?.line, ["run", "--inject", "--"]),
                (RecordedCommand.advice(on: name), ["record", "--inject", "--"]),
            ]
            for (text, words) in texts {
                let command = " " + ShellCommand.line(["rerenderctl"] + words + [name]).text
                let last = Wrap.lines(text ?? "", width: 20).last ?? ""
                #expect(last.utf8.reversed().starts(with: command.utf8.reversed()), "\(last)")
            }
        }
    }

    @Test("a command is neither broken nor cut where a sentence is")
    func unbroken() {
        let name = String(repeating: "long'; touch x; '", count: 9)
        let command: ShellCommand = "rerenderctl explain \(name)"
        let text = "! a sentence of some words is wasted in this view. Next: \(command)"
        for (width, isCutting) in [(20, true), (40, false), (400, true)] {
            let lines = Wrap.lines(text, width: width, indent: 2, cutting: isCutting)
            #expect(lines.last?.hasSuffix("Next: \(command)") == true && lines.last?.contains(command.text) == true)
        }
    }

    @Test("expat and libxml read markup as it was")
    func markup() async throws {
        let document = HostileTexts.all.map { "<text value=\"\($0)\">\($0)</text>" as Markup }.joined(separator: "")
        let reader = TextReader()
        let parser = XMLParser(data: Data(("<texts>\(document)</texts>" as Markup).text.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(reader.texts == HostileTexts.all.map { Array($0.utf8) } && reader.attributes == reader.texts)
    }

    @Test("folded stacks have as many names as views")
    func folded() {
        for name in HostileTexts.all {
            let stack = ["a", name, "b"].map { EscapedText<FoldedSyntax>($0) }.joined(separator: ";")
            #expect(stack.text.utf8.count { $0 == UInt8(ascii: ";") } == 2, "\(name)")
        }
        let none = ""
        #expect(EscapedText<FoldedSyntax>(none).text == "\"\"")
    }

    @Test("what a workflow command of GitHub takes apart is escaped, whatever accent is on it")
    func workflow() {
        for text in HostileTexts.all + ["a\r\nb", "%\u{301}0A", "\u{600}:"] {
            let message = EscapedText<WorkflowMessageSyntax>(text).text
            #expect(Self.unescaped(message) == Array(text.utf8) && !message.utf8.contains { $0 == 10 || $0 == 13 })
            let property = EscapedText<WorkflowPropertySyntax>(text).text
            #expect(Self.unescaped(property) == Array(text.utf8))
            #expect(!property.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ",") })
        }
    }

    /// What the runner of GitHub Actions makes of it.
    private static func unescaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"),
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            rest = rest.dropFirst(2)
            bytes.append(code)
        }
        return bytes
    }
}

/// The attributes and the texts of a document's elements.
private final class TextReader: NSObject, XMLParserDelegate {
    var texts: [[UInt8]] = []
    var attributes: [[UInt8]] = []
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if let value = attributes["value"] { self.attributes.append(Array(value.utf8)) }
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        if name == "text" { texts.append(Array(text.utf8)) }
    }
}
