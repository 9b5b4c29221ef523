// SPDX-License-Identifier: MIT
// A background that has another colour after each evaluation.

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
        // The highest bits, of which one colour cannot be seen from another's.
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
