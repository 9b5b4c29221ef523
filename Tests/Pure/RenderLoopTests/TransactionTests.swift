// SPDX-License-Identifier: MIT
// Changes of layers become visible with commits only.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct TransactionTests {
    /// Runs `change` as an action and returns what the renderer saw meanwhile and after.
    private func seen(_ change: @escaping @MainActor (RenderLoop, Layer) -> Void) -> [String] {
        let reference = LayerReference()
        let stage = Stage(LayerHost(reference).frame(width: 1, height: 1))
        let before = stage.renderer.history.count
        stage.act {
            guard let layer = reference.layer else { return }
            change(stage.loop, layer)
        }
        return Array(stage.renderer.history.dropFirst(before))
    }

    @Test func redThenWhiteShowsWhiteOnly() {
        let screens = seen { _, layer in
            layer.content = .fill(.red)
            layer.content = .fill(.white)
        }
        #expect(screens == ["W"])
    }

    @Test func redInAnExplicitTransactionIsShown() {
        let screens = seen { loop, layer in
            loop.transaction { layer.content = .fill(.red) }
            layer.content = .fill(.white)
        }
        #expect(screens == ["R", "W"])
    }

    @Test func anExplicitTransactionInsideTheImplicitOneCommitsNothing() {
        let screens = seen { loop, layer in
            layer.opacity = 0.9
            loop.transaction { layer.content = .fill(.red) }
            layer.content = .fill(.white)
        }
        #expect(screens == ["W"])
    }

    @Test func theOutermostExplicitTransactionCommits() {
        let screens = seen { loop, layer in
            loop.transaction {
                loop.transaction { layer.content = .fill(.red) }
                layer.content = .fill(.blue)
            }
            layer.content = .fill(.white)
        }
        #expect(screens == ["B", "W"])
    }

    @Test func anExplicitTransactionThatIsLeftOpenKeepsEverythingBack() {
        let reference = LayerReference()
        let stage = Stage(LayerHost(reference).frame(width: 1, height: 1))
        let before = stage.renderer.history.count
        stage.act {
            stage.loop.beginTransaction()
            reference.layer?.content = .fill(.red)
        }
        #expect(stage.renderer.history.count == before)
        stage.act { stage.loop.endTransaction() }
        #expect(stage.screen == "R")
    }

    @Test func aCommitThatChangesNothingIsNotRendered() {
        let screens = seen { loop, layer in
            loop.transaction {
                layer.content = .fill(.red)
                layer.content = .none
            }
        }
        #expect(screens == [])
    }

    private struct Watched: View {
        let look: @MainActor () -> Void
        @State private var count = 0
        var body: some View {
            look()
            return Button("\(count)") { count += 1 }.inputName("button").onChange(of: count) { look() }
        }
    }

    @Test func theRendererSeesCommitsOnly() {
        final class Seen {
            var loop: RenderLoop?
            var looks: [String] = []
        }
        let seen = Seen()
        let stage = Stage(
            Watched {
                guard let loop = seen.loop else { return }
                seen.looks.append(TextRenderer.text(of: loop.committedRoot))
            })
        seen.loop = stage.loop
        stage.tap("button")
        // In the body and in the handler, which comes after the layout.
        #expect(seen.looks == ["0", "0"])
        #expect(stage.renderer.history == ["0", "1"])
    }
}
