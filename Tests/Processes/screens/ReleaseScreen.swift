// SPDX-License-Identifier: MIT
// `screens release` prints what the debugging tools draw and count: `LAYERS VIEWS`, layers with a colour or a border and views in a
// store.

import RenderLoop
import Rerender

private struct ReleasedRow: View {
    var body: some View { Text("row") }
}

private struct ReleasedScreen: View {
    @State private var taps = 0

    var body: some View {
        VStack {
            Button("tap \(taps)") { taps += 1 }.inputName("tap")
            ReleasedRow().rerender("Labelled").rerender()
        }
    }
}

@MainActor
enum ReleaseScreen {
    static func run() {
        let store = RerenderStore(name: "screen")
        let clock = VirtualClock()
        let loop = RenderLoop(
            ReleasedScreen().rerender("Screen").rerenderStore(store), driver: clock,
            size: CellSize(width: 40, height: 12))
        clock.settle()
        loop.send(InputEvent(.tap, target: "tap"))
        clock.nextFrame()
        loop.pulse("Screen")
        clock.settle()
        print(coloured(loop.committedRoot), store.stats.count)
    }

    private static func coloured(_ layer: Layer) -> Int {
        let own =
            switch layer.committed.content {
            case .fill, .border: 1
            default: 0
            }
        return layer.committed.sublayers.reduce(own) { $0 + coloured($1) }
    }
}
