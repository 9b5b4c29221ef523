// SPDX-License-Identifier: MIT
// What the views of the series screen show, the same in each version. Only the rows are views of their own.

import RenderLoop

/// The title beside the heart.
@MainActor
func seriesHeader(_ title: String, _ heart: some View) -> some View {
    HStack(spacing: 3) {
        Text(title).font(.title2.bold())
        heart
    }
}

/// The heart, full for a favourite.
@MainActor
func heart(isFull: Bool, action: @escaping @MainActor () -> Void) -> some View {
    Button(action: action) { ButtonText(isFull ? "♥ my favourite" : "♡ my favourite") }.inputName("heart")
}

/// A season's episodes, below a button that shows the next season.
@MainActor
func episodeList(ofSeason season: Int, next: @escaping @MainActor () -> Void) -> some View {
    VStack(alignment: .leading) {
        Button(action: next) { ButtonText("season \(season)") }.inputName("season")
        ForEach(SeriesData.episodes(ofSeason: season)) { EpisodeRow(episode: $0).rerender("EpisodeRow") }
    }
}

/// One episode.
struct EpisodeRow: View {
    let episode: Episode
    var body: some View { Text("  " + episode.title) }
}
