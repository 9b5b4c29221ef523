// SPDX-License-Identifier: MIT
// The parts that several scenarios share: headings, shares, and the texts of buttons.

import RenderLoop

/// A line in capitals.
struct Heading: View {
    let title: String
    var body: some View { Text(title.uppercased()).font(.title2.bold()) }
}

/// Shares of one as a reader expects them.
enum Percent {
    static func text(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

/// A button's text: in brackets where a renderer has no buttons of its own.
struct ButtonText: LayerView {
    private let string: String

    init(_ string: String) { self.string = string }

    func configure(_ layer: Layer) { layer.content = .text(layer.drawsControls ? string : "[\(string)]") }
}
