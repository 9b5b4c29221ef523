// SPDX-License-Identifier: MIT
// A process that runs and is to be counted, and why that cannot be, before anything is done to it.

import FoundationEssentials
import Glibc
import RerenderModel
import RerenderShow

/// What the kernel tells of processes.
struct ProcessFiles: Sendable {
    /// The numbers of all processes.
    var processes: @Sendable () -> [Int32]
    /// The text of a file; empty where it cannot be read.
    var read: @Sendable (_ path: String) -> String
    /// Where a link leads; nil where it cannot be read.
    var link: @Sendable (_ path: String) -> String?
    /// The file that a process runs; nil where it cannot be read.
    var file: @Sendable (_ process: Int32) -> ProgramFile?
    /// Whether `rerenderctl` started a process and counts it.
    var isInjected: @Sendable (_ process: Int32) -> Bool
    /// The user of this program.
    var user: UInt32

    /// Those of this machine.
    static var here: ProcessFiles {
        ProcessFiles(
            processes: {
                ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
            },
            read: { ProcFile.read($0) },
            link: { try? FileManager.default.destinationOfSymbolicLink(atPath: $0) },
            file: { ProgramFile.find("/proc/\($0)/exe") },
            isInjected: { Injection.isInjected($0) }, user: geteuid())
    }

    /// The first word of a line of a process's `status`.
    fileprivate func status(_ name: String, of process: Int32) -> String? {
        words(name, of: String(process)).first.map(String.init)
    }

    private func words(_ name: String, of process: String) -> [Substring] {
        ProcStatus.words(name, in: read("/proc/\(process)/status"))
    }

    /// What gave a process rights of its own; nil where it has none, as far as that is known. A file of the user's own that is set-uid gives
    /// none.
    fileprivate func rights(of process: Int32, _ file: ProgramFile?) -> String? {
        let hasOthers = ["Uid", "Gid"].contains { Set(words($0, of: String(process))).count > 1 }
        guard let file else { return hasOthers ? "is set-uid or set-gid" : nil }
        return hasOthers || file.rights == .capabilities ? file.rights.words : nil
    }

    /// Whether a process has filters of the kernel's calls that this program has not.
    fileprivate func isFiltered(_ process: Int32) -> Bool {
        func filters(_ process: String) -> [Substring?] {
            ["Seccomp", "Seccomp_filters"].map { words($0, of: process).first }
        }
        let its = filters(String(process))
        return its[0] != "0" && its != filters("self")
    }

    /// Whether a process was started with the preloaded library.
    fileprivate func isPreloaded(_ process: Int32) -> Bool {
        read("/proc/\(process)/environ").split(separator: "\0").contains {
            $0.utf8.starts(with: "LD_PRELOAD=".utf8) && $0.contains(InjectionLibraries.preloadName)
        }
    }

    /// Whether a link of both processes, this one and another one, leads to the same. A link that cannot be read is no difference.
    fileprivate func shares(_ name: String, with process: Int32) -> Bool {
        let (own, its) = (link("/proc/self/\(name)"), link("/proc/\(process)/\(name)"))
        return own == nil || its == nil || own == its
    }

    /// The name of the file that a process runs; empty where it cannot be read.
    fileprivate func program(of process: Int32) -> String {
        link("/proc/\(process)/exe").map { PathName.last(of: $0) } ?? ""
    }

    /// What a process may be called by: the name of its script, as its counts have it; that of the kernel, which is short; and that of its
    /// first argument.
    fileprivate func names(of process: Int32) -> [String] {
        let name = read("/proc/\(process)/comm").split(separator: "\n").first.map(String.init)
        let words = read("/proc/\(process)/cmdline").utf8.split(separator: 0, omittingEmptySubsequences: false)
        let arguments = words.map { String(decoding: $0, as: UTF8.self) }
        let script = ScriptName.of(program: program(of: process), arguments: arguments)
        return [script, name, arguments.first.map { PathName.last(of: $0) }].compactMap(\.self).filter { !$0.isEmpty }
    }
}

/// The process that `attach` counts.
struct AttachTarget: Hashable, Sendable {
    let pid: Int32
    /// As its script is called, or as the kernel has it; safe to print.
    let name: String

    /// Finds the process that a user names by its number or name; throws status 64 where no process, or more than one, fits.
    static func find(_ program: String, in files: ProcessFiles = .here) throws(ToolFailure) -> AttachTarget {
        guard !program.isEmpty else { throw .usage("the program's name is empty.\nName it by its pid or name.") }
        if program.utf8.allSatisfy({ (48...57).contains($0) }) {
            guard let pid = Int32(program), let name = files.names(of: pid).first else {
                throw .usage("there is no process \(program).")
            }
            return AttachTarget(pid: pid, name: Printable.text(name))
        }
        let user = String(files.user)
        let found = files.processes().sorted().filter {
            $0 != getpid() && files.names(of: $0).contains(program) && files.status("Uid", of: $0) == user
        }
        let name = Printable.text(program)
        guard let pid = found.first else {
            let start: ShellCommand = "rerenderctl run -- \(.path(program))"
            throw .usage("no process of yours is called \(name).\nTo start a program, run: \(start)")
        }
        guard found.count == 1 else {
            let listed = found.prefix(mostListed).map { String($0) }.joined(separator: ", ")
            throw .usage("\(found.count) processes are called \(name): \(listed)\nName one of them by its number.")
        }
        return AttachTarget(pid: pid, name: name)
    }

    private static let mostListed = 10

    /// Why nothing can be loaded into it, and what to do; nil where that is to be tried.
    func refusal(in files: ProcessFiles = .here) -> ToolFailure? {
        if let owner = files.status("Uid", of: pid), owner != String(files.user) {
            return refusal("it is another user's", "Run rerenderctl as user \(owner)")
        }
        if let group = files.status("Tgid", of: pid), group != String(pid) {
            let attach: ShellCommand = "rerenderctl attach \(group)"
            return refusal("it is a thread of process \(group)", "Run: \(attach)")
        }
        if let tracer = files.status("TracerPid", of: pid), tracer != "0" {
            return refusal("process \(tracer) traces it", "End that first: it is a debugger, or strace")
        }
        if files.isInjected(pid) {
            return refusal("rerenderctl started it, and it is counted", "Run: rerenderctl look \(pid)")
        }
        if files.isPreloaded(pid) {
            return refusal(
                "a rerenderctl that has ended started it, and it looks for that one's daemon alone",
                "Start it anew: rerenderctl run -- PROGRAM")
        }
        if let state = files.status("State", of: pid), ["Z", "X"].contains(state) {
            return refusal("it has ended", "Start it: rerenderctl run -- PROGRAM")
        }
        if files.status("State", of: pid) == "T" {
            return refusal("it is stopped", "Let it go on first: kill -CONT \(pid)")
        }
        let file = files.file(pid)
        if let what = files.rights(of: pid, file) {
            return refusal(
                "it \(what), and has other rights than yours",
                "Run a copy of it, which has only your rights: rerenderctl run -- COPY")
        }
        guard let image = file?.image else {
            return refusal(
                "the system lets no process look into it: it has rights of its own, or it is not dumpable",
                "Start it without them: rerenderctl run -- PROGRAM")
        }
        if !files.shares("ns/user", with: pid) {
            return refusal("it is in a sandbox, with users of its own", "Start it without the sandbox")
        }
        if !files.shares("ns/pid", with: pid) {
            return refusal("it is in a container, with processes of its own", "Run rerenderctl in there")
        }
        if files.isFiltered(pid) {
            return refusal(
                "it filters its calls of the kernel (seccomp), and could be ended for one of rerender's",
                "Start it without the filter: rerenderctl run -- PROGRAM")
        }
        let maps = files.read("/proc/\(pid)/maps")
        if let failure = refusal(image) { return failure }
        guard !maps.isEmpty, !Self.counted.contains(where: { maps.contains($0) }) else { return nil }
        return refusal(
            "it has loaded neither GLib nor Swift's runtime, so that nothing in it can be counted",
            "See what can be counted: rerenderctl doctor -- PROGRAM")
    }

    /// A program that can be counted has loaded one of these files.
    private static let counted = ["/libglib-2.0.so", "/libswiftCore.so"]

    private func refusal(_ image: ProgramImage) -> ToolFailure? {
        switch image {
        case .foreign(let kind):
            return refusal("it is \(kind), and rerender's libraries are not", "Run a build of it for this machine")
        case .program(let image) where !image.hasLoader:
            return refusal("it is a static program, into which nothing can be loaded", "Link it with shared libraries")
        case .program(let image) where image.countsItself:
            return refusal("it counts itself, for the daemon of its user", "Run: rerenderctl look \(pid)")
        case .program, .script, .other: return nil
        }
    }

    /// What is not known of what it did before.
    func unknown(in files: ProcessFiles = .here) -> String {
        let isScript = ScriptName.isInterpreter(files.program(of: pid))
        return "What it did before is unknown\(isScript ? ", and older handlers of its script have no names" : "")."
    }

    /// Why it is not connected; nil while it may connect.
    ///
    /// - Parameters:
    ///   - report: What the libraries in it told.
    ///   - isOver: Whether the time for that is over.
    func silence(_ report: InjectionReport, isRunning: Bool, isOver: Bool) -> ToolFailure? {
        let again = "Start it anew: rerenderctl run -- PROGRAM"
        guard isRunning else { return refusal("it has ended meanwhile", again) }
        if let told = report.refusals.first { return refusal(told.text, again) }
        guard isOver else { return nil }
        if report.hasViews || report.marks[.widgets] != nil || report.marks[.loop] != nil {
            return refusal("it counts, and its counts did not come within 10 s", "Try once more")
        }
        return refusal(
            "within 10 s it had no views, no widgets of GTK 4, and no turn of GLib's default main loop",
            "See what can be counted: rerenderctl doctor -- PROGRAM")
    }

    /// Whether it runs. One that has ended may be listed until its parent asks for its status.
    func isRunning(in files: ProcessFiles = .here) -> Bool {
        guard let state = files.status("State", of: pid) else { return false }
        return !["Z", "X"].contains(state)
    }

    /// A failure that says why, and what to do; both without a full stop.
    func refusal(_ why: String, _ advice: String) -> ToolFailure {
        ToolFailure(ExitStatus.system, "cannot attach to \(name)[\(pid)]: \(why).\n\(advice).")
    }
}
