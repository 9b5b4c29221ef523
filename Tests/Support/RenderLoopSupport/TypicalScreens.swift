// SPDX-License-Identifier: MIT
// Screens as they are written for SwiftUI: only the import is another one.

import Foundation
import Observation
import RenderLoop
import Rerender

// MARK: A dashboard

@MainActor
@Observable
final class DashboardData {
    var visitors = 12
    var revenue = 3.5
    var isLoaded = false

    func load() async { isLoaded = true }
}

struct DashboardView: View {
    @Environment(DashboardData.self) private var data
    @Environment(RerenderStore.self) private var store: RerenderStore?
    @State private var isExpanded = false

    var body: some View {
        let _ = Self._printChanges()
        VStack(alignment: .leading, spacing: 1) {
            HStack(alignment: .firstTextBaseline) {
                Label("Dashboard", systemImage: "house.fill")
                    .font(.title)
                    .foregroundStyle(.primary)
                Spacer()
                Image(systemName: isExpanded ? "chevron.up" : "chevron.down")
                    .foregroundStyle(.tint)
                    .onTapGesture {
                        withAnimation(.easeInOut(duration: 0.2)) { isExpanded.toggle() }
                    }
                    .inputName("expand")
            }
            .padding(.horizontal, 1)
            Divider()
            HStack(spacing: 2) {
                Tile(title: "Visitors", value: "\(data.visitors)").equatable()
                Tile(title: "Revenue", value: String(format: "%.1f", data.revenue)).equatable()
            }
            .animation(.default, value: data.visitors)
            if isExpanded {
                Text("details")
                    .font(.system(size: 11, weight: .light, design: .monospaced))
                    .transaction { $0.animation = nil }
            }
            Text("loading").font(.caption).hidden().disabled(true)
            Spacer(minLength: 0)
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
        .task { await data.load() }
    }
}

struct Tile: View, Equatable {
    let title: String
    let value: String

    var body: some View {
        VStack(alignment: .leading, spacing: nil) {
            Text(title).font(.caption).foregroundStyle(.secondary)
            Text(value).font(.headline).bold()
        }
        .padding([.leading, .trailing], 1)
        .frame(maxWidth: .infinity, alignment: .leading)
        .background(Color.gray.opacity(0.1))
        .cornerRadius(8)
    }
}

// MARK: A form

struct Entry: Identifiable, Hashable {
    let id: Int
    var name: String
    var isDone = false
}

struct FormView: View {
    @State private var name = ""
    @State private var volume = 0.5
    @State private var entries = [Entry(id: 1, name: "milk"), Entry(id: 2, name: "bread")]
    @State private var saved = 0

    var body: some View {
        VStack(alignment: .leading) {
            TextField("Name", text: $name)
            Slider(value: $volume, in: 0...1)
            ForEach($entries) { $entry in
                EntryRow(entry: $entry)
            }
            Button("Save") { saved += 1 }
                .disabled(name.isEmpty)
            AnyView(erasing: Text("saved \(saved)"))
        }
        .padding()
        .animation(.spring(response: 0.3, dampingFraction: 0.8), value: saved)
    }
}

struct EntryRow: View {
    @Binding var entry: Entry

    var body: some View {
        HStack(alignment: .top) {
            Text(entry.name).frame(minWidth: 8, alignment: .leading)
            Toggle("done \(entry.id)", isOn: $entry.isDone.animation())
        }
    }
}

// MARK: A list with navigation

struct LibraryView: View {
    let entries: [Entry]

    var body: some View {
        NavigationStack {
            ScrollView {
                LazyVStack(alignment: .leading, spacing: 0) {
                    ForEach(entries) { entry in
                        NavigationLink(value: entry) { LibraryRow(entry: entry) }
                            .inputName("entry \(entry.id)")
                    }
                }
            }
            .inputName("library")
            .navigationTitle("Library")
            .navigationDestination(for: Entry.self) { EntryPage(entry: $0) }
        }
    }
}

struct LibraryRow: View {
    let entry: Entry

    var body: some View {
        Label(entry.name, systemImage: entry.isDone ? "checkmark" : "circle")
    }
}

struct EntryPage: View {
    let entry: Entry
    @State private var isFavourite = false

    var body: some View {
        VStack {
            Label {
                Text(entry.name).font(.body)
            } icon: {
                Image(systemName: isFavourite ? "star.fill" : "star")
            }
            Button("Favourite") { withAnimation { isFavourite.toggle() } }
        }
        .navigationTitle(entry.name)
    }
}
