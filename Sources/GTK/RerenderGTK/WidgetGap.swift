// SPDX-License-Identifier: MIT
// What is said of widgets that may not be counted.

/// Why widgets may not be counted.
enum WidgetGap {
    /// None are counted, for this reason.
    case refused(String)
    /// There was no room for the functions of their classes.
    case noRoom
    /// Other code has put so many functions into classes; the first of them by name.
    case replaced(Int, names: [String])

    /// What tells it from others.
    var cause: String {
        switch self {
        case .refused: "refused"
        case .noRoom: "no room"
        case .replaced: "replaced"
        }
    }

    /// What may be missing, and why.
    var sentence: String {
        switch self {
        case .refused(let why): return "the widgets are not counted: \(why)"
        case .noRoom:
            return "some widgets are not counted: no more than 256 functions of one kind can be replaced"
        case .replaced(let count, let names):
            let (functions, were) = count == 1 ? ("1 function", "was") : ("\(count) functions", "were")
            let others = count > names.count ? ", …" : ""
            return
                "\(functions) of widgets' classes \(were) replaced by other code, which rerender leaves there, and some of their "
                + "runs may not be counted: \(names.joined(separator: ", "))\(others)"
        }
    }
}
