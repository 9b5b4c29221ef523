// SPDX-License-Identifier: MIT
// Sizes and places of one layer and those in it.

extension Layer {
    /// Takes the layers that stand for the node's content.
    func collectSublayers() {
        var list: [Layer] = []
        contentRange = owner?.collectSublayers(into: &list) ?? 0..<0
        resized.removeAll()
        sublayers = list
    }

    /// The size for a proposal; what was measured last if that was for the same and still holds.
    public func measure(_ proposal: ProposedSize) -> CellSize {
        if isMeasured, !isWaiting, proposal == self.proposal { return measuredSize }
        // What is in it may have another size even where it has not itself.
        if proposal != self.proposal { needsArranging = true }
        self.proposal = proposal
        isMeasured = true
        measuredSize = size(for: proposal)
        return measuredSize
    }

    /// Puts the layer somewhere in the layer that it is in.
    public func place(at origin: CellPoint, size: CellSize) {
        let isResized = frame.size != size
        frame = CellRect(origin: origin, size: size)
        if isResized || needsArranging {
            needsArranging = false
            placeSublayers()
        }
    }

    /// The layers that decide the size.
    var contentLayers: ArraySlice<Layer> { sublayers[contentRange] }

    /// Whether a sublayer is of the content and not attached to it.
    func isContent(_ layer: Layer) -> Bool { contentLayers.contains { $0 === layer } }

    // MARK: Sizes

    func size(for proposal: ProposedSize) -> CellSize {
        switch layout {
        case .leaf: leafSize(proposal)
        case .fill: CellSize(width: proposal.width ?? 1, height: proposal.height ?? 1)
        case .stack(let axis, let spacing, _): stackSize(axis, spacing, proposal)
        case .overlaid: largest(proposal)
        case .joined: faceSize(contentSize(proposal))
        case .offset, .attached: contentSize(proposal)
        case .padding(let insets):
            contentSize(proposal.inset(by: insets)).grown(by: insets)
        case .frame(let width, let height, _): frameSize(width, height, proposal)
        case .limits(let width, let height, _): limitedSize(width, height, proposal)
        case .spacer(let length): spacerSize(length, proposal)
        case .custom(let custom): custom.size(of: self, proposal)
        }
    }

    private func leafSize(_ proposal: ProposedSize) -> CellSize {
        switch content {
        case .text(let text): textSize(text)
        case .fill: CellSize(width: proposal.width ?? 1, height: proposal.height ?? 1)
        case .none, .border, .font, .foreground: contentSize(proposal)
        case .control: faceSize(contentSize(proposal))
        }
    }

    private func limitedSize(_ width: LengthLimits, _ height: LengthLimits, _ proposal: ProposedSize) -> CellSize {
        let content = contentSize(
            ProposedSize(width: width.offer(proposal.width), height: height.offer(proposal.height)))
        return CellSize(
            width: width.length(around: content.width, proposed: proposal.width),
            height: height.length(around: content.height, proposed: proposal.height))
    }

    private func spacerSize(_ length: Int, _ proposal: ProposedSize) -> CellSize {
        let width = max(length, proposal.width ?? 0)
        let height = max(length, proposal.height ?? 0)
        return switch stackAxis {
        case .horizontal: CellSize(width: width, height: 0)
        case .vertical: CellSize(width: 0, height: height)
        case nil: CellSize(width: width, height: height)
        }
    }

    private func contentSize(_ proposal: ProposedSize) -> CellSize {
        guard let joint else { return largest(proposal) }
        return stackSize(joint.axis, joint.spacing, proposal)
    }

    private func largest(_ proposal: ProposedSize) -> CellSize {
        var largest = CellSize.zero
        for layer in contentLayers {
            let size = layer.measure(proposal)
            largest.width = max(largest.width, size.width)
            largest.height = max(largest.height, size.height)
        }
        return largest
    }

    private func frameSize(_ width: Int?, _ height: Int?, _ proposal: ProposedSize) -> CellSize {
        let content = contentSize(ProposedSize(width: width ?? proposal.width, height: height ?? proposal.height))
        return CellSize(width: width ?? content.width, height: height ?? content.height)
    }

    private func stackSize(_ axis: Axis, _ spacing: Int, _ proposal: ProposedSize) -> CellSize {
        let layers = contentLayers
        var main = CellLimit.place(spacing) * max(0, layers.count - 1)
        var cross = 0
        let inside = proposal.across(axis)
        let space = proposal.length(along: axis)
        var growing: [Layer] = []
        func take(_ size: CellSize) {
            main += size.along(axis)
            cross = max(cross, size.across(axis))
        }
        for layer in layers {
            if space != nil, layer.growth.along(axis) > 0 { growing.append(layer) } else { take(layer.measure(inside)) }
        }
        if let space, !growing.isEmpty { share(space - main, among: growing, along: axis, proposal, take) }
        return CellSize(along: axis, main, across: cross)
    }

    // MARK: Places

    func placeSublayers() {
        let size = frame.size
        switch layout {
        case .leaf: placeContent(Alignment.topLeading, in: size)
        case .fill: placeOverlaid(.topLeading, in: size)
        case .stack(let axis, let spacing, let position):
            placeStack(Joint(axis: axis, spacing: spacing, position: position), across: size.across(axis))
        case .overlaid(let alignment): placeOverlaid(alignment, in: size)
        case .joined(let alignment), .frame(_, _, let alignment), .limits(_, _, let alignment):
            placeContent(alignment, in: size)
        case .spacer: break
        case .padding(let insets):
            placeContent(.topLeading, in: size.shrunk(by: insets), at: CellPoint(x: insets.leading, y: insets.top))
        case .offset(let x, let y): placeContent(.topLeading, in: size, at: CellPoint(x: x, y: y))
        case .attached(let alignment):
            placeContent(.center, in: size)
            placeAttached(alignment, in: size)
        case .custom(let custom): custom.place(self)
        }
    }

    private func placeContent(_ alignment: Alignment, in space: CellSize, at corner: CellPoint = .zero) {
        guard let joint else { return placeOverlaid(alignment, in: space, at: corner) }
        let sizes = contentLayers.map { $0.measure($0.proposal) }
        let gaps = CellLimit.place(joint.spacing) * (sizes.count - 1)
        let whole = CellSize(
            along: joint.axis, sizes.reduce(gaps) { $0 + $1.along(joint.axis) },
            across: sizes.map { $0.across(joint.axis) }.max() ?? 0)
        placeStack(joint, across: whole.across(joint.axis), from: alignment.origin(of: whole, in: space) + corner)
    }

    private func placeStack(_ joint: Joint, across space: Int, from origin: CellPoint = .zero) {
        var main = 0
        for layer in contentLayers {
            let size = layer.measure(layer.proposal)
            let across = joint.position.offset(size.across(joint.axis), in: space)
            layer.place(at: origin + CellPoint(along: joint.axis, main, across: across), size: size)
            main += size.along(joint.axis) + CellLimit.place(joint.spacing)
        }
    }

    private func placeOverlaid(_ alignment: Alignment, in space: CellSize, at corner: CellPoint = .zero) {
        for layer in contentLayers { layer.place(alignment, layer.measure(layer.proposal), in: space, at: corner) }
    }

    private func placeAttached(_ alignment: Alignment, in space: CellSize) {
        for (index, layer) in sublayers.enumerated() where !contentRange.contains(index) {
            layer.place(alignment, layer.measure(ProposedSize(space)), in: space)
        }
    }

    private func place(_ alignment: Alignment, _ size: CellSize, in space: CellSize, at corner: CellPoint = .zero) {
        place(at: alignment.origin(of: size, in: space) + corner, size: size)
    }

    /// Takes up new sizes of layers in a stack where nothing but they themselves are affected; false if that is not so.
    func absorb(_ resized: [Layer]) -> Bool {
        guard case .stack(let axis, _, let position) = layout else { return false }
        let widest = measuredSize.across(axis)
        for layer in resized {
            let (old, new) = (layer.frame.size, layer.measuredSize)
            guard layer.outer === self, old.along(axis) == new.along(axis), new.across(axis) <= widest,
                old.across(axis) < widest || new.across(axis) == widest
            else { return false }
        }
        let space = frame.size.across(axis)
        for layer in resized {
            let size = layer.measuredSize
            let across = position.offset(size.across(axis), in: space)
            layer.place(
                at: CellPoint(along: axis, layer.frame.origin.along(axis), across: across), size: size)
        }
        return true
    }
}

extension CellSize {
    fileprivate init(along axis: Axis, _ main: Int, across: Int) {
        self = axis == .horizontal ? CellSize(width: main, height: across) : CellSize(width: across, height: main)
    }

    func along(_ axis: Axis) -> Int { axis == .horizontal ? width : height }
    fileprivate func across(_ axis: Axis) -> Int { axis == .horizontal ? height : width }

    fileprivate func grown(by insets: EdgeInsets) -> CellSize {
        CellSize(width: width + insets.leading + insets.trailing, height: height + insets.top + insets.bottom)
    }

    fileprivate func shrunk(by insets: EdgeInsets) -> CellSize {
        CellSize(width: width - insets.leading - insets.trailing, height: height - insets.top - insets.bottom)
    }
}

extension CellPoint {
    fileprivate init(along axis: Axis, _ main: Int, across: Int) {
        self = axis == .horizontal ? CellPoint(x: main, y: across) : CellPoint(x: across, y: main)
    }

    fileprivate func along(_ axis: Axis) -> Int { axis == .horizontal ? x : y }
}

extension ProposedSize {
    func length(along axis: Axis) -> Int? { axis == .horizontal ? width : height }

    /// What a stack proposes: its own extent across, nothing along.
    fileprivate func across(_ axis: Axis) -> ProposedSize {
        axis == .horizontal ? ProposedSize(width: nil, height: height) : ProposedSize(width: width, height: nil)
    }
}
