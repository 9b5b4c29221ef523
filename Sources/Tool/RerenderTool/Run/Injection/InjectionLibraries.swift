// SPDX-License-Identifier: MIT
// Finds the libraries that are injected into programs, and has them made in a checkout.

import FoundationEssentials
import Glibc
import RerenderModel
import RerenderShow

/// The directory with the libraries.
package struct InjectionLibraries: Hashable, Sendable {
    /// The one that the loader is told of; it finds the other one beside itself.
    static let preloadName = "librerender-preload.so"
    static let names = ["librerender-inject.so", preloadName]

    package let directory: String
    var preload: String { "\(directory)/\(Self.preloadName)" }
    /// The program that has a process load the first one which runs. A build for another processor than x86-64 has none.
    var attacher: String { "\(directory)/rerender-attach" }
    /// The directory of the module that GIO loads; nil in a build without the part for GTK.
    var modules: String? {
        let modules = "\(directory)/rerender-gio"
        return FilePath.kind(modules) == S_IFDIR ? modules : nil
    }

    package enum Place: Hashable, Sendable {
        case found(InjectionLibraries)
        /// In a checkout's build, where they are missing or older than what they are made of.
        case toBeMade(InjectionLibraries, script: String)
        /// What is missing, and what to do.
        case missing(String, advice: String)
    }

    /// Where those of this program are.
    package static var ofThisProgram: Place {
        place(executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: OwnProgram.path)) ?? "")
    }

    /// Beside the program, in `lib/rerender` of the prefix that it is installed in, or in the build of a checkout.
    ///
    /// - Parameter executable: The program's path without links. The kernel marks that of a file that was replaced.
    static func place(executable: String) -> Place {
        let path = executable.hasSuffix(deleted) ? String(executable.dropLast(deleted.count)) : executable
        let directory = PathName.directory(of: path)
        if let checkout = InjectionCheckout(of: directory) { return checkout.place }
        let prefix = PathName.last(of: directory) == "bin" ? PathName.directory(of: directory) : nil
        let places = [directory] + [prefix.map { PathName.joined($0, "lib/rerender") }].compactMap(\.self)
        if let found = places.map({ InjectionLibraries(directory: $0) }).first(where: \.areThere) {
            return .found(found)
        }
        return .missing(
            "there is no \(preloadName) in \(places.map { Printable.text($0) }.joined(separator: " or "))",
            advice:
                "Install rerender with Scripts/install, or run Scripts/lib/inject in a checkout for a build directory")
    }

    private static let deleted = " (deleted)"

    /// Whether they lie in the build of a checkout, where they are made.
    var isOfCheckout: Bool { InjectionCheckout(of: directory) != nil }

    var areThere: Bool {
        Self.names.allSatisfy { FilePath.kind("\(directory)/\($0)") == S_IFREG }
    }

    /// Why the loader cannot be told of this place; nil where it can. It takes a blank and a colon for the end of a path, and
    /// replaces words after a dollar sign.
    package var pathFault: (what: String, advice: String)? {
        guard preload.contains(where: { " :$".contains($0) }) else { return nil }
        return (
            "\(Printable.text(preload)) cannot be preloaded: its path has a space, a colon or a dollar sign",
            "Put rerender into a directory without them"
        )
    }

    // MARK: Making

    /// Those of this program, made first where they have to be; throws status 69 with what to do.
    ///
    /// - Parameter run: Runs the script that makes them.
    static func need(
        _ place: Place = ofThisProgram, run: Runner = Self.runScript
    ) async throws(ToolFailure) -> InjectionLibraries {
        let libraries: InjectionLibraries
        switch place {
        case .found(let found): libraries = found
        case .missing(let what, let advice):
            throw ToolFailure(ExitStatus.missingProgram, "--inject cannot work: \(what).\n\(advice)")
        case .toBeMade(let wanted, let script):
            libraries = wanted
            FailureText.note("rerenderctl: making the libraries of --inject in \(Printable.text(wanted.directory))")
            try await make(wanted, script, run)
        }
        if let fault = libraries.pathFault {
            throw ToolFailure(ExitStatus.missingProgram, "\(fault.what).\n\(fault.advice).")
        }
        return libraries
    }

    /// Runs a program to its end.
    typealias Runner = @Sendable (_ command: [String]) async throws(SpawnError) -> CapturedOutput

    /// Linking them takes seconds, and longer on a busy machine.
    private static let runScript: Runner = { command throws(SpawnError) in
        try await CapturedCommand.run(command, limit: .seconds(600))
    }

    private static func make(
        _ libraries: InjectionLibraries, _ script: String, _ run: Runner
    ) async throws(ToolFailure) {
        let output: CapturedOutput
        do {
            output = try await run([script, libraries.directory])
        } catch {
            throw error.failure(of: Printable.text(script))
        }
        guard !output.succeeded || !libraries.areThere else { return }
        let said = output.errors.split(separator: "\n").suffix(20).map { Printable.text(String($0)) }
        throw ToolFailure(
            ExitStatus.missingProgram,
            (["the libraries of --inject cannot be made (\(Printable.text(script))):"] + said).joined(separator: "\n"))
    }
}

/// A checkout of this repository, in whose build a program lies.
private struct InjectionCheckout {
    private let root: String
    private let libraries: InjectionLibraries

    private static let buildName = "/.build/"

    init?(of directory: String) {
        guard let build = "\(directory)/".ranges(of: Self.buildName).last else { return nil }
        root = String(directory[..<build.lowerBound])
        libraries = InjectionLibraries(directory: directory)
        guard FilePath.kind(script) == S_IFREG else { return nil }
    }

    private var script: String { root + "/Scripts/lib/inject" }
    private var archive: String { libraries.directory + "/libRerenderInject.a" }
    private var gtkArchive: String { libraries.directory + "/libRerenderGTK.a" }

    var place: InjectionLibraries.Place {
        guard FilePath.kind(archive) == S_IFREG else {
            let isRelease = PathName.last(of: libraries.directory) == "release"
            return .missing(
                "there is no \(Printable.text(archive))",
                advice: "Run: swift build" + (isRelease ? " -c release --traits AlwaysOn" : "")
                    + " --product RerenderInject")
        }
        return isCurrent ? .found(libraries) : .toBeMade(libraries, script: script)
    }

    /// Whether both are there and no older than anything that they are made of.
    private var isCurrent: Bool {
        let made = InjectionLibraries.names.map { FilePath.changed("\(libraries.directory)/\($0)") }
        guard made.allSatisfy({ $0 != nil }), let oldest = made.compactMap(\.self).min() else { return false }
        return sources.compactMap { FilePath.changed($0) }.allSatisfy { $0 <= oldest }
    }

    private var sources: [String] {
        let folders = ["Inject/Preload", "Inject/CInject", "Shared/CShared/Imports"].map { "\(root)/Sources/\($0)" }
        let files = folders.flatMap { folder in
            ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
        }
        // A directory changes with each file that an editor makes for itself.
        let gtk = FilePath.kind(gtkArchive) == S_IFREG ? [gtkArchive] : []
        return [archive, script] + gtk + files.filter { FilePath.kind($0) == S_IFREG }
    }
}
