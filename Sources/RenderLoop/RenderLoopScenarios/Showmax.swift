// SPDX-License-Identifier: MIT
// The series screen in four versions: one model, a model for each part, a model of models, and subjects with state.

import OpenCombine
import RenderLoop

/// An episode of a series.
package struct Episode: Hashable, Identifiable, Sendable {
    /// Unique in the series.
    package let id: Int
    let title: String
}

/// The one series that there is.
enum SeriesData {
    static let title = "The Long Night Train"
    static let seasons = 2
    static let episodesPerSeason = 4

    /// The episodes of a season, from 1.
    static func episodes(ofSeason season: Int) -> [Episode] {
        (1...episodesPerSeason).map { number in
            let id = (season - 1) * episodesPerSeason + number
            return Episode(id: id, title: "\(season).\(number)  \(titles[(id - 1) % titles.count])")
        }
    }

    /// The season after another, round and round.
    static func season(after season: Int) -> Int { season % seasons + 1 }

    private static let titles = [
        "Departure", "The Conductor", "Two Tickets", "Border", "Snow", "The Other Train", "Brakes", "Terminus",
    ]
}

// What the views of the series screen show, the same in each version. Only the rows are views of their own.

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

struct EpisodeRow: View {
    let episode: Episode
    var body: some View { Text("  " + episode.title) }
}

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

/// An object that another one holds announces its changes itself, and its holder announces none of them: the screen and
/// the header observe the model, and are evaluated when something of its own changes. The parts are the second version's.
enum SubObjects {
    @MainActor
    final class SeriesModel: ObservableObject {
        @Published private(set) var title = SeriesData.title
        let favourite = FavouriteModel()
        let episodes = EpisodesModel()
    }

    typealias FavouriteModel = SplitModels.FavouriteModel
    typealias EpisodesModel = SplitModels.EpisodesModel

    struct SeriesScreen: View {
        @StateObject private var model = SeriesModel()

        var body: some View {
            VStack(alignment: .leading) {
                HeaderView(model: model).rerender("HeaderView")
                SplitModels.EpisodesView(model: model.episodes).rerender("EpisodesView")
            }
        }
    }

    struct HeaderView: View {
        @ObservedObject var model: SeriesModel

        var body: some View {
            seriesHeader(model.title, SplitModels.HeartButton(model: model.favourite).rerender("HeartButton"))
        }
    }
}

/// No view observes the model. A view receives the values that it shows and keeps the latest as its own state.
enum SubjectAndState {
    @MainActor
    final class SeriesModel {
        let title = SeriesData.title
        let isMyFavourite = CurrentValueSubject<Bool, Never>(false)
        let season = CurrentValueSubject<Int, Never>(1)

        func toggleFavourite() { isMyFavourite.send(!isMyFavourite.value) }
        func showNextSeason() { season.send(SeriesData.season(after: season.value)) }
    }

    struct SeriesScreen: View {
        @State private var model = SeriesModel()

        var body: some View {
            VStack(alignment: .leading) {
                HeaderView(model: model).rerender("HeaderView")
                EpisodesView(model: model).rerender("EpisodesView")
            }
        }
    }

    struct HeaderView: View {
        let model: SeriesModel

        var body: some View { seriesHeader(model.title, HeartButton(model: model).rerender("HeartButton")) }
    }

    struct HeartButton: View {
        let model: SeriesModel
        @State private var isMyFavourite = false

        var body: some View {
            heart(isFull: isMyFavourite) { model.toggleFavourite() }
                .onReceive(model.isMyFavourite) { isMyFavourite = $0 }
        }
    }

    struct EpisodesView: View {
        let model: SeriesModel
        @State private var season = 1

        var body: some View {
            episodeList(ofSeason: season) { model.showNextSeason() }
                .onReceive(model.season) { season = $0 }
        }
    }
}
