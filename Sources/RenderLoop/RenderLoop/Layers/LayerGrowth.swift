// SPDX-License-Identifier: MIT
// Which layers take up space that a stack has left, and how much of it each gets.

extension Layer {
    /// How far the layer takes up space that is left, each way; nothing where its size follows from its content.
    ///
    /// It follows from the layouts of the layer and of those in it, and not from sizes.
    var currentGrowth: CellSize {
        switch layout {
        case .fill: .zero
        case .leaf, .overlaid, .joined, .padding, .offset, .attached: contentGrowth(along: joint?.axis)
        case .stack(let axis, _, _): contentGrowth(along: axis)
        case .frame(let width, let height, _):
            contentGrowth(along: joint?.axis).keeping(width: width == nil, height: height == nil)
        case .limits(let width, let height, _):
            contentGrowth(along: joint?.axis).limited(width: width.max, height: height.max)
        case .spacer: stackAxis.map { CellSize.all(along: $0) } ?? .all
        case .custom(let custom): custom.growth(of: self)
        }
    }

    /// The layers of the content together.
    func contentGrowth(along axis: Axis?) -> CellSize {
        var growth = CellSize.zero
        for layer in contentLayers where layer.growth != .zero {
            growth = growth.joined(with: layer.growth, along: axis)
        }
        return growth
    }

    /// The direction of the stack that the layer is a part of; nil where none is around it.
    var stackAxis: Axis? {
        var inner = self
        while let layer = inner.outer {
            switch layer.layout {
            case .stack(let axis, _, _): return axis
            case .overlaid, .fill, .custom, .spacer: return nil
            case .attached where !layer.isContent(inner): return nil
            case .attached, .joined, .leaf, .padding, .frame, .limits, .offset: inner = layer
            }
        }
        return nil
    }

    /// Proposes equal parts of the space that is left to layers that take it up, those with the least use for it first.
    ///
    /// Calls with the size of each.
    func share(
        _ space: Int, among layers: [Layer], along axis: Axis, _ proposal: ProposedSize, _ take: (CellSize) -> Void
    ) {
        let order = layers.enumerated().sorted {
            ($0.element.growth.along(axis), $0.offset) < ($1.element.growth.along(axis), $1.offset)
        }
        var left = max(0, space)
        for (index, (_, layer)) in order.enumerated() {
            let size = layer.measure(proposal.with(left / (order.count - index), along: axis))
            left = max(0, left - size.along(axis))
            take(size)
        }
    }
}

extension CellSize {
    /// As much as there can be.
    fileprivate static var all: CellSize { CellSize(width: .max, height: .max) }

    fileprivate static func all(along axis: Axis) -> CellSize {
        axis == .horizontal ? CellSize(width: .max, height: 0) : CellSize(width: 0, height: .max)
    }

    fileprivate func keeping(width keepsWidth: Bool, height keepsHeight: Bool) -> CellSize {
        CellSize(width: keepsWidth ? width : 0, height: keepsHeight ? height : 0)
    }

    fileprivate func limited(width: Int?, height: Int?) -> CellSize {
        CellSize(width: width ?? self.width, height: height ?? self.height)
    }

    /// One after the other along the axis, side by side across it.
    fileprivate func joined(with other: CellSize, along axis: Axis?) -> CellSize {
        CellSize(
            width: axis == .horizontal ? width + other.width : max(width, other.width),
            height: axis == .vertical ? height + other.height : max(height, other.height))
    }
}

extension ProposedSize {
    fileprivate func with(_ length: Int, along axis: Axis) -> ProposedSize {
        axis == .horizontal ? ProposedSize(width: length, height: height) : ProposedSize(width: width, height: length)
    }
}
