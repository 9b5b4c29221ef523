// SPDX-License-Identifier: MIT
// Asks other programs of the system about functions: c++filt for their names, and dpkg for what would bring names.

import FoundationEssentials
import Glibc
import RerenderDaemon
import RerenderShow
import Synchronization

/// What is done about names before a command shows them.
enum SymbolHelp {
    /// Has the names in some stores and hangs read that only another program can read, and returns what would bring the names that are missing:
    /// sentences without a full stop, at most three. Usually at once; a second or two where something was not asked for before.
    static func prepare(_ stores: [ProcessStats], _ hangs: [Hang] = []) async -> [String] {
        await learn(NameTexts.all(stores, hangs))
        return await advice(on: NamelessFile.all(stores, hangs))
    }

    /// What would bring the names of functions in these files, as `prepare` says it.
    static func advice(on files: [NamelessFile]) async -> [String] {
        var advice: [String] = []
        for file in files {
            if let sentence = await StrippedFile.advice(on: file) { advice.append(sentence) }
        }
        return advice
    }

    /// Has the names in some texts read that only another program can read; at most 1,024 of them.
    static func learn(_ texts: [String]) async {
        for _ in 0..<4 {
            let names = MangledNames.unread(in: texts)
            if names.isEmpty { return }
            MangledNames.learn(names, await read(names))
        }
    }

    /// A JSON document with readable names.
    static func named(_ document: [UInt8]) async -> [UInt8] {
        var text = NamedJSON()
        let beginning = text.add(document)
        await learn(text.unread)
        return beginning + text.end()
    }

    /// How long a program may take that is asked.
    private static let limit = Duration.seconds(1)

    /// A line for each name of C++; none where there is no `c++filt`, or it takes too long.
    private static func read(_ names: [String]) async -> [Substring] {
        // A name may be made so that its meaning takes all memory. 256 MiB are more than any other needs.
        let command = ["sh", "-c", "ulimit -v 262144 && exec c++filt -p \"$@\"", "c++filt"] + names
        guard let result = try? await CapturedCommand.run(command, limit: limit), result.succeeded else { return [] }
        return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    /// The output of a program whose status says nothing.
    static func output(of command: [String]) async -> String {
        (try? await CapturedCommand.run(command, limit: limit))?.output ?? ""
    }
}

/// Says which package would bring the names of a stripped file.
enum StrippedFile {
    /// What was said of files before, by their paths.
    private static let known = Mutex<[String: String?]>([:])
    /// Paths that are kept: no user has so many programs open.
    private static let most = 256

    /// `gnome-calendar is stripped: install gnome-calendar-dbgsym`; nil where the file is not stripped, and where its debug information is
    /// there. Of a program that is not found any more, that its functions have no names.
    static func advice(on file: NamelessFile) async -> String? {
        guard let path = await path(of: file) else {
            // Of a library, a user has no other build. A program that has lines need not lack symbols.
            return file.name.contains(".so") || file.hasLines
                ? nil : "functions of \(Printable.exact(file.name)) have no names: run a build that keeps its symbols"
        }
        if let said = known.withLock({ $0[path] }) { return said }
        let isStripped = ProgramFile.find(path)?.isStripped ?? false
        let said = isStripped ? text(of: file.name, package: await package(of: path)) : nil
        known.withLock { if $0.count < most { $0[path] = .some(said) } }
        return said
    }

    /// The sentence, safe to print.
    static func text(of name: String, package: String?) -> String {
        let what = package.map { "install \($0)-dbgsym" } ?? "run a build that keeps its symbols, or install them"
        return "\(Printable.exact(name)) is stripped: \(what)"
    }

    /// Where the file is: by the process, if it lives, or else as a shell finds programs, and the loader its libraries.
    private static func path(of file: NamelessFile) async -> String? {
        let process = "/proc/\(file.pid)"
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/exe")
        if let own, PathName.last(of: own) == file.name { return own }
        let loaded = ProcFile.read("\(process)/maps").split(separator: "\n").lazy.compactMap { line -> String? in
            let path = line.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(line[$0...]) }
            return path.flatMap { PathName.last(of: $0) == file.name ? $0 : nil }
        }.first
        if let found = loaded ?? ProgramFile.path(of: file.name) { return found }
        return file.name.contains(".so") ? await libraryPath(of: file.name) : nil
    }

    private static func libraryPath(of name: String) async -> String? {
        for program in ["/sbin/ldconfig", "/usr/sbin/ldconfig"] where FilePath.kind(program) != nil {
            return LinkerCache.path(of: name, in: await SymbolHelp.output(of: [program, "-p"]))
        }
        return nil
    }

    /// The package that installed a file; nil where none did, and where there is no `dpkg`.
    private static func package(of path: String) async -> String? {
        // Packages may name a file as it was before `/bin` became a link to `/usr/bin`.
        let prefix = "/usr".utf8
        let other = path.utf8.starts(with: prefix) ? String(path.dropFirst(prefix.count)) : "/usr" + path
        return package(in: await SymbolHelp.output(of: ["dpkg", "-S", path, other]))
    }

    /// The package in what `dpkg -S` prints: `gnome-calendar: /usr/bin/gnome-calendar`, or with several, and with an architecture behind each.
    static func package(in output: String) -> String? {
        for line in output.split(separator: "\n") where !line.hasPrefix("diversion ") {
            guard let end = line.firstRange(of: ": ") else { continue }
            let name = line[..<end.lowerBound].prefix { $0 != "," && $0 != ":" }
            let isName = name.utf8.allSatisfy { byte in
                Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || "0123456789+-.".utf8.contains(byte)
            }
            if !name.isEmpty, isName { return String(name) }
        }
        return nil
    }
}

// Gets the debug information of a stripped program from the servers of DEBUGINFOD_URLS, where the user's settings allow that.

/// Asks `debuginfod-find`, a program of elfutils, which keeps what it gets in the user's cache.
enum DebugServer {
    /// What came of a question.
    enum Answer: Hashable, Sendable {
        /// The path of a file with debug information.
        case file(String)
        /// Why nothing came, as a sentence without a full stop.
        case failure(String)
    }

    /// The variable by which Rerender in the command finds the file. It reads that of the same build alone.
    static let variable = "RERENDER_DEBUG_FILE"
    /// A user waits for the command meanwhile.
    private static let limit = Duration.seconds(15)

    /// What the environment of a command gets for its program. Says why nothing came, in one sentence. Nothing is asked without the
    /// setting, of a program with names of its own or debug information beside it, and of a script's interpreter.
    static func environment(of command: [String]) async -> [String: String] {
        guard ToolSettings.current.debuginfod == true, environmentVariable(variable) == nil, let name = command.first,
            let file = ProgramFile.started(by: name), file.script == nil, file.isStripped
        else { return [:] }
        let came = await ProgressLine.during("asking servers for debug information") { _ in
            await answer(for: file, servers: environmentVariable("DEBUGINFOD_URLS"))
        }
        switch came {
        case .file(let path): return [variable: path]
        case .failure(let reason):
            FailureText.note("rerenderctl: \(reason)")
            return [:]
        }
    }

    /// Asks for a program's debug information.
    ///
    /// - Parameters:
    ///   - servers: Their addresses, as `debuginfod-find` reads them from the environment.
    ///   - asking: Who is asked: `debuginfod-find`, or what stands for it.
    static func answer(
        for file: ProgramFile, servers: String?, asking: String = "debuginfod-find", limit: Duration = limit
    ) async -> Answer {
        let name = Printable.exact(PathName.last(of: file.path))
        guard servers?.isEmpty == false else {
            return .failure("\(name) is stripped, and DEBUGINFOD_URLS names no server that has its debug information")
        }
        guard let id = file.buildID else {
            return .failure("\(name) is stripped, and has no build ID to ask servers for")
        }
        guard let said = try? await CapturedCommand.run([asking, "debuginfo", id], limit: limit) else {
            return .failure("\(name) is stripped, and debuginfod-find cannot be run (Debian: debuginfod)")
        }
        if said.ending == .killed(by: SIGKILL) {
            return .failure(
                "the debug information of \(name) did not come in \(DurationText.short(limit.wholeNanoseconds)); "
                    + "this gets it without a limit: debuginfod-find debuginfo \(id)")
        }
        let path = said.output.split(separator: "\n").first.map(String.init) ?? ""
        guard said.succeeded, PathName.isAbsolute(path), FilePath.kind(path) == S_IFREG else {
            return .failure("no server of DEBUGINFOD_URLS has the debug information of \(name)")
        }
        return .file(path)
    }
}
