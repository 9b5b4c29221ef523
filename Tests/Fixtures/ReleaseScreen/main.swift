// SPDX-License-Identifier: MIT
// Prints what the debugging tools draw and count: `LAYERS VIEWS`, layers with a colour or a border and views in a store.

import RenderLoop
import Rerender

struct Row: View {
    var body: some View { Text("row") }
}

struct Screen: View {
    @State private var taps = 0

    var body: some View {
        VStack {
            Button("tap \(taps)") { taps += 1 }.inputName("tap")
            Row().checkForRender()
            RenderCheck {
                Row()
                Row()
            }
            Text("text").background(.debug)
            Row().rerender("Labelled").rerender()
        }
    }
}

@MainActor func coloured(_ layer: Layer) -> Int {
    let own =
        switch layer.committed.content {
        case .fill, .border: 1
        default: 0
        }
    return layer.committed.sublayers.reduce(own) { $0 + coloured($1) }
}

let store = RerenderStore(name: "screen")
let clock = VirtualClock()
let loop = RenderLoop(
    Screen().rerender("Screen").rerenderStore(store), driver: clock, size: CellSize(width: 40, height: 12))
clock.settle()
loop.send(InputEvent(.tap, target: "tap"))
clock.nextFrame()
loop.pulse("Screen")
clock.settle()
print(coloured(loop.committedRoot), store.stats.count)
