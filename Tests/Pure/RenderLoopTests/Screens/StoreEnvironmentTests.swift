// SPDX-License-Identifier: MIT
// Models and the store in the environment by their types.

import Observation
import RenderLoop
import Rerender
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct StoreEnvironmentTests {
    @MainActor
    @Observable
    fileprivate final class Settings {
        var name = "settings"
        var other = 0
    }

    private struct Counted: View {
        @Environment(RerenderStore.self) private var store
        @Environment(Settings.self) private var settings
        var body: some View { Text("\(settings.name) \(store.isEnabled)") }
    }

    private struct Optional: View {
        @Environment(RerenderStore.self) private var store: RerenderStore?
        var body: some View { Text(store == nil ? "no store" : "a store") }
    }

    @Test func aStoreIsFoundByItsTypeAndCounts() {
        let store = RerenderStore(name: "environment")
        let settings = Settings()
        let stage = Stage(Counted().rerender("Counted").environment(store).environment(settings))
        #expect(stage.screen == "settings \(store.isEnabled)")
        stage.act { settings.other += 1 }
        stage.act { settings.name = "other" }
        #expect(stage.screen == "other \(store.isEnabled)")
        #expect(store.stats.first?.count == 2)
    }

    @Test func aStoreMayBeMissing() {
        #expect(Stage(Optional()).screen == "no store")
        #expect(Stage(Optional().environment(RerenderStore(name: "there"))).screen == "a store")
    }
}
