// SPDX-License-Identifier: MIT
// The budget file: its reader has an error for each line that it does not understand, and its text can be reviewed.

import FoundationEssentials
import Glibc
import RerenderModel
package import RerenderShow

/// Reads and replaces a budget.
package struct BudgetFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// As it may be shown.
    package var displayName: String { Printable.text(path) }

    /// The budget; nil if the file may be missing and is. Throws status 65.
    package func read(mayBeMissing: Bool) throws(ToolFailure) -> Budget? {
        if mayBeMissing, unsafe access(path, F_OK) != 0, errno == ENOENT { return nil }
        var bytes: [UInt8] = []
        try InputFile.read(path, fault: { unreadable(SystemText.of($0)) }) { piece throws(ToolFailure) in
            bytes += piece
            guard bytes.count <= BudgetReader.largest else {
                throw unreadable("it is larger than \(BudgetReader.largest >> 20) MiB")
            }
        }
        return try BudgetReader(path: path).read(bytes)
    }

    /// Puts a budget in the place of the file, in one step.
    package func write(_ budget: Budget) throws {
        try AtomicFile.write(BudgetText.of(budget), to: path)
    }

    private func unreadable(_ reason: String) -> ToolFailure {
        ToolFailure(
            ExitStatus.unreadable,
            "cannot read the budget \(displayName): \(reason).\n"
                + "To create one from a run: rerenderctl check --budget FILE --update -- CMD")
    }
}

/// Reads budgets.
struct BudgetReader: Sendable {
    /// The file's name, for errors.
    let path: String

    /// The largest file: room for the keys of a process, each with its limits.
    static let largest = 16 << 20

    private static let members = ["version", "total", "views"]
    private static let measures = Measure.ofViews.map(\.rawValue)
    private static let withoutInput = Measure.withoutInput.map(\.rawValue)
    private static let time = "bodyP95Nanoseconds"
    private static let note = "note"

    /// The budget. Throws status 65 with the file, the line, the error and a correction.
    func read(_ bytes: [UInt8]) throws(ToolFailure) -> Budget {
        let root: JSONNode
        do {
            root = try JSONDocument.parse(bytes)
        } catch {
            throw refused(error.line, error.reason, "It must be JSON. To create one: rerenderctl check --update")
        }
        let members = try members(root, "the budget", known: Self.members)
        guard let version = members.first(where: { $0.name == "version" }) else {
            throw refused(root.line, "\"version\" is missing", "Add: \"version\": \(Budget.currentVersion)")
        }
        guard try number(version) == UInt64(Budget.currentVersion) else {
            throw refused(
                version.line, "its version is not \(Budget.currentVersion)",
                "Use the rerenderctl that wrote it, or create it again: rerenderctl check --update")
        }
        var budget = Budget()
        for member in members {
            switch member.name {
            case "total": budget.total = try limits(member, "\"total\"").limits
            case "views": budget.views = try lines(member)
            default: break
            }
        }
        return budget
    }

    private func lines(_ views: JSONNode.Member) throws(ToolFailure) -> [Budget.Line] {
        guard case .object(let members) = views.node.value else { throw wrongType(views, "an object of views") }
        var lines: [Budget.Line] = []
        var seen: [ViewKey: Int] = [:]
        for member in members {
            guard let pattern = KeyPattern(member.name) else {
                throw refused(
                    member.line, "\"\(member.name)\" ends with a single \\",
                    #"Write a backslash in a key twice, in JSON as "\\\\"."#)
            }
            // The same key can be written in two ways, with and without a needless backslash.
            if let key = pattern.key, let other = seen.updateValue(member.line, forKey: key) {
                throw refused(
                    member.line, "\"\(member.name)\" is the same key as the one in line \(other)", "Remove one of them."
                )
            }
            let (limits, note) = try limits(member, "a view", mayHaveNote: true)
            lines.append(Budget.Line(pattern: pattern, limits: limits, note: note))
        }
        return lines.sorted { $0.pattern < $1.pattern }
    }

    private func limits(
        _ member: JSONNode.Member, _ what: String, mayHaveNote: Bool = false
    ) throws(ToolFailure) -> (limits: Budget.Limits, note: String?) {
        // The total has no time: a percentile over all views would say nothing. No view has what a main loop does.
        let known = Self.measures + (mayHaveNote ? [Self.time, Self.note] : Self.withoutInput)
        var limits = Budget.Limits()
        var note: String?
        for field in try members(member.node, what, known: known) {
            if field.name == Self.note {
                guard case .text(let text) = field.node.value else { throw wrongType(field, "a text") }
                note = text
            } else if let measure = Measure(rawValue: field.name) {
                limits.most[measure] = try number(field)
            } else {
                limits.bodyP95Nanoseconds = try number(field)
            }
        }
        return (limits, note)
    }

    /// The members of an object, which has no others than those that are known.
    private func members(
        _ node: JSONNode, _ what: String, known: [String]
    ) throws(ToolFailure) -> [JSONNode.Member] {
        guard case .object(let members) = node.value else {
            throw refused(
                node.line, "\(what) is \(node.kind), and must be an object",
                "Write: { \(known.map { "\"\($0)\": …" }.joined(separator: ", ")) }")
        }
        for member in members where !known.contains(member.name) {
            let near = NearName.find(member.name, among: known, limit: 1).first.map { "Did you mean \"\($0)\"? " } ?? ""
            throw refused(
                member.line, "\(what) has no field \"\(member.name)\"",
                near + "There are: \(Counted.list(known.map { "\"\($0)\"" }))")
        }
        return members
    }

    private func number(_ field: JSONNode.Member) throws(ToolFailure) -> UInt64 {
        guard case .number(let text) = field.node.value else { throw wrongType(field, "a number") }
        guard let number = UInt64(text) else {
            throw refused(
                field.node.line, "\"\(field.name)\" is \(text.prefix(40))",
                "Use a whole number from 0 to \(UInt64.max). To remove the limit, remove the field.")
        }
        return number
    }

    private func wrongType(_ field: JSONNode.Member, _ wanted: String) -> ToolFailure {
        refused(
            field.node.line, "\"\(field.name)\" is \(field.node.kind), and must be \(wanted)",
            "See: rerenderctl help check")
    }

    private func refused(_ line: Int, _ reason: String, _ next: String) -> ToolFailure {
        ToolFailure(ExitStatus.unreadable, Printable.text("\(path):\(line): \(reason).") + "\n" + Printable.text(next))
    }
}

/// Writes budgets. Equal budgets give equal text.
enum BudgetText {
    private struct Document: Encodable {
        let version = Budget.currentVersion
        let total: Limits
        let views: [String: Limits]
    }

    private struct Limits: Encodable {
        let bodyP95Nanoseconds, evaluations, framesWithoutInput, hangs: UInt64?
        let note: String?
        let processorWithoutInput, turnsWithoutInput, wakeupsWithoutInput, wasted: UInt64?

        init(_ limits: Budget.Limits, note: String? = nil) {
            (bodyP95Nanoseconds, self.note) = (limits.bodyP95Nanoseconds, note)
            (evaluations, hangs) = (limits.most[.evaluations], limits.most[.hangs])
            (wasted, framesWithoutInput) = (limits.most[.wasted], limits.most[.frames])
            (turnsWithoutInput, wakeupsWithoutInput) = (limits.most[.turns], limits.most[.wakeups])
            processorWithoutInput = limits.most[.processor]
        }
    }

    /// The file's bytes: keys sorted, a line end last.
    static func of(_ budget: Budget) throws -> [UInt8] {
        let views = budget.views.map { ($0.pattern.text, Limits($0.limits, note: $0.note)) }
        let document = Document(total: Limits(budget.total), views: Dictionary(views) { first, _ in first })
        return Array(try StatsExport.encoder().encode(document)) + [UInt8(ascii: "\n")]
    }
}
