// SPDX-License-Identifier: MIT
// Scopes against direct reads of the environment, with an `ObservableObject`.

import OpenCombine
import RenderLoop

/// An object announces that it changes, not what: both scopes are evaluated each time, and their panel never.
enum ObjectIsolation {
    @MainActor
    final class Player: ObservableObject, PlayerModel {
        @Published private(set) var track = 1
        @Published private(set) var likes = 0

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
            .environmentObject(player)
        }
    }

    struct DirectPanel: View {
        @EnvironmentObject private var player: Player

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
