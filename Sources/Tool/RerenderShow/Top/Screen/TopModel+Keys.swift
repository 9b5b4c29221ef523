// SPDX-License-Identifier: MIT
// The effect of each key.

extension TopModel {
    /// The keys, as the help lists them.
    package static let keys: [(key: String, meaning: String)] = [
        ("1 to 6", "views or widgets, hangs, processes, writers, idle, sources (also Tab, Shift-Tab)"),
        ("Up Down", "select a row (also k, j)"),
        ("PgUp PgDn", "a page; or scroll the lines of an open row"),
        ("Home End", "the first or last row (also g, G)"),
        ("Enter", "open or close the row: why, written by what, at what cost"),
        ("Left Right", "sort by the column before or after"),
        ("s", "sort the other way round"),
        ("/", "filter by key, or by any text of the other tabs; Esc shows all again"),
        ("a", "all rows, or without those that only pass on or were evaluated once"),
        ("Space", "pause or continue"),
        ("e", "open the place in $VISUAL or $EDITOR"),
        ("p", "pulse: the app shows where the view is"),
        ("f", "flash what the app draws again, or end that"),
        ("x m", "export everything to a file here; mark this moment, for --since top"),
        ("r", "count from now on, in this top alone; asks first"),
        ("u", "undo r: show all counts again"),
        ("-", "show only the title line, or everything again"),
        ("?", "this help"),
        ("q", "quit (also Ctrl-C)"),
    ]

    package mutating func take(_ key: TopKey) -> [TopEffect] {
        switch mode {
        case .typing: return type(key)
        case .help: return help(key)
        case .asking: return answer(key)
        case .rows: break
        }
        switch key {
        case .up: return moved(by: -1)
        case .down: return moved(by: 1)
        case .left: return sort(step: -1)
        case .right: return sort(step: 1)
        case .pageUp: return paged(by: -1)
        case .pageDown: return paged(by: 1)
        case .home: return home()
        case .end: return moved(to: total - 1)
        case .enter: return toggle()
        case .escape: return escape()
        case .tab: return nextTab(1)
        case .backTab: return nextTab(-1)
        case .backspace: return []
        case .character(let character): return command(character)
        }
    }

    private mutating func command(_ character: Character) -> [TopEffect] {
        switch character {
        case "q": return [.quit]
        case "k": return take(.up)
        case "j": return take(.down)
        case "g": return take(.home)
        case "G": return take(.end)
        case "1"..."9": return character.wholeNumberValue.flatMap { TopTab(rawValue: $0) }.map { show($0) } ?? []
        case "s": return reverse()
        case "/": (mode, isCollapsed) = (.typing, false)
        case " ": return pause()
        case "a": return fold()
        case "-": isCollapsed.toggle()
        case "?", "h": (mode, helpTop, isCollapsed) = (.help, 0, false)
        case "e": return edit()
        case "p": return ofRunning { $0.pulse() }
        case "f": return ofRunning { $0.flash() }
        case "r": return ofRunning { $0.question() }
        case "u": return undo()
        case "x": return [.export]
        case "m": return ofRunning { [.mark(process: $0.process)] }
        case "\u{0C}": return [.repaint]
        default: break
        }
        return []
    }

    // MARK: Acting on a row

    /// What makes no sense for what was saved, and says so there.
    private mutating func ofRunning(_ action: (inout TopModel) -> [TopEffect]) -> [TopEffect] {
        guard isLive else {
            say("this was saved: nothing of it runs", isFault: true)
            return []
        }
        return action(&self)
    }

    private mutating func pulse() -> [TopEffect] {
        guard let row = selectedRow else {
            say(tab == .views ? "no row to pulse" : "only a view can be pulsed: press 1", isFault: true)
            return []
        }
        return [.pulse(TopRowID(row))]
    }

    private mutating func fold() -> [TopEffect] {
        guard tab == .views else {
            say("only views are folded: press 1", isFault: true)
            return []
        }
        isFolding.toggle()
        say(isFolding ? "rows that say nothing of their own are folded" : "all rows are shown")
        return listed()
    }

    private mutating func flash() -> [TopEffect] {
        highlights.toggle()
        return [.highlight(isOn: highlights, process: process)]
    }

    private mutating func pause() -> [TopEffect] {
        ofRunning { model in
            model.isPaused.toggle()
            return model.isPaused ? [] : model.ask()
        }
    }

    private mutating func edit() -> [TopEffect] {
        guard let place = selectedPlace else {
            say("it is not known where that is in the sources", isFault: true)
            return []
        }
        guard let sources else {
            say("the source files of this directory are still looked for: try again", isFault: true)
            return []
        }
        guard let path = sources.path(of: place.file) else {
            let cut = sources.isCut ? ", which has more files than were looked at" : ""
            say(
                "no file below this directory\(cut) is certainly \(Printable.text(place.file)): start top where its sources are",
                isFault: true)
            return []
        }
        return [.edit(path: path, line: place.line)]
    }

    // MARK: Counting from now on

    private mutating func question() -> [TopEffect] {
        mode = .asking
        return []
    }

    private mutating func answer(_ key: TopKey) -> [TopEffect] {
        mode = .rows
        guard key == .character("y") || key == .character("Y") else {
            say("nothing was changed")
            return []
        }
        isTakingBaseline = true
        return ask()
    }

    private mutating func undo() -> [TopEffect] {
        guard baseline != nil || isTakingBaseline else {
            say("nothing to undo: all counts are shown")
            return []
        }
        (baseline, isTakingBaseline) = (nil, false)
        say("all counts are shown again")
        return ask()
    }

    // MARK: Help

    /// The key that ends the help does nothing else, but the one that ends the program.
    private mutating func help(_ key: TopKey) -> [TopEffect] {
        let page = max(1, size.lines - 3)
        let steps: [TopKey: Int] = [.up: -1, .down: 1, .pageUp: -page, .pageDown: page]
        if let step = steps[key] {
            helpTop = max(0, min(TopHelp.last(size), helpTop + step))
            return []
        }
        mode = .rows
        return key == .character("q") ? [.quit] : []
    }

    // MARK: Moving

    private mutating func moved(by rows: Int) -> [TopEffect] { moved(to: selectedRank + rows) }

    private mutating func moved(to rank: Int) -> [TopEffect] {
        guard tab == .views else {
            chooseItem(rank)
            return []
        }
        choose(rank)
        return needed()
    }

    /// The first row, whichever that is from now on.
    private mutating func home() -> [TopEffect] {
        let effects = moved(to: 0)
        if tab == .views { chosen = nil } else { listState.chosen = nil }
        return effects
    }

    private mutating func paged(by direction: Int) -> [TopEffect] {
        if scrollsDetail(by: direction) { return [] }
        return moved(by: direction * max(1, bodyHeight - 1))
    }

    /// Scrolls the open detail, if it belongs to the selected row and is cut.
    private mutating func scrollsDetail(by direction: Int) -> Bool {
        guard tab == .views ? isSelectedOpen : isOpen else { return false }
        let room = detailRoom
        // One line of the room says how much there is besides.
        let all = detailLines.count
        let last = all > room ? all - room + 1 : 0
        let next = max(0, min(last, detailTop + direction * max(1, room - 1)))
        guard last > 0, next != detailTop else { return false }
        detailTop = next
        return true
    }

    // MARK: Opening and closing

    private mutating func toggle() -> [TopEffect] {
        isCollapsed = false
        detailTop = 0
        guard tab == .views else {
            guard let item = selectedItem else { return [] }
            (listState.isOpen, listState.chosen) = (!listState.isOpen, item.id)
            keepListInView()
            return []
        }
        guard let row = selectedRow else { return [] }
        let id = TopRowID(row)
        expanded = expanded == id ? nil : id
        (isPaneClosed, isPaneAutomatic) = (expanded == nil, false)
        chosen = id
        keepInView()
        // Its hangs are asked for with it.
        return expanded == nil ? [] : ask()
    }

    private mutating func escape() -> [TopEffect] {
        if isOpen {
            if tab == .views {
                (expanded, isPaneClosed, isPaneAutomatic) = (nil, true, false)
            } else {
                listState.isOpen = false
            }
            keepInView()
        } else if !filter.isEmpty {
            return filtered("")
        }
        return []
    }

    // MARK: Typing

    mutating func filtered(_ text: String) -> [TopEffect] {
        filter = text
        return listed()
    }

    private mutating func type(_ key: TopKey) -> [TopEffect] {
        switch key {
        case .enter: mode = .rows
        case .escape:
            mode = .rows
            return filter.isEmpty ? [] : filtered("")
        case .backspace:
            guard !filter.isEmpty else {
                mode = .rows
                return []
            }
            return filtered(String(filter.dropLast()))
        case .character("\u{15}"): return filtered("")
        case .character(let character):
            guard Printable.text(String(character)) == String(character), filter.count < Self.longestFilter else {
                return []
            }
            return filtered(filter + String(character))
        case .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab, .backTab:
            mode = .rows
            return take(key)
        }
        return []
    }
}

// What rows are sorted by, and how that is chosen.

extension TopModel {
    /// What views can be sorted by: the columns in the order of the screen, whichever have room, and the order of findings, which no column
    /// shows.
    private var orders: [StatsOrder] {
        let all: [StatsOrder] = [
            .process, .key, .count, .rate, .share, .wasted, .average, .time, .hangs, .reason, .place, .cost,
        ]
        return all.filter { isLive || $0 != .rate }
    }

    /// Sorts by the column before or after.
    mutating func sort(step: Int) -> [TopEffect] {
        guard tab == .views else {
            let count = list.columns.count
            guard count > 0 else { return [] }
            let place = listState.column ?? list.usual.column
            (listState.column, listState.isReversed) = ((place + step + count) % count, false)
            return listed()
        }
        let orders = orders
        let place = orders.firstIndex(of: order) ?? 0
        (order, isReversed) = (orders[(place + step + orders.count) % orders.count], false)
        if order == .cost { say("sorted by what a fault names, and then by the cost") }
        return listed()
    }

    /// Sorts the other way round.
    mutating func reverse() -> [TopEffect] {
        if tab == .views { isReversed.toggle() } else { listState.isReversed.toggle() }
        return listed()
    }

    /// Starts a new list at its top. An open row stays open if the new list has it.
    mutating func listed() -> [TopEffect] {
        detailTop = 0
        guard tab == .views else {
            (listState.selected, listState.top, listState.chosen) = (0, 0, nil)
            refreshList()
            return []
        }
        (selected, top, chosen) = (0, 0, nil)
        isSearching = false
        return ask()
    }
}
