// SPDX-License-Identifier: MIT
// The tools that colour views: a red flash over a view that is made again, and a background that changes with each evaluation.

/// Flashes whenever the view's value is made, the first time included.
struct CheckModifier: PrimitiveModifier {
    static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        CheckNode(view, in: context) { $0.content }
    }

    /// New values come to a node like this one whether or not they are equal.
    private final class CheckNode<Content: View>: ModifierNode<CheckModifier, Content> {
        override func didMount() {
            super.didMount()
            loop.tools.overlays.show(.flash, over: self)
        }

        override func viewDidChange(from old: ModifiedContent<Content, CheckModifier>) {
            super.viewDidChange(from: old)
            loop.tools.overlays.show(.flash, over: self)
        }
    }
}

extension View {
    /// Covers the view, or each of the views that it stands for, with red at 30 % opacity whenever it is initialised,
    /// fading out within 0.3 seconds.
    ///
    /// A view is initialised by the body that contains it, whether or not its own body is evaluated then. The flash takes
    /// part neither in the layout nor in input, and does not count as a change of a view. In a release build it is the view
    /// itself.
    public func checkForRender() -> some View {
        #if RERENDER_PROBES
            modifier(CheckModifier())
        #else
            self
        #endif
    }
}

/// Applies ``View/checkForRender()`` to each of its views.
///
///     RenderCheck {
///         Header()
///         ForEach(rows) { Row($0) }
///     }
///
/// Those are its subviews: of a `Group`, a `ForEach`, a branch or a body of several statements each one by itself. It
/// arranges nothing: around it they are so many views.
public struct RenderCheck<Content: View>: WrapperContent {
    private let checked: Content

    /// Checks each view of the content.
    public init(@ViewBuilder content: () -> Content) { checked = content() }

    /// Whether its content is one.
    public static var isOneView: Bool { Content.isOneView }

    var content: some View { checked.checkForRender() }
}

/// Each row is checked.
extension RenderCheck: RowContent {
    var rowCount: Int { content.rows.rowCount }
    func row(at index: Int) -> Row { content.rows.row(at: index) }
}

/// A colour that changes whenever the body that contains it is evaluated: `.background(.debug)`.
///
/// Its changes do not count as changes of a view. In a release build it draws nothing.
public struct DebugBackground: LayerView {
    /// The layer gets another colour.
    public func configure(_ layer: Layer) {
        layer.layout = .fill
        #if RERENDER_PROBES
            layer.isDiagnostic = true
            if let loop = (layer.owner as? Node)?.loop { layer.content = .fill(loop.tools.colors.next()) }
        #endif
    }
}

extension View where Self == DebugBackground {
    /// Another random colour after each evaluation.
    public static var debug: DebugBackground { DebugBackground() }
}

extension RenderLoop {
    /// Restarts the colours of `.background(.debug)` from a seed; 0 at first. The same seed and the same evaluations give the same
    /// colours.
    public func setDebugColors(seed: UInt64) { tools.colors = DebugColors(seed: seed) }
}

/// Random colours, never the same twice in a row (SplitMix64).
struct DebugColors {
    private var state: UInt64
    private var last = ""
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    init(seed: UInt64) { state = seed }

    mutating func next() -> Color {
        let bits = nextBits()
        // Each part has bits of its own, so that one does not tell another.
        func part(_ shift: UInt64) -> Double { Double((bits >> shift) & 0xFF) / 255 }
        var letter = Int((bits >> 24) % UInt64(Self.letters.count))
        if String(Self.letters[letter]) == last { letter = (letter + 1) % Self.letters.count }
        last = String(Self.letters[letter])
        return Color(red: part(0), green: part(8), blue: part(16), letter: Self.letters[letter])
    }

    private mutating func nextBits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
