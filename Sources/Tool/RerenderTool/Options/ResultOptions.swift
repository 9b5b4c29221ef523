// SPDX-License-Identifier: MIT
// The options that choose formats, files and colours of a result.

import ArgumentParser
import FoundationEssentials
import RerenderModel
import RerenderShow

/// `--json`, `--markdown`, `--output`, `--junit`, `--sarif` and `--github`.
struct ResultOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Print Markdown for a pull request instead of text.")
    var markdown = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the JSON or Markdown to this file and print the text.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("Write JUnit XML to this file, with a test case for each finding.", valueName: "file"),
        completion: .file())
    var junit: String?

    @Option(
        help: ArgumentHelp("Write SARIF 2.1.0 to this file, for code scanning.", valueName: "file"), completion: .file()
    )
    var sarif: String?

    @Flag(help: "Print each finding to standard error as GitHub Actions shows it beside its line.")
    var github = false

    func validate() throws {
        if json, markdown { throw ValidationError("Choose either --json or --markdown.") }
        if output != nil, !json, !markdown { throw ValidationError("--output needs --json or --markdown.") }
        for (place, (option, path)) in files.enumerated() {
            let same = files[..<place].first { FilePath.isSame(path ?? "", $0.path ?? "") }
            if let same { throw ValidationError("\(same.option) and \(option) need different files.") }
        }
    }

    /// Throws a validation error where a file that is to be written is one that is read: it would be replaced.
    ///
    /// - Parameter inputs: The paths of what is read, by the name of the option or argument.
    func keep(_ inputs: [(name: String, path: String?)]) throws {
        for (option, path) in files {
            let replaced = inputs.first { FilePath.isSame(path ?? "", $0.path ?? "") }
            guard let input = replaced else { continue }
            throw ValidationError("\(option) would overwrite \(input.name): choose another file.")
        }
    }

    /// Whether any form of a result is asked for.
    var isGiven: Bool { json || markdown || github || junit != nil || sarif != nil }

    /// What is written, by option.
    private var files: [(option: String, path: String?)] {
        [("--output", output), ("--junit", junit), ("--sarif", sarif)]
    }

    /// Whether standard output gets a document for machines.
    var takesStandardOutput: Bool { (json || markdown) && path == nil }

    /// The file; nil for standard output.
    fileprivate var path: String? { output == "-" ? nil : output }

    /// The failure for a result that does not hold: in full where standard output has no text for people.
    func failure(of result: some ResultDocument) -> ToolFailure {
        ToolFailure(ExitStatus.checkFailed, takesStandardOutput ? result.failure : result.verdict)
    }
}

/// The files of a result, opened before the work begins, so that a bad path fails at once.
struct ResultFiles: Sendable {
    private let options: ResultOptions
    private let output: AtomicFile?
    private let junit: AtomicFile?
    private let sarif: AtomicFile?

    init(_ options: ResultOptions) throws(ToolFailure) {
        self.options = options
        output = try options.path.map { path throws(ToolFailure) in try AtomicFile(path: path) }
        junit = try options.junit.map { path throws(ToolFailure) in try AtomicFile(path: path) }
        sarif = try options.sarif.map { path throws(ToolFailure) in try AtomicFile(path: path) }
    }

    /// Writes the files, and the annotations. Call it before ``show(_:on:)``, which fails if its reader is gone.
    func write(_ report: some ResultDocument) throws {
        if let output, let document = try document(of: report) {
            try output.write(Array(document.utf8))
            try output.commit()
        }
        try junit?.write(Array(report.junit.markup.text.utf8))
        try junit?.commit()
        guard sarif != nil || options.github else { return }
        let files = SourceFiles(below: FilePath.real(".") ?? ".")
        let annotations = AnnotationList(report.annotations) { files.relativePath(of: $0) }
        try sarif?.write(Array(annotations.sarif(version: RerenderVersion.current).text().utf8))
        try sarif?.commit()
        if options.github { try Console.error.show(annotations.gitHubLines) }
    }

    /// Shows the result: the document on standard output where it is to go there, else the text for people.
    ///
    /// - Parameter console: Where the text for people goes.
    func show(_ report: some ResultDocument, on console: Console) throws {
        if options.takesStandardOutput, let document = try document(of: report) {
            try OutputStream.standardOutput.write(document)
        } else {
            try console.show(report.lines(width: console.width, colours: console.colours))
        }
    }

    private func document(of report: some ResultDocument) throws -> String? {
        options.json ? try report.json() : options.markdown ? report.markdown.text : nil
    }
}

/// `--output`.
struct OutputOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write what programs read to this file; - is standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    /// The file; nil for standard output.
    var path: String? { output == "-" ? nil : output }

    /// Writes a whole text.
    func write(_ bytes: [UInt8]) throws {
        if let path { try AtomicFile.write(bytes, to: path) } else { try OutputStream.standardOutput.write(bytes) }
    }

    /// Writes a document, with readable names.
    func write(document: some Encodable) async throws {
        try write(await SymbolHelp.named(Array(try StatsExport.encoder().encode(document))) + [UInt8(ascii: "\n")])
    }

    /// Passes an export on as it arrives, with readable names; a file appears only when it is complete.
    func write(_ query: StatsQuery, from client: any QueryClient) async throws {
        let output = OutputStream.standardOutput
        // What comes is progress enough.
        if path == nil, output.isTerminal { return try await Self.pass(query, from: client) { try output.write($0) } }
        try await ProgressLine.during("exporting") { _ in
            guard let path else { return try await Self.pass(query, from: client) { try output.write($0) } }
            let file = try AtomicFile(path: path)
            try await Self.pass(query, from: client) { try file.write($0) }
            try file.commit()
        }
    }

    private static func pass(
        _ query: StatsQuery, from client: any QueryClient, to take: (_ bytes: [UInt8]) throws -> Void
    ) async throws {
        try await client.writeNamed(query, learn: { await SymbolHelp.learn($0) }, to: take)
    }
}

// The command that `run`, `record` and `check` take after their options, and the options that inject the library into it.

/// A command after `--`.
///
/// The parser passes everything on from the first word that is no known option, so a mistyped option ends up here too.
struct CommandArgument: ParsableArguments {
    @Argument(
        parsing: .captureForPassthrough, help: ArgumentHelp("The command and its arguments.", valueName: "command"))
    var captured: [String] = []

    /// The command without the `--` before it.
    var words: [String] { captured.first == "--" ? Array(captured.dropFirst()) : captured }

    /// Whether there is a command. Shows the help of `owner` for `--help`, and refuses unknown options.
    func isGiven(to owner: any ParsableCommand.Type) throws -> Bool {
        if captured == ["--help"] || captured == ["-h"] { throw CleanExit.helpRequest(owner) }
        guard let program = words.first, !program.isEmpty else { return false }
        if captured.first != "--", program.hasPrefix("-") {
            throw ValidationError(
                "Unknown option '\(Printable.text(program))'.\nPut -- before a command of this name.")
        }
        return true
    }
}

/// Whether the library is injected, and what it takes for views.
struct InjectOptions: ParsableArguments {
    @Flag(help: "Count the views of a Swift program that does not link the library.")
    var inject = false

    @Option(
        help: ArgumentHelp(
            "With --inject, also count types of this protocol, beside those called View. Repeatable.",
            valueName: "module.name"))
    var viewProtocol: [String] = []

    func validate() throws {
        for name in viewProtocol where !Self.isProtocol(name) {
            throw ValidationError(
                "--view-protocol takes a module and a protocol, such as MyUI.Screen, not '\(Printable.text(name))'.")
        }
    }

    /// Throws where a protocol is named and nothing is injected for certain.
    ///
    /// - Parameter ways: The options that inject, as one would type them.
    func mustInject(_ isInjected: Bool, ways: String = "--inject") throws {
        if !viewProtocol.isEmpty, !isInjected { throw ValidationError("--view-protocol needs \(ways).") }
    }

    private static func isProtocol(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !name.contains { $0 == "," || $0.isWhitespace }
    }

    /// The injection into a command, or nil where none is wanted; throws where it cannot work.
    ///
    /// - Parameter showsHUD: Whether the command gets the HUD, for which it is injected in any case.
    func injection(into command: [String], showsHUD: Bool = false) async throws(ToolFailure) -> Injection? {
        guard inject || showsHUD else { return nil }
        return try await Injection.prepare(for: command, protocols: viewProtocol, showsHUD: showsHUD)
    }
}

/// `--no-inject`.
struct NoInjectOption: ParsableArguments {
    @Flag(help: "Inject nothing, also where the command could be counted by it.")
    var noInject = false

    /// Throws where the user asked for the opposite, too.
    ///
    /// - Parameter option: The one that injects, as one would type it.
    func mustFit(_ isInjected: Bool, named option: String) throws {
        if noInject, isInjected { throw ValidationError("Choose either --no-inject or \(option).") }
    }

    /// The injection into a command that the user did not ask for; nil without one.
    func unasked(into command: [String]) -> Injection? { noInject ? nil : Injection.unasked(into: command) }
}
