// SPDX-License-Identifier: MIT
// What can be wrong with the end of an interval, decided without side effects.

/// The mistakes an end can make, most telling first.
enum EndCheck: Equatable {
    case fine
    case endedTwice
    case otherSignposter
    case otherName(began: String, ended: String)
    case exclusiveAcrossProcesses

    /// What is known of an interval when it ends.
    struct Facts {
        var isFirstEnd: Bool
        var isSameSignposter: Bool
        var beginName: String
        var endName: String
        var isExclusive: Bool
        var isFromOtherProcess: Bool
    }

    init(_ facts: Facts) {
        self =
            if !facts.isFirstEnd {
                .endedTwice
            } else if !facts.isSameSignposter {
                .otherSignposter
            } else if facts.beginName != facts.endName {
                .otherName(began: facts.beginName, ended: facts.endName)
            } else if facts.isExclusive && facts.isFromOtherProcess {
                .exclusiveAcrossProcesses
            } else {
                .fine
            }
    }

    /// The text for the developer, nil if all is well.
    var complaint: String? {
        switch self {
        case .fine: nil
        case .endedTwice: "signpost interval ended twice"
        case .otherSignposter: "signpost interval ended by another signposter than the one that began it"
        case .otherName(let began, let ended): "signpost interval \"\(began)\" ended as \"\(ended)\""
        case .exclusiveAcrossProcesses: "signpost interval with the exclusive id ended in another process"
        }
    }

    /// The message of the closing event: the complaint before what the caller said.
    func message(_ message: String) -> String {
        guard let complaint else { return message }
        return message.isEmpty ? "error: \(complaint)" : "error: \(complaint); \(message)"
    }
}
