// SPDX-License-Identifier: MIT
// What is on the screen: layers whose changes become visible with a commit.

/// What a layer shows.
public enum LayerContent: Hashable, Sendable {
    /// Nothing; the sublayers may.
    case none
    /// Characters, in lines.
    case text(String)
    /// A colour over the whole layer.
    case fill(Color)
    /// A line along the edges, so many points thick. In character cells every line is one cell.
    case border(Color, points: Int)
    /// The font of text in the layer; nil for the renderer's own.
    case font(Font?)
    /// What text in the layer is drawn with.
    case foreground(Color)
    /// A control that the renderer draws itself, with the sublayers as its label. Only for a renderer that can.
    case control(ControlFace)
}

/// The values of a layer.
public struct LayerValues: Hashable {
    /// What it shows.
    public internal(set) var content = LayerContent.none
    /// Where it is, from the top left corner of the layer that it is in.
    public internal(set) var frame = CellRect.zero
    /// How much of it covers what is below: 0 nothing, 1 all.
    public internal(set) var opacity: Float = 1
    /// Whether nothing of the sublayers is seen outside of the frame.
    public internal(set) var clipsSublayers = false
    /// Further in front at the end.
    public internal(set) var sublayers: [Layer] = []
}

@available(*, unavailable)
extension LayerValues: Sendable {}

/// A rectangle that shows something, and the layers in it.
///
/// Its properties are set at any time on the main actor; ``committed`` is what the renderers know. The arrays of
/// sublayers of both share their storage.
@MainActor
public final class Layer {
    /// The values of the last commit.
    public private(set) var committed = LayerValues()
    private(set) var values = LayerValues()

    // Proof: each is nil once the node is unmounted, which comes before any of the three can go; see ``detach()``.
    private unowned(unsafe) var tree: LayerTree?
    private unowned(unsafe) var node: (any LayerOwner)?
    private unowned(unsafe) var superlayer: Layer?
    private var isChanged = false
    /// False once the node is gone.
    private(set) var isAttached = true

    // What the layout knows; see LayoutPass.
    var measuredSize = CellSize.zero
    var proposal = ProposedSize.ideal
    private(set) var depth: UInt32 = 0
    // How far the layer takes up space that is left, in little room; see LayerGrowth.
    private var growthWidth: UInt32 = 0
    private var growthHeight: UInt32 = 0
    /// Which of the sublayers the node's own content is; others are attached to it.
    var contentRange: Range<Int> = 0..<0
    var isMeasured = false
    var needsSublayers = false
    var needsArranging = true
    var isWaiting = false
    /// Whether the layer, or one that is or was in it, is followed; see LayerFollower. Beside the others, to save room.
    var isFollowed = false
    var hasMoved = false
    var follower: (@MainActor (Layer) -> Void)?
    var resized: [Layer] = []

    /// How the layer finds its size and places its sublayers.
    public var layout = LayerLayout.leaf {
        didSet {
            guard layout != oldValue, let tree = unsafe tree else { return }
            tree.layout.insert(self)
            rearrangeJoints(tree.layout)
            // The layers inside move, and this layer's node caused that.
            if tree.recordsOwners { tree.commits.insert(rearranged: self) }
        }
    }

    /// Makes a layer; without an owner it takes part neither in the layout nor in what views are said to draw.
    init(owner: (any LayerOwner)?, showing content: LayerContent = .none) {
        unsafe node = owner
        values.content = content
    }

    /// Puts the layer into a tree and reports changes to it from now on.
    func attach(to tree: LayerTree) { unsafe self.tree = tree }

    /// Ends all references when the node or the loop goes.
    func detach() {
        isAttached = false
        unsafe tree = nil
        unsafe node = nil
        unsafe superlayer = nil
    }

    /// What the layer shows.
    public var content: LayerContent {
        get { values.content }
        set {
            guard values.content != newValue else { return }
            let old = values.content
            values.content = newValue
            changed()
            guard let tree = unsafe tree, old.changesSize(to: newValue, isMeasured: tree.metrics == nil) else { return }
            tree.layout.insert(self)
            if tree.metrics != nil, newValue.isFont { remeasureTexts(tree.layout) }
        }
    }

    /// How much of the layer covers what is below: 0 (or less, or no number) nothing, 1 (or more) all.
    public var opacity: Float {
        get { values.opacity }
        set {
            // No number equals none, which would be a change each time.
            let opacity = newValue > 0 ? min(newValue, 1) : 0
            guard values.opacity != opacity else { return }
            values.opacity = opacity
            changed()
        }
    }

    /// Whether nothing of the sublayers is seen outside of the layer.
    public var clipsSublayers: Bool {
        get { values.clipsSublayers }
        set {
            guard values.clipsSublayers != newValue else { return }
            values.clipsSublayers = newValue
            changed()
        }
    }

    /// Where the layer is, from the top left corner of the layer that it is in. The layout sets it.
    public internal(set) var frame: CellRect {
        get { values.frame }
        set {
            guard values.frame != newValue else { return }
            values.frame = newValue
            changed()
            if isFollowed { unsafe tree?.layout.moved(self) }
        }
    }

    /// The layers in this one; further in front at the end.
    public internal(set) var sublayers: [Layer] {
        get { values.sublayers }
        set {
            for layer in newValue {
                unsafe layer.superlayer = self
                if layer.depth != depth + 1 { layer.setDepth(depth + 1) }
                if layer.isFollowed { markFollowed() }
            }
            guard !values.sublayers.elementsEqual(newValue, by: ===) else { return }
            values.sublayers = newValue
            changed()
        }
    }

    /// Where the layer is on the screen. As many steps as layers are above.
    public var screenFrame: CellRect {
        var frame = values.frame
        for layer in sequence(first: self, next: \.outer).dropFirst() {
            frame.origin = frame.origin + layer.values.frame.origin
        }
        return frame
    }

    /// How far the layer takes up space that is left.
    var growth: CellSize {
        get { CellSize(width: Int(growthWidth), height: Int(growthHeight)) }
        set { (growthWidth, growthHeight) = (UInt32(newValue.width), UInt32(newValue.height)) }
    }

    private func setDepth(_ new: UInt32) {
        depth = new
        for layer in values.sublayers { layer.setDepth(new + 1) }
    }

    private func changed() {
        guard !isChanged else { return }
        isChanged = true
        unsafe tree?.changed(self)
    }

    /// Makes the values those that renderers know; nil if they are the same.
    func commit() -> LayerChange? {
        isChanged = false
        guard committed != values else { return nil }
        let old = committed
        committed = values
        return LayerChange(layer: self, old: old)
    }

    /// Whether nothing of it is seen, as of the last commit: then it takes no input.
    var isTransparent: Bool { committed.opacity <= 0 }
    var outer: Layer? { unsafe superlayer }
    /// What made the layer, while it is there.
    var owner: (any LayerOwner)? { unsafe node }
    /// The tree that the layer is in, while it is there.
    var owningTree: LayerTree? { unsafe tree }
}

extension Layer: Hashable {
    /// The same layer.
    public nonisolated static func == (lhs: Layer, rhs: Layer) -> Bool { lhs === rhs }
    /// By identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LayerContent {
    /// - Parameter isMeasured: Whether the size of a text can be told here, because its characters are cells.
    fileprivate func changesSize(to other: LayerContent, isMeasured: Bool) -> Bool {
        switch (self, other) {
        case (.text(let old), .text(let new)):
            !isMeasured || TextMetrics.size(of: old) != TextMetrics.size(of: new)
        case (.foreground, .foreground), (.control, .control): false
        default: true
        }
    }

    fileprivate var isFont: Bool {
        switch self {
        case .font: true
        default: false
        }
    }
}
