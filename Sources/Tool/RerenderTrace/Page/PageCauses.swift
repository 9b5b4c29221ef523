// SPDX-License-Identifier: MIT
// The graph of causes, made of the report's trees: a view that several causes reach is one node.

internal import RerenderModel

/// Joins trees of causes.
struct PageCauses {
    private struct Edge: Hashable {
        let from: Int
        let to: Int
    }

    private(set) var causes: [ReportPage.Cause] = []
    private var inside: [Edge: UInt64] = [:]

    init(_ report: TraceReport, _ views: inout PageViews) {
        for process in report.causes {
            for cause in process.causes { add(cause, pid: process.pid, &views) }
        }
    }

    /// Views with the views inside them that they caused, most evaluations first.
    var parents: [ReportPage.Parent] {
        inside.map { ReportPage.Parent(parent: $0.key.from, child: $0.key.to, count: $0.value) }.sorted {
            $0.count != $1.count ? $0.count > $1.count : ($0.parent, $0.child) < ($1.parent, $1.child)
        }
    }

    private mutating func add(_ cause: CauseNode, pid: Int32, _ views: inout PageViews) {
        let reached = effects(of: cause, pid: pid, &views)
        causes.append(
            ReportPage.Cause(
                name: Printable.text(cause.text), process: views.place(ofProcess: pid),
                evaluations: cause.evaluations,
                writers: cause.writers.map(\.printable), views: reached))
    }

    /// The views that a cause or a view reached next; counts those inside them.
    private mutating func effects(of node: CauseNode, pid: Int32, _ views: inout PageViews) -> [ReportPage.Effect] {
        node.views.compactMap { child in
            let view = views.place(of: child.text, pid: pid)
            for effect in effects(of: child, pid: pid, &views) {
                inside[Edge(from: view, to: effect.view), default: 0] &+= effect.count
            }
            return child.evaluations > 0 ? ReportPage.Effect(view: view, count: child.evaluations) : nil
        }
    }
}
