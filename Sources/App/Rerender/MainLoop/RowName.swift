// SPDX-License-Identifier: MIT
// What a row of the main loop is called: the program's function, or else what else is known of the source.

import RerenderModel

/// What is known of a row's function.
enum RowFunction: Hashable, Sendable {
    /// One of the program or of a library, with its place where that is known.
    case known(String, place: String?)
    /// One of a library that calls what others give it, by what that library is called.
    case library(String)
    /// One without a name, in a file of that name.
    case nameless(file: String)
    /// In no file: made while the program runs.
    case generated

    /// - Parameters:
    ///   - file: The name of the file that has the function; nil for none.
    ///   - program: The name of the process's own file: an interpreter makes its functions as it runs.
    ///   - find: Finds the function's name and place. Called where the file has functions of the program.
    init(inFile file: String?, ofProgram program: String? = nil, find: () -> (name: String, place: String?)?) {
        guard let file else {
            self = program.flatMap { Self.library($0) }.map { .library($0) } ?? .generated
            return
        }
        if let library = Self.library(file) {
            self = .library(library)
        } else if let found = find() {
            self = .known(found.name, place: found.place)
        } else {
            self = .nameless(file: file)
        }
    }

    /// Files whose functions call those of programs, by how their names begin, and how programs call them.
    private static let libraries: [(prefix: String, name: String)] = [
        ("libglib-2.0.", "GLib"), ("libgobject-2.0.", "GLib"), ("libgmodule-2.0.", "GLib"), ("libgthread-2.0.", "GLib"),
        ("libgio-2.0.", "GIO"), ("libgtk-4.", "GTK"), ("libgtk-3.", "GTK"), ("libgtk-x11-2.0.", "GTK"),
        ("libgdk-3.", "GTK"), ("libgdk-x11-2.0.", "GTK"), ("libadwaita-1.", "libadwaita"),
        ("libgjs.", "JavaScript"), ("gjs", "JavaScript"), ("libmozjs", "JavaScript"),
        ("libjavascriptcoregtk", "JavaScript"),
        ("libpython", "Python"), ("python3", "Python"), ("_gi.", "Python"), ("_ctypes.", "Python"),
        ("_cffi_backend.", "Python"),
        ("libglibmm-", "C++"), ("libgiomm-", "C++"), ("libgtkmm-", "C++"), ("libgdkmm-", "C++"), ("libsigc-", "C++"),
        ("libperl.", "Perl"), ("Glib.so", "Perl"), ("libruby", "Ruby"), ("glib2.so", "Ruby"),
        ("corelgilua", "Lua"), ("libglibsharpglue", "C#"), ("libmonosgen", "C#"), ("libcoreclr.", "C#"),
        ("libjvm.", "Java"),
        ("libgirepository-", "a language binding"), ("libffi.", "a language binding"),
        ("libFoundation.so", "Foundation"), ("libdispatch.so", "Dispatch"),
    ]

    private static func library(_ file: String) -> String? {
        libraries.first { file.hasPrefix($0.prefix) }?.name
    }

    /// Whether a file's functions call those of programs.
    static func isLibrary(_ file: String) -> Bool { library(file) != nil }

    /// Whether it is of a library that calls functions of the program which only a look at its stack tells. What a toolkit does in its own
    /// sources is mostly its own, and frames have rows of their own.
    var callsOthers: Bool {
        guard case .library(let name) = self else { return false }
        return name != "GTK" && name != "libadwaita"
    }
}

/// The texts of a row.
struct RowName: Hashable, Sendable {
    let name: String
    let place: String?
    /// What a source with functions of its own is called, where the name is the function, and what a library's is that calls one; nil for
    /// others.
    let source: String?

    /// - Parameters:
    ///   - source: What GLib or its user calls the source; of a run loop what it is: `timer`. Empty for nothing.
    ///   - interval: Of a timer, in nanoseconds; 0 where it is not known.
    ///   - callee: The function of the program that a library's source calls, by samples, with words behind the source for how much of it
    ///     that is; nil where that is not known.
    init(
        _ kind: LoopRow.Kind, _ function: RowFunction, source: String, interval: UInt64,
        callee: (function: RowFunction, part: String)? = nil
    ) {
        let words = Self.words(kind, source) + Self.owner(function) + Self.every(kind, interval)
        // A run loop's sources have no names of their own, and neither have handlers. What GLib calls all of a kind says nothing.
        let hasName = !source.isEmpty && !Self.generic.contains(source) && ![.runLoop, .handler, .tick].contains(kind)
        switch function {
        case .known(let name, let place):
            (self.name, self.place, self.source) = (name, place, kind == .source && hasName ? source : nil)
        case .library(let library):
            let own = hasName ? Self.named(source, in: library) : words
            if function.callsOthers, let callee, case .known(let name, let place) = callee.function {
                (self.name, self.place, self.source) = (name, place, own + callee.part)
            } else {
                (name, place, self.source) = (own, nil, nil)
            }
        case .generated:
            (name, place, self.source) = (hasName ? Self.known[source] ?? source : words, nil, nil)
        case .nameless(let file):
            (name, place, self.source) = hasName ? (source, "in \(file)", nil) : (words, nil, nil)
        }
    }

    /// Of all for which there was no room.
    static let others = RowName(.others, .known("other sources", place: nil), source: "", interval: 0)

    private static let generic: Set = ["GIdleSource", "GTimeoutSource", "GUnixFDSource", "GIOChannel"]

    /// Names by which a language's binding and GIO call their own sources, and what runs in these.
    private static let known = [
        "GjsPromiseJobQueueSource": "promise jobs of JavaScript",
        "[gio] emit_signal_instance_in_idle_cb": "handlers of D-Bus signals",
        "[gio] call_in_idle_cb": "handlers of D-Bus calls",
    ]

    /// What a library's source is called. GIO gives those of its tasks the names of its own functions, which the program did not write.
    private static func named(_ source: String, in library: String) -> String {
        guard known[source] == nil, ["GLib", "GIO"].contains(library) else { return known[source] ?? source }
        let isType = source.hasPrefix("G") && source.dropFirst().first?.isUppercase == true
        guard isType || ["g_", "_g_"].contains(where: source.hasPrefix) else { return source }
        return "[\(library.lowercased())] \(source)"
    }

    private static func words(_ kind: LoopRow.Kind, _ source: String) -> String {
        switch kind {
        case .idle: "an idle function"
        case .runLoop: source.isEmpty ? "a source" : "a \(source)"
        case .timer, .descriptor, .source, .handler, .tick, .wakeup: "a \(kind.rawValue)"
        case .sampled: "a source"
        case .others: "other sources"
        }
    }

    private static func owner(_ function: RowFunction) -> String {
        switch function {
        case .library(let name): " of \(name)"
        case .nameless(let file): " in \(file)"
        case .known, .generated: ""
        }
    }

    /// ` (every 1,000 ms)`.
    private static func every(_ kind: LoopRow.Kind, _ interval: UInt64) -> String {
        guard interval > 0, kind == .timer || kind == .runLoop else { return "" }
        guard interval >= 1_000_000 else { return " (every \(interval / 1_000) µs)" }
        return " (every \(Counted.grouped(interval / 1_000_000 + (interval % 1_000_000 >= 500_000 ? 1 : 0))) ms)"
    }
}

// Which functions of the program a library calls in its own sources, as samples of stacks tell.

/// Adds up samples of the main loop's thread by the row whose function ran. Plain values; a lock guards them.
///
/// GIO calls the program's callbacks in functions of its own, so such a row has no function of the program. Samples tell which one it calls.
struct RowCallees {
    /// Fewer samples of a row say nothing. More than half of them name its function, and below nine of ten the name says that.
    private static let least = 5
    private static let mostFunctions = 8

    private struct Samples {
        var all = 0
        /// How many were in each function, with the place that was seen first.
        var functions: [String: (count: Int, function: RowFunction)] = [:]
    }

    /// By the rows' numbers: some ten.
    private var rows: [Int: Samples] = [:]

    /// A row's function ran.
    ///
    /// - Parameter callee: The function of the program that was called in it; nil where there was none, or it has no name.
    mutating func add(_ callee: RowFunction?, of row: Int) {
        rows[row, default: Samples()].all += 1
        guard let callee, let key = Self.key(callee) else { return }
        let (known, count) = (rows[row]?.functions[key], rows[row]?.functions.count ?? 0)
        guard known != nil || count < Self.mostFunctions else { return }
        rows[row]?.functions[key] = ((known?.count ?? 0) + 1, known?.function ?? callee)
    }

    /// The function that a row calls in most samples, and the words for how much of the row that is, where others or the library have a
    /// tenth; nil where samples are few, or none has most.
    func callee(of row: Int) -> (function: RowFunction, part: String)? {
        guard let samples = rows[row], samples.all >= Self.least,
            let most = samples.functions.values.first(where: { $0.count * 2 > samples.all })
        else { return nil }
        // No number, which would make another row of it each time.
        return (most.function, most.count * 10 >= samples.all * 9 ? "" : ", more than half of it")
    }

    /// The function and its file: the lines of samples in it differ.
    private static func key(_ function: RowFunction) -> String? {
        guard case .known(let name, let place) = function else { return nil }
        return "\(name) \(place.map { $0.prefix { $0 != ":" } } ?? "")"
    }
}
