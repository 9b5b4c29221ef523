// SPDX-License-Identifier: MIT
// The rules of this package's structure. Each returns a text for each violation.

/// What the folders and targets of this package keep to.
enum Rules {
    static let mostFilesInRoot = 10
    static let mostFilesInFolder = 20

    // MARK: Folders

    /// Which folders of a target name types of which others.
    ///
    /// A name that is declared in two folders, or privately in the file that names it, leads nowhere.
    static func folderGraph(_ target: SourceTarget) -> Graph {
        var homes: [String: Set<String>] = [:]
        for file in target.files {
            for type in file.types where !type.isPrivate { homes[type.name, default: []].insert(file.folder) }
        }
        var graph = Graph(nodes: target.files.map(\.folder))
        for file in target.files {
            let own = Set(file.types.map(\.name))
            for name in file.namedTypes.subtracting(own) {
                guard let home = homes[name], home.count == 1, let folder = home.first, folder != file.folder else {
                    continue
                }
                graph.add(file.folder, folder, because: "\(name) in \(file.path)")
            }
        }
        return graph
    }

    static func folderCycles(_ target: SourceTarget) -> [String] {
        let graph = folderGraph(target)
        return graph.cycles.map { "\(target.place): folders \(graph.explain($0))" }
    }

    /// The parts of a C target, and which include, call or read which others. A header and the file of its name are one part; the
    /// header of the target's own name, by which others see it, is none.
    static func partGraph(_ target: SourceTarget) -> Graph {
        var graph = Graph()
        var homes: [String: Set<String>] = [:]
        for file in target.cFiles { for name in file.definitions { homes[name, default: []].insert(part(file.path)) } }
        let parts = Set(target.cFiles.map { part($0.path) }).subtracting([target.name])
        let inlined = target.cFiles.reduce(into: [:]) { $0.merge($1.inlined) { $0.union($1) } }
        for file in target.cFiles where part(file.path) != target.name {
            let own = part(file.path)
            for other in Set(file.includes.map(part)).intersection(parts) where other != own {
                graph.add(own, other, because: "an include in \(file.path)")
            }
            for name in file.names(with: inlined) {
                for home in homes[name] ?? [] where home != own {
                    graph.add(own, home, because: "\(name) in \(file.path)")
                }
            }
        }
        return graph
    }

    static func partCycles(_ target: SourceTarget) -> [String] {
        let graph = partGraph(target)
        return graph.cycles.map { "\(target.place): C files \(graph.explain($0))" }
    }

    static func crowdedFolders(_ target: SourceTarget) -> [String] {
        target.fileCounts.sorted { $0.key < $1.key }.compactMap { folder, count in
            let limit = folder.isEmpty ? mostFilesInRoot : mostFilesInFolder
            return count > limit ? "\(target.place)/\(folder) has \(count) files; at most \(limit)" : nil
        }
    }

    private static func fileName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private static func part(_ path: String) -> String { String(fileName(path).split(separator: ".").first ?? "") }

    /// Lines that look for a slash by `Character`, which misses one that has an accent behind it.
    static func characterSlashes(_ target: SourceTarget) -> [String] {
        target.files.flatMap { file in
            let lines = file.characterSlashes
            return lines.map { "\(target.place)/\(file.path):\($0) looks for a slash by Character: use PathName" }
        }
    }

    /// Lines that put a text into a command to be copied as it is: a shell would run what a program or a view is called.
    static func openCommands(_ target: SourceTarget) -> [String] {
        target.files.flatMap { file in
            file.openCommands.map { "\(target.place)/\(file.path):\($0) shows a command that is no ShellCommand" }
        }
    }

    /// Functions in C that each copy of the library in a process has, and that are not each copy's own.
    static func exposedFunctions(_ target: SourceTarget) -> [String] {
        guard ["CShared", "CRerender"].contains(target.name) else { return [] }
        return target.cFiles.flatMap { file in
            file.exposedLines.map {
                "\(target.place)/\(file.path):\($0) declares a function outside of #pragma GCC visibility push(hidden)"
            }
        }
    }

    // MARK: Targets

    /// Which groups of targets a group may import.
    static let groupsBelow: [String: Set<String>] = [
        "Shared": ["Shared"],
        "App": ["Shared", "App"],
        "Inject": ["Shared", "App", "Inject"],
        "GTK": ["Shared", "App", "GTK"],
        "RenderLoop": ["Shared", "App", "GTK", "RenderLoop"],
        "Daemon": ["Shared", "Daemon"],
        "Tool": ["Shared", "Daemon", "Tool"],
    ]

    /// The groups that apps link.
    static let linkedByApps: Set<String> = ["Shared", "App", "Inject", "GTK"]

    /// Modules of the toolchain.
    static let toolchain: Set<String> = [
        "CoreFoundation", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Observation", "Swift",
        "Synchronization", "Testing", "XCTest",
    ]

    /// Imports of a group above, and of packages in what apps link.
    static func wrongImports(_ targets: [SourceTarget]) -> [String] {
        let groups = Dictionary(targets.map { ($0.name, $0.group) }) { first, _ in first }
        return targets.flatMap { target in
            target.files.flatMap { file in
                file.imports.sorted().compactMap { module -> String? in
                    let place = "\(target.place)/\(file.path) imports \(module)"
                    if let group = groups[module] {
                        let isBelow = groupsBelow[target.group]?.contains(group) ?? false
                        return isBelow ? nil : "\(place), which is in \(group)"
                    }
                    let isLinked = linkedByApps.contains(target.group) && !toolchain.contains(module)
                    return isLinked ? "\(place): an app must not link a package" : nil
                }
            }
        }
    }

    // MARK: Names

    /// Programs that show how a library is used. They speak of their own subject, a shop, and nothing imports them.
    static let samples: Set<String> = ["rerender-demo", "RenderLoopScenarios"]

    /// Types of one name that are declared in several places, except for private ones, those in other types, and samples'.
    static func ambiguousNames(_ targets: [SourceTarget]) -> [String] {
        var places: [String: [String]] = [:]
        for target in targets where !samples.contains(target.name) {
            for file in target.files {
                for type in file.types where !type.isPrivate && !type.isNested {
                    places[type.name, default: []].append("\(target.place)/\(file.path)")
                }
            }
        }
        return places.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { name, places in
            "\(name) is declared in \(places.sorted().joined(separator: " and "))"
        }
    }
}
