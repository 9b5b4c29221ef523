// SPDX-License-Identifier: MIT
// A program on another framework with a known name.

import SwiftCrossUI

final class Widget {}
struct Backend: AppBackend {
    typealias Widget = App.Widget
}

struct Row: View {
    let number: Int
    var body: String { "row \(number)" }
}

for number in 0..<20 { _ = show(Row(number: number), Backend()) }
print("Row\t20")
