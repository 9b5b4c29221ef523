// SPDX-License-Identifier: MIT
// Views that a program loads while it runs.

import Kit

struct LateLeaf: View {
    let number: Int
    var body: some View { Text("\(number)") }
}

struct LateCard<Inner: View>: View {
    let inner: Inner
    var body: some View { Pair(inner, LateLeaf(number: 1)) }
}

/// Draws some views so many times.
@c
public func draw_late(_ count: Int32) {
    for number in 0..<count { print(draw(LateCard(inner: LateLeaf(number: Int(number))))) }
}
