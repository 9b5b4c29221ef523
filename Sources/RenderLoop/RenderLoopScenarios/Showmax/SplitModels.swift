// SPDX-License-Identifier: MIT
// The series screen, second version: a model for each part, handed to the view that shows it.

import OpenCombine
import RenderLoop

/// The screen owns both models and observes neither, so that a change of one reaches the views that observe it.
enum SplitModels {
    @MainActor
    final class FavouriteModel: ObservableObject {
        @Published private(set) var isMyFavourite = false

        func toggle() { isMyFavourite.toggle() }
    }

    @MainActor
    final class EpisodesModel: ObservableObject {
        @Published private(set) var season = 1

        func showNextSeason() { season = SeriesData.season(after: season) }
    }

    struct SeriesScreen: View {
        @State private var favourite = FavouriteModel()
        @State private var episodes = EpisodesModel()

        var body: some View {
            VStack(alignment: .leading) {
                HeaderView(title: SeriesData.title, model: favourite).rerender("HeaderView")
                EpisodesView(model: episodes).rerender("EpisodesView")
            }
        }
    }

    struct HeaderView: View {
        let title: String
        let model: FavouriteModel

        var body: some View { seriesHeader(title, HeartButton(model: model).rerender("HeartButton")) }
    }

    struct HeartButton: View {
        @ObservedObject var model: FavouriteModel

        var body: some View { heart(isFull: model.isMyFavourite) { model.toggle() } }
    }

    struct EpisodesView: View {
        @ObservedObject var model: EpisodesModel

        var body: some View { episodeList(ofSeason: model.season) { model.showNextSeason() } }
    }
}
