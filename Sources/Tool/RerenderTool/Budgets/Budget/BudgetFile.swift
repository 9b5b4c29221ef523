// SPDX-License-Identifier: MIT
// The budget file: its reader refuses what it does not know, and its text can be reviewed.

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

struct BudgetReader: Sendable {
    /// The file's name, for errors.
    let path: String

    /// The largest file: room for the keys of a process, each with its limits.
    static let largest = 16 << 20

    /// The budget. Throws status 65 with the file, the error and a correction.
    func read(_ bytes: [UInt8]) throws(ToolFailure) -> Budget {
        let document: BudgetDocument
        do {
            document = try JSONDecoder().decode(BudgetDocument.self, from: Data(bytes))
        } catch let fault as BudgetFault {
            throw refused(fault.reason, fault.next)
        } catch {
            // What is no JSON has no place in it; another program names the line.
            var next: ShellCommand = "rerenderctl help check"
            if case .dataCorrupted(let context)? = error as? DecodingError, context.codingPath.isEmpty {
                next = "jq . \(.path(path))"
            }
            throw refused(DecodingText.of(error), "See: \(next)")
        }
        guard document.members == Self.members(in: bytes) else {
            throw refused("a name appears twice in one object", "Remove one of them.")
        }
        return document.budget
    }

    /// How many members the objects of a document have: each has one colon that is in no text. Of equal names, the decoder keeps one.
    private static func members(in document: [UInt8]) -> Int {
        var (count, isInText, isEscaped) = (0, false, false)
        for byte in document {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInText.toggle()
            } else if isInText {
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: ":") {
                count += 1
            }
        }
        return count
    }

    private func refused(_ reason: String, _ next: String) -> ToolFailure {
        let text = "\(path): \(reason)" + (reason.hasSuffix(".") ? "" : ".")
        return ToolFailure(ExitStatus.unreadable, Printable.text(text) + "\n" + Printable.text(next))
    }
}

/// What a budget has that none may have, and a correction.
private struct BudgetFault: Error {
    let reason: String
    let next: String
}

/// The name of a field, or the key of a view.
private struct BudgetField: CodingKey {
    static let version = BudgetField(stringValue: "version")
    static let total = BudgetField(stringValue: "total")
    static let views = BudgetField(stringValue: "views")

    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { return nil }

    /// The fields of an object. Throws for one that is not known: a limit that is misspelled would limit nothing.
    static func all(
        of decoder: any Decoder, _ what: String, known: [String]
    ) throws -> KeyedDecodingContainer<BudgetField> {
        let fields = try decoder.container(keyedBy: BudgetField.self)
        if let other = fields.allKeys.map(\.stringValue).sorted().first(where: { !known.contains($0) }) {
            let near = NearName.find(other, among: known, limit: 1).first.map { "Did you mean \"\($0)\"? " } ?? ""
            let path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
            throw BudgetFault(
                reason: "\(what) has no field \"\(other)\"" + (path.isEmpty ? "" : " in \(path)"),
                next: near + "There are: \(Counted.list(known.map { "\"\($0)\"" }))")
        }
        return fields
    }

    /// Its value as a limit. Of a number that does not fit, the decoder says that the whole document is no JSON.
    func limit(in fields: KeyedDecodingContainer<BudgetField>) throws -> UInt64 {
        if let number = try? fields.decode(UInt64.self, forKey: self) { return number }
        let place = (fields.codingPath.map(\.stringValue) + [stringValue]).joined(separator: ".")
        throw BudgetFault(
            reason: "\"\(place)\" is not a whole number from 0 to \(UInt64.max)",
            next: "To remove the limit, remove the field.")
    }
}

private struct BudgetDocument: Decodable {
    var budget = Budget()
    /// How many members its objects have.
    var members = 0

    init(from decoder: any Decoder) throws {
        let fields = try BudgetField.all(of: decoder, "the budget", known: ["version", "total", "views"])
        members = fields.allKeys.count
        guard fields.contains(.version) else {
            throw BudgetFault(reason: "\"version\" is missing", next: "Add: \"version\": \(Budget.currentVersion)")
        }
        guard (try? fields.decode(Int.self, forKey: .version)) == Budget.currentVersion else {
            throw BudgetFault(
                reason: "its version is not \(Budget.currentVersion)",
                next: "Use the rerenderctl that wrote it, or create it again: rerenderctl check --update")
        }
        if fields.contains(.total) {
            let total = try fields.decode(ReadLimits.self, forKey: .total)
            (budget.total, members) = (total.limits, members + total.members)
        }
        if fields.contains(.views) { try read(fields.nestedContainer(keyedBy: BudgetField.self, forKey: .views)) }
    }

    private mutating func read(_ views: KeyedDecodingContainer<BudgetField>) throws {
        members += views.allKeys.count
        var keys: Set<ViewKey> = []
        for name in views.allKeys {
            let text = name.stringValue
            guard let pattern = KeyPattern(text) else {
                throw BudgetFault(
                    reason: "\"\(text)\" ends with a single \\",
                    next: #"Write a backslash in a key twice, in JSON as "\\\\"."#)
            }
            // The same key can be written in two ways, with and without a needless backslash.
            if let key = pattern.key, !keys.insert(key).inserted {
                throw BudgetFault(
                    reason: "\"\(key.rawValue)\" has two entries, one with a needless backslash",
                    next: "Remove one of them.")
            }
            let view = try views.decode(ReadLimits.self, forKey: name)
            members += view.members
            budget.views.append(Budget.Line(pattern: pattern, limits: view.limits, note: view.note))
        }
        budget.views.sort { $0.pattern < $1.pattern }
    }
}

/// The limits of the total, or of a view, as they are decoded.
private struct ReadLimits: Decodable {
    var limits = Budget.Limits()
    var note: String?
    /// How many members its object has.
    let members: Int

    private static let time = "bodyP95Nanoseconds"
    private static let note = "note"

    init(from decoder: any Decoder) throws {
        // The total has no time: a percentile over all views would say nothing. No view has what a main loop does.
        let isTotal = decoder.codingPath.count == 1
        let known =
            Measure.ofViews.map(\.rawValue) + (isTotal ? Measure.withoutInput.map(\.rawValue) : [Self.time, Self.note])
        let fields = try BudgetField.all(of: decoder, isTotal ? "\"total\"" : "a view", known: known)
        members = fields.allKeys.count
        for name in fields.allKeys {
            if let measure = Measure(rawValue: name.stringValue) {
                limits.most[measure] = try name.limit(in: fields)
            } else if name.stringValue == Self.time {
                limits.bodyP95Nanoseconds = try name.limit(in: fields)
            } else {
                note = try fields.decode(String.self, forKey: name)
            }
        }
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
