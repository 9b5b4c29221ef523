// SPDX-License-Identifier: MIT
// What agents may call by the Model Context Protocol: commands of `rerenderctl`, with some of their options.

import RerenderModel

/// Why something that a client sent cannot be used, as a sentence for it.
struct MCPMisuse: Error, Hashable {
    let text: String
}

/// One argument of a tool.
struct MCPParameter: Sendable {
    enum Kind: Sendable {
        case text
        /// A text that the command line must not take for an option.
        case word
        case number(ClosedRange<Int>)
        case flag
        case choice([String])
    }

    let name: String
    let kind: Kind
    /// What it is, for the client.
    let meaning: String
    var isNeeded = false

    /// No name of a view, process or mark is longer.
    private static let longestText = 1_024

    /// The value as a word of the command line; throws what is right otherwise.
    func word(of value: MCPValue) throws(MCPMisuse) -> String {
        switch (kind, value) {
        case (.text, .text(let text)) where Self.isUsable(text): return text
        case (.word, .text(let text)) where Self.isUsable(text) && text.utf8.first != UInt8(ascii: "-"): return text
        case (.number(let range), .number(let number)) where range.contains(number): return String(number)
        case (.flag, .flag(let flag)): return String(flag)
        case (.choice(let all), .text(let text)) where all.contains(text): return text
        default: throw MCPMisuse(text: "\(name) takes \(right).")
        }
    }

    /// A command line ends its words with a zero, and no name has control characters.
    private static func isUsable(_ text: String) -> Bool {
        (1...longestText).contains(text.utf8.count) && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    private var right: String {
        switch kind {
        case .text: "a text of 1 to \(Self.longestText) bytes without control characters"
        case .word: "a text of 1 to \(Self.longestText) bytes that does not begin with -"
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .choice(let all): "one of \(Counted.list(all))"
        }
    }

    /// It in JSON Schema.
    var schema: MCPValue {
        let meaning = MCPValue.text(self.meaning)
        switch kind {
        case .text, .word: return ["type": "string", "description": meaning]
        case .flag: return ["type": "boolean", "description": meaning]
        case .choice(let all):
            return ["type": "string", "description": meaning, "enum": .list(all.map { .text($0) })]
        case .number(let range):
            let (least, most) = (MCPValue.number(range.lowerBound), MCPValue.number(range.upperBound))
            return ["type": "integer", "description": meaning, "minimum": least, "maximum": most]
        }
    }
}

/// The arguments of a call, which fit the tool.
struct MCPArguments: Hashable, Sendable {
    fileprivate let words: [String: String]

    subscript(name: String) -> String? { words[name] }

    /// A flag of a command, and what goes with it; nothing where it was not set.
    func flag(_ name: String, _ more: String...) -> [String] { words[name] == "true" ? ["--\(name)"] + more : [] }

    /// The option of a command; nothing where it was not given.
    func option(_ name: String, or usual: String? = nil) -> [String] {
        (words[name] ?? usual).map { ["--\(name)=\($0)"] } ?? []
    }

    /// A value that is no option, behind all options, whatever it begins with; nothing where it was not given.
    func positional(_ name: String) -> [String] { words[name].map { ["--", $0] } ?? [] }

    func seconds(or usual: Int) -> Int { words["seconds"].flatMap { Int($0) } ?? usual }
}

/// What a client may call: one command.
struct MCPTool: Sendable {
    let name: String
    /// What it does, for the client.
    let description: String
    let parameters: [MCPParameter]
    /// Whether it leaves all programs as they are.
    var isReading = true
    /// How many seconds the command waits, where the client does not say.
    var seconds = 0
    /// The words of the command line.
    let words: @Sendable (MCPArguments) -> [String]
    /// Why arguments that fit by themselves are refused all the same, as a sentence; nil where they are not.
    var misuse: @Sendable (MCPArguments) -> String? = { _ in nil }

    /// Beyond what it waits: the command reads and writes for some milliseconds, and on a busy machine for seconds.
    private static let patience = 60

    /// Reads what a client gave; throws what is right where it does not fit.
    func arguments(_ given: MCPValue?) throws(MCPMisuse) -> MCPArguments {
        var fields: [String: MCPValue] = [:]
        switch given ?? .null {
        case .fields(let all): fields = all
        case .null: break
        default: throw MCPMisuse(text: "the arguments of \(name) are an object.")
        }
        let names = parameters.map(\.name)
        if let other = fields.keys.sorted().first(where: { !names.contains($0) }) {
            let shown = Printable.text(String(other.unicodeScalars.prefix(40)))
            throw MCPMisuse(text: "\(name) has no argument \"\(shown)\": it has \(Counted.list(names)).")
        }
        var words: [String: String] = [:]
        for parameter in parameters {
            let value = fields[parameter.name] ?? .null
            if value != .null {
                words[parameter.name] = try parameter.word(of: value)
            } else if parameter.isNeeded {
                throw MCPMisuse(text: "\(name) needs \(parameter.name).")
            }
        }
        let read = MCPArguments(words: words)
        if let text = misuse(read) { throw MCPMisuse(text: text) }
        return read
    }

    /// How long the command may take.
    func limit(_ arguments: MCPArguments) -> Duration {
        .seconds(arguments.seconds(or: seconds) + Self.patience)
    }

    /// It in the list of tools.
    var listing: MCPValue {
        let properties = parameters.map { ($0.name, $0.schema) }
        let needed = parameters.filter(\.isNeeded).map { MCPValue.text($0.name) }
        return [
            "name": .text(name), "description": .text(description),
            "annotations": ["readOnlyHint": .flag(isReading)],
            "inputSchema": [
                "type": "object", "properties": .fields(Dictionary(properties) { first, _ in first }),
                "required": .list(needed), "additionalProperties": .flag(false),
            ],
        ]
    }
}

// MARK: Those that there are

extension MCPTool {
    /// At most six: a client reads all of them before its first question.
    static let all = [stats, explain, hangs, mark, wait, look]

    private static func command(_ name: String, _ parts: [String]...) -> [String] { parts.reduce([name], +) }

    private static let process = MCPParameter(
        name: "process", kind: .text, meaning: "Only the process with this pid or name.")

    private static let since = MCPParameter(
        name: "since", kind: .text, meaning: "Count only what happened since this mark.")

    private static func limit(_ usual: Int, of what: String) -> MCPParameter {
        MCPParameter(name: "limit", kind: .number(1...100), meaning: "How many \(what); \(usual) by default.")
    }

    private static func seconds(_ usual: Int, most: Int, _ what: String) -> MCPParameter {
        MCPParameter(name: "seconds", kind: .number(1...most), meaning: "\(what); \(usual) by default.")
    }

    private static let stats = MCPTool(
        name: "stats",
        description: """
            Which views or widgets were evaluated or drawn, how often, why, by whose write and at which cost. The first \
            lines are the verdict: `!` a fault, `·` busy without a known fault. Call it first.
            """,
        parameters: [
            process, since, limit(15, of: "views"),
            MCPParameter(
                name: "sources", kind: .flag, meaning: "Show sources and handlers of main loops instead of views."),
        ]
    ) { arguments in
        command(
            "stats", arguments.option("process"), arguments.option("since"), arguments.option("limit", or: "15"),
            arguments.flag("sources"))
    }

    private static let explain = MCPTool(
        name: "explain",
        description: """
            One view: why it is evaluated, which function in which file writes what it reads, what is wasted, and what \
            helps. Without `view`: the one that costs most.
            """,
        parameters: [
            MCPParameter(name: "view", kind: .text, meaning: "Its key in `stats`, or a part that fits one view."),
            process, since,
            MCPParameter(
                name: "sources", kind: .flag, meaning: "Also list the writes that woke it, and the views between."),
        ]
    ) { arguments in
        command(
            "explain", arguments.option("process"), arguments.option("since"),
            arguments.flag("sources", "--limit=20"), arguments.positional("view"))
    } misuse: { arguments in
        // The command would read a file of that name.
        guard let view = arguments["view"], FileArgument.isFile(view) else { return nil }
        return "view takes a view's key or a part of it, and this names a file."
    }

    private static let hangs = MCPTool(
        name: "hangs",
        description: """
            When the main loop hung, for how long, in which view or handler, and with which stacks. The newest come first.
            """,
        parameters: [process, since, limit(5, of: "hangs")]
    ) { arguments in
        command(
            "hangs", arguments.option("process"), arguments.option("since"), arguments.option("limit", or: "5"))
    }

    private static let mark = MCPTool(
        name: "mark",
        description: """
            Give this moment a name. Then use the program, and see by `since` of other tools what that cost.
            """,
        parameters: [
            MCPParameter(name: "name", kind: .text, meaning: "For example: tap Add", isNeeded: true), process,
        ],
        isReading: false
    ) { arguments in
        command("mark", arguments.option("process"), arguments.positional("name"))
    }

    private static let wait = MCPTool(
        name: "wait",
        description:
            "Wait until a program is connected, a view was evaluated, nothing is evaluated, or a main loop hangs.",
        parameters: [
            MCPParameter(
                name: "for", kind: .choice(["program", "view", "idle", "hang"]),
                meaning: "`program` needs `process`, and `view` needs `view`.", isNeeded: true),
            process, MCPParameter(name: "view", kind: .text, meaning: "The view's key, or a part of it."),
            seconds(20, most: 300, "How long at most"),
        ],
        seconds: 20
    ) { arguments in
        let goal: [String] =
            switch arguments["for"] {
            case "view": arguments.option("view")
            case "idle": ["--idle"]
            case "hang": ["--hang"]
            default: []
            }
        return command("wait", goal, arguments.option("process"), ["--timeout=\(arguments.seconds(or: 20))s"])
    } misuse: { arguments in
        let (goal, hasView) = (arguments["for"] ?? "", arguments["view"] != nil)
        if goal == "view" { return hasView ? nil : "wait for view needs view." }
        if hasView { return "wait for \(goal) takes no view." }
        return goal == "program" && arguments["process"] == nil ? "wait for program needs process." : nil
    }

    private static let look = MCPTool(
        name: "look",
        description: """
            Measure a program for some seconds and show what happened in them alone. A program that runs and is not \
            counted is attached to: libraries are loaded into it.
            """,
        parameters: [
            MCPParameter(name: "process", kind: .word, meaning: "The program's pid or name.", isNeeded: true),
            seconds(10, most: 120, "For how long"), limit(10, of: "views"),
        ],
        isReading: false, seconds: 10
    ) { arguments in
        command(
            "look", ["--for=\(arguments.seconds(or: 10))s"], arguments.option("limit", or: "10"),
            [arguments["process"] ?? ""])
    }
}
