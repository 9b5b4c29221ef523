// SPDX-License-Identifier: MIT
// Scopes against direct reads of the environment, with an `@Observable` model.

import Observation
import RenderLoop

/// The one panel reads the model in its body; the other one reads it in scopes, and is evaluated once.
enum ObservableIsolation {
    @MainActor
    @Observable
    final class Player: PlayerModel {
        private(set) var track = 1
        private(set) var likes = 0

        func skip() { track += 1 }
        func like() { likes += 1 }
    }

    struct IsolationScreen: View {
        @State private var player = Player()

        var body: some View {
            VStack(alignment: .leading) {
                DirectPanel().rerender("DirectPanel")
                ScopedPanel().rerender("ScopedPanel")
                Buttons(player: player).rerender("Buttons")
            }
            .environment(player)
        }
    }

    struct DirectPanel: View {
        @Environment(Player.self) private var player

        var body: some View {
            playerLine(track: player.track, likes: player.likes)
        }
    }

    struct ScopedPanel: View {
        var body: some View {
            HStack {
                Text("scoped:")
                ScopeView(Player.self) { player, _ in Text("track \(player.track)") }.rerender("TrackScope")
                ScopeView(Player.self) { player, _ in Text("likes \(player.likes)") }.rerender("LikesScope")
            }
        }
    }
}
