// SPDX-License-Identifier: MIT
// Input and frames on the real main run loop; prints what arrived.

import Foundation
import RenderLoop

/// Takes all input.
private struct Pad: View {
    let note: @MainActor (InputEvent) -> Void

    var body: some View {
        Control(label: Color.clear) { event, _ in
            note(event)
            return true
        }
    }
}

@MainActor
final class InputProgram {
    private var lines: [String] = []
    private var loop: RenderLoop?

    // What is awaited; a busy machine comes to it later than it should.
    private let movesLines = 3
    private let lateLines = 3

    /// A touch that moves four times in one callout.
    func moves() {
        let loop = RenderLoop(
            Pad { [unowned self] event in
                let places = event.history.map { "\($0.location.x)" }.joined(separator: ",")
                lines.append("received \(event.kind) turn=\(self.loop?.turn ?? 0) places=\(places)")
            },
            driver: MainRunLoop())
        self.loop = loop
        _ = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { _ in
            MainActor.assumeIsolated {
                loop.send(InputEvent(.began, location: CellPoint(x: 1, y: 0)))
                for x in 2...5 { loop.send(InputEvent(.moved, location: CellPoint(x: x, y: 0))) }
                self.lines.append("sent turn=\(loop.turn)")
            }
        }
        end(with: movesLines)
    }

    /// A display link whose first frame takes as long as several.
    func late() {
        let loop = RenderLoop(Text(""), driver: MainRunLoop(frameInterval: 10_000_000))
        let link = loop.addDisplayLink { [unowned self] frame in
            if lines.isEmpty { Thread.sleep(forTimeInterval: 0.1) }
            lines.append("frame \(frame.number) \(frame.skipped)")
        }
        end(with: lateLines)
        link.cancel()
    }

    private func end(with count: Int) {
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.4))
        let latest = Date(timeIntervalSinceNow: 10)
        while lines.count < count, Date() < latest { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1)) }
        print(lines.joined(separator: "\n"))
    }
}
