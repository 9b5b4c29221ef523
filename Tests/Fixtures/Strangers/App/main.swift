// SPDX-License-Identifier: MIT
// An app of the framework that is called RenderLoop, and is another one.

import RenderLoop

struct Label: View {
    @State var number: Int
    var body: String { "\(number)" }
    func isDifferent(from other: Label) -> Bool { number != other.number }
}

for number in 0..<5 { print(draw(Label(number: number))) }
