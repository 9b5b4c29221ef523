// SPDX-License-Identifier: MIT
// What both players have in common.

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
