// SPDX-License-Identifier: MIT
// The layout of a list's rows.

/// Lays rows out from top to bottom, and tells how high they are.
final class RowsLayout: CustomLayerLayout {
    private let measured: @MainActor (_ heights: [Int], _ space: Int) -> Void

    init(_ measured: @escaping @MainActor ([Int], Int) -> Void) { self.measured = measured }

    override func size(of layer: Layer, _ proposal: ProposedSize) -> CellSize {
        let rows = layer.sublayers.map { $0.measure(ProposedSize(width: proposal.width, height: nil)).width }
        return CellSize(
            width: proposal.width ?? rows.max() ?? 0, height: proposal.height ?? List<EmptyView>.idealHeight)
    }

    override func place(_ layer: Layer) {
        var y = 0
        var heights: [Int] = []
        for row in layer.sublayers {
            let size = row.measure(row.proposal)
            row.place(at: CellPoint(x: 0, y: y), size: size)
            y += max(1, size.height)
            heights.append(size.height)
        }
        measured(heights, layer.frame.size.height)
    }
}
