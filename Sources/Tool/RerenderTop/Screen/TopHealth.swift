// SPDX-License-Identifier: MIT
// Whether a view needs attention.

import RerenderPresentation
import RerenderToolBase

/// What is wrong with a view; rows with nothing wrong are dim.
struct TopHealth: Hashable, Sendable {
    /// More than half of its updates were not needed.
    let isWasteful: Bool
    /// How its average time in the body is marked.
    let time: Style
    let hasHung: Bool

    init(_ view: Stats, isHanging: Bool = false) {
        isWasteful = view.updates > 1 && view.wasted.count > view.updates / 2
        time = Style.bodyTime(view.body.averageNanoseconds)
        hasHung = isHanging || view.hangs.count > 0
    }

    var isFine: Bool { !isWasteful && time == .plain && !hasHung }
}

extension TopStyle {
    /// The style of the tables, here.
    init(_ style: Style) {
        switch style {
        case .plain, .good: self = .plain
        case .bold: self = .bold
        case .dim: self = .dim
        case .notice: self = .notice
        case .bad: self = .bad
        }
    }
}
