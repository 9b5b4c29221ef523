// SPDX-License-Identifier: MIT
// Scripts in the analyses. Trace Compass runs each in an engine of its own, which takes milliseconds: so a script runs once
// for each distinct text, and what it gives is kept as a state.

/// JavaScript for Trace Compass's engine, Rhino. No `&`, `<` or `"`: the scripts stand in XML as they are.
enum AnalysisScript {
    /// Trace Compass reads texts byte by byte. This makes UTF-8 of the bytes; of what is not UTF-8 it leaves the ASCII, and
    /// writes the bytes as numbers.
    private static let decoded = """
        (function (t) { try { return decodeURIComponent(escape(t)) } catch (e) { return (\(ascii))(t) } })
        """

    /// Writes what is not ASCII as Swift does in a literal, `\\u{e9}`: a table's engine stops at such characters. Two
    /// different texts stay different.
    private static let ascii = """
        function (t) { return t.replace(/[\\ud800-\\udbff][\\udc00-\\udfff]|[^ -~]/g, function (c) { \
        return '\\\\u{' + (c.length == 1 ? c.charCodeAt(0) : (c.charCodeAt(0) - 55296) * 1024 + c.charCodeAt(1) + 9216)\
        .toString(16) + '}' }) }
        """

    /// The text `t`; `none` where it is one space, which stands for none.
    static func text(none: String) -> String { "String(t) == ' ' ? '\(none)' : \(decoded)(String(t))" }

    /// The text `t` with a space behind it: the flame views take a name for a hexadecimal number if it reads as one.
    static let name = "\(decoded)(String(t)) + ' '"

    /// The text `t`, in ASCII; `(none)` where it is one space.
    static let asciiText = "String(t) == ' ' ? '(none)' : (\(ascii))(\(decoded)(String(t)))"

    /// The view `t` of the process `pid`, in ASCII. The number tells two processes apart that have the same views.
    static let viewOfProcess = """
        (String(t) == ' ' ? '(no view)' : (\(ascii))(\(decoded)(String(t)))) + ' [' + pid + ']'
        """

    /// The process or thread `id`, of which no name is known.
    static func unnamed(_ kind: String) -> String { "'\(kind) ' + id" }

    /// The process or thread `id` with the name `t`.
    static let named = "\(decoded)(String(t)) + '[' + id + ']'"

    /// When a hang began, by its end and its length. JavaScript's numbers are good to some hundred nanoseconds here.
    static let beginning = "end - length"
}
