// SPDX-License-Identifier: MIT
// Scopes against direct reads of the environment: a player with an `@Observable` model, and with an `ObservableObject`.

import Observation
import OpenCombine
import RenderLoop

/// A player that plays one track after the other.
@MainActor
protocol PlayerModel: AnyObject {
    func skip()
    func like()
}

/// What the panel that reads the model itself shows.
@MainActor
func playerLine(track: Int, likes: Int) -> some View {
    HStack {
        Text("direct:")
        Text("track \(track)")
        Text("likes \(likes)")
    }
}

/// Reads nothing that changes.
struct Buttons<Player: PlayerModel>: View {
    let player: Player

    var body: some View {
        HStack {
            Button(action: { player.skip() }, label: { ButtonText("skip") }).inputName("skip")
            Button(action: { player.like() }, label: { ButtonText("like") }).inputName("like")
        }
    }
}

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
