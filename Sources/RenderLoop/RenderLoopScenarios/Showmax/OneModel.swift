// SPDX-License-Identifier: MIT
// The series screen, first version: one model for all, which each view observes.

import OpenCombine
import RenderLoop

/// A tap on the heart announces a change of the model, which evaluates all views that observe it: the episodes too,
/// though they show nothing of it.
enum OneModel {
    @MainActor
    final class SeriesModel: ObservableObject {
        let title = SeriesData.title
        @Published private(set) var isMyFavourite = false
        @Published private(set) var season = 1

        func toggleFavourite() { isMyFavourite.toggle() }
        func showNextSeason() { season = SeriesData.season(after: season) }
    }

    struct SeriesScreen: View {
        @StateObject private var model = SeriesModel()

        var body: some View {
            VStack(alignment: .leading) {
                HeaderView(model: model).rerender("HeaderView")
                EpisodesView(model: model).rerender("EpisodesView")
            }
        }
    }

    struct HeaderView: View {
        @ObservedObject var model: SeriesModel

        var body: some View { seriesHeader(model.title, HeartButton(model: model).rerender("HeartButton")) }
    }

    struct HeartButton: View {
        @ObservedObject var model: SeriesModel

        var body: some View { heart(isFull: model.isMyFavourite) { model.toggleFavourite() } }
    }

    struct EpisodesView: View {
        @ObservedObject var model: SeriesModel

        var body: some View { episodeList(ofSeason: model.season) { model.showNextSeason() } }
    }
}
