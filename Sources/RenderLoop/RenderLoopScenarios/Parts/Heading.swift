// SPDX-License-Identifier: MIT
// What several scenarios show.

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
