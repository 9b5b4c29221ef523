// SPDX-License-Identifier: MIT
// The effect of each key.

import RerenderToolBase

extension TopModel {
    /// The keys, as the help lists them.
    package static let keys: [(key: String, meaning: String)] = [
        ("Up Down", "select a row (also k, j, the wheel, a click)"),
        ("PgUp PgDn", "a page; or scroll the lines of an open row"),
        ("Home End", "the first or last row (also g, G)"),
        ("Enter", "open or close the row: why, written by what, at what cost"),
        ("s", "sort by wasted, count, time, hangs, key (or click a title)"),
        ("/", "filter by key; Esc shows all again"),
        ("Space", "pause or continue"),
        ("p", "pulse: the app shows where the view is"),
        ("f", "flash what the app draws again, or end that"),
        ("c C", "copy the row or everything as JSON"),
        ("x", "export everything to a file in this directory"),
        ("r", "reset all counts to zero"),
        ("-", "show only the title line, or everything again"),
        ("?", "this help"),
        ("q", "quit (also Ctrl-C)"),
    ]

    package mutating func take(_ key: TopKey) -> [TopEffect] {
        if isTyping { return type(key) }
        if showsHelp { return help(key) }
        switch key {
        case .up: return moved(by: -1)
        case .down: return moved(by: 1)
        case .pageUp: return paged(by: -1)
        case .pageDown: return paged(by: 1)
        case .home: return home()
        case .end: return moved(to: total - 1)
        case .enter: return toggle()
        case .escape: return escape()
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
        case "s": return sort(by: Self.next(after: order))
        case "/":
            isTyping = true
            isCollapsed = false
        case " ":
            isPaused.toggle()
            return isPaused ? [] : ask()
        case "-": isCollapsed.toggle()
        case "?", "h":
            (showsHelp, helpTop, isCollapsed) = (true, 0, false)
        case "p": return ofRow("pulse") { .pulse($0) }
        case "f":
            highlights.toggle()
            return [.highlight(isOn: highlights, process: process)]
        case "c": return ofRow("copy") { .copy($0) }
        case "C": return [.copy(nil)]
        case "r": return [.reset(process: process)]
        case "x": return [.export]
        case "\u{0C}": return [.repaint]
        default: break
        }
        return []
    }

    private mutating func ofRow(_ what: String, _ effect: (TopRowID) -> TopEffect) -> [TopEffect] {
        guard let row = selectedRow else {
            say(TopMessage(text: "no row to \(what)", isFault: true))
            return []
        }
        return [effect(TopRowID(row))]
    }

    /// The key that ends the help does nothing else, but the one that ends the program.
    private mutating func help(_ key: TopKey) -> [TopEffect] {
        let page = max(1, size.lines - 3)
        let steps: [TopKey: Int] = [.up: -1, .down: 1, .pageUp: -page, .pageDown: page]
        if let step = steps[key] {
            helpTop = max(0, min(TopHelp.last(size), helpTop + step))
            return []
        }
        showsHelp = false
        return key == .character("q") ? [.quit] : []
    }

    // MARK: Moving

    mutating func moved(by rows: Int) -> [TopEffect] { moved(to: selected + rows) }

    private mutating func moved(to rank: Int) -> [TopEffect] {
        choose(rank)
        return needed()
    }

    /// The first row, whichever view that is from now on.
    private mutating func home() -> [TopEffect] {
        choose(0)
        chosen = nil
        return needed()
    }

    private mutating func paged(by direction: Int) -> [TopEffect] {
        if scrollsDetail(by: direction) { return [] }
        return moved(by: direction * max(1, bodyHeight - 1))
    }

    /// Scrolls the open detail, if it belongs to the selected row and is cut.
    private mutating func scrollsDetail(by direction: Int) -> Bool {
        guard let expanded, selectedRow.map(TopRowID.init) == expanded else { return false }
        let room = max(1, bodyHeight - 1)
        // One line of the room says how much there is besides.
        let all = detailLines.count
        let last = all > room ? all - room + 1 : 0
        let next = max(0, min(last, detailTop + direction * max(1, room - 1)))
        guard last > 0, next != detailTop else { return false }
        detailTop = next
        return true
    }

    /// Asks for rows that came into view and are not there.
    private mutating func needed() -> [TopEffect] {
        guard let sample, total > 0 else { return [] }
        let last = min(total, top + bodyHeight) - 1
        let isThere = sample.row(at: top) != nil && sample.row(at: last) != nil
        // Where the list is longer than what may be asked for at once, the rest never comes.
        let isSame = sample.query.first == query.first && sample.query.limit == query.limit
        return isThere || isSame ? [] : ask()
    }

    // MARK: Opening and closing

    private mutating func toggle() -> [TopEffect] {
        isCollapsed = false
        guard let row = selectedRow else { return [] }
        let id = TopRowID(row)
        expanded = expanded == id ? nil : id
        chosen = id
        detailTop = 0
        keepInView()
        // Its hangs are asked for with it.
        return expanded == nil ? [] : ask()
    }

    private mutating func escape() -> [TopEffect] {
        if expanded != nil {
            expanded = nil
            keepInView()
        } else if !filter.isEmpty {
            return filtered("")
        }
        return []
    }

    package mutating func click(_ target: TopTarget) -> [TopEffect] {
        guard !isTyping, !showsHelp else { return [] }
        switch target {
        case .order(let order): return sort(by: order)
        case .row(let rank):
            // The second click on a row opens it.
            if rank == selected, chosen != nil || expanded != nil { return toggle() }
            choose(rank)
            return needed()
        }
    }

    // MARK: What is listed

    private static func next(after order: StatsOrder) -> StatsOrder {
        let orders: [StatsOrder] = [.wasted, .count, .time, .hangs, .key]
        let index = orders.firstIndex(of: order) ?? 0
        return orders[(index + 1) % orders.count]
    }

    private mutating func sort(by order: StatsOrder) -> [TopEffect] {
        self.order = order
        return listed()
    }

    private mutating func filtered(_ text: String) -> [TopEffect] {
        filter = text
        return listed()
    }

    /// Starts a new list at its top. An open row stays open if the new list has it.
    private mutating func listed() -> [TopEffect] {
        (selected, top, chosen, detailTop) = (0, 0, nil, 0)
        isSearching = false
        return ask()
    }

    // MARK: Typing

    private mutating func type(_ key: TopKey) -> [TopEffect] {
        switch key {
        case .enter: isTyping = false
        case .escape:
            isTyping = false
            return filter.isEmpty ? [] : filtered("")
        case .backspace:
            guard !filter.isEmpty else {
                isTyping = false
                return []
            }
            return filtered(String(filter.dropLast()))
        case .character("\u{15}"): return filtered("")
        case .character(let character):
            guard Printable.text(String(character)) == String(character), filter.count < Self.longestFilter else {
                return []
            }
            return filtered(filter + String(character))
        case .up, .down, .pageUp, .pageDown, .home, .end:
            isTyping = false
            return take(key)
        }
        return []
    }
}
