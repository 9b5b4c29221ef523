// SPDX-License-Identifier: MIT
// The series screen, third version: one model that holds others.

import OpenCombine
import RenderLoop

/// An object that another one holds announces its changes itself, and its holder announces none of them: the screen and
/// the header observe the model, and are evaluated when something of its own changes.
enum SubObjects {
    @MainActor
    final class SeriesModel: ObservableObject {
        @Published private(set) var title = SeriesData.title
        let favourite = FavouriteModel()
        let episodes = EpisodesModel()
    }

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
        @StateObject private var model = SeriesModel()

        var body: some View {
            VStack(alignment: .leading) {
                HeaderView(model: model).rerender()
                EpisodesView(model: model.episodes).rerender()
            }
        }
    }

    struct HeaderView: View {
        @ObservedObject var model: SeriesModel

        var body: some View {
            HStack(spacing: 3) {
                Text(model.title)
                HeartButton(model: model.favourite).rerender()
            }
        }
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
