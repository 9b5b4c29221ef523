// SPDX-License-Identifier: MIT
// Finds views in values of every form.

import Testing

@testable import Rerender

@Suite("Values that hold others")
struct ValueSearchTests {
    struct Wanted: Sendable { var number = 1 }
    struct Other { var text = "text" }
    enum Choice { case none, wanted(Wanted), other(Other), text(String) }
    indirect enum Tree { case leaf(Wanted), empty, branch(Tree, Tree) }
    struct Page {
        var title = "title"
        var badge: Wanted?
        var parts: [any Sendable] = []
    }
    /// Larger than what a container holds in itself.
    struct Large {
        var numbers = (1, 2, 3, 4)
        var wanted: Wanted?
    }
    class Box<Content> {
        let content: Content
        init(_ content: Content) { self.content = content }
    }
    final class Special: Box<Int> {
        let wanted: Wanted?
        init(_ wanted: Wanted?) {
            self.wanted = wanted
            super.init(1)
        }
    }
    final class Variable {
        var wanted = Wanted()
        weak var next: Variable?
    }
    final class Screen { let number = 1 }
    struct Item { var children: [Item] = [] }
    struct Alone: ~Copyable { var wanted = Wanted() }

    private static func declaration(_ type: Any.Type) throws -> UInt { try #require(TypeMetadata(type).declaration) }

    private func address(_ type: Any.Type) -> UnsafeRawPointer { unsafe unsafeBitCast(type, to: UnsafeRawPointer.self) }

    /// Whether a value of a type is found in one.
    private func finds<Value>(_ type: Any.Type = Wanted.self, in value: Value, searches: Int = 1) throws -> Bool {
        var search = ValueSearch()
        search.add(try Self.declaration(type))
        var isFound = false
        for _ in 0..<searches {
            let found = withUnsafePointer(to: value) { search.declarations(in: $0, type: address(Value.self)) }
            if !found.isEmpty {
                #expect(found == [try Self.declaration(type)])
                isFound = true
            }
        }
        let mayFind = search.mayFind(in: address(Value.self))
        #expect(mayFind || !isFound)
        return isFound
    }

    private func mayFind(_ type: Any.Type = Wanted.self, in value: Any.Type) throws -> Bool {
        var search = ValueSearch()
        search.add(try Self.declaration(type))
        return search.mayFind(in: address(value))
    }

    @Test("are found to be one themselves, in fields, tuples, optionals and cases, and only where they are")
    func inline() throws {
        #expect(try finds(in: Wanted()) && !finds(in: Other()))
        #expect(try finds(in: (1, "a", Wanted())) && finds(in: Wanted?.some(Wanted())) && !finds(in: Wanted?.none))
        #expect(try finds(in: Page(badge: Wanted())) && !finds(in: Page()))
        #expect(try finds(in: Choice.wanted(Wanted())) && !finds(in: Choice.other(Other())) && !finds(in: Choice.none))
        #expect(try finds(in: Wanted???.some(.some(.some(Wanted())))) && !finds(in: Wanted???.some(.some(.none))))
    }

    @Test("are found in boxes of cases, however deep")
    func indirect() throws {
        var tree = Tree.branch(.empty, .leaf(Wanted()))
        #expect(try finds(in: tree) && !finds(in: Tree.branch(.empty, .branch(.empty, .empty))))
        for _ in 0..<500 { tree = .branch(.empty, tree) }
        #expect(try finds(in: tree))
    }

    @Test("are found in protocols' containers, in themselves and in boxes, one in the other")
    func containers() throws {
        let value: any Sendable = Wanted()
        #expect(try finds(in: value) && !finds(in: Other() as any Sendable))
        #expect(try finds(in: Large(wanted: Wanted()) as Any) && !finds(in: Large() as Any))
        #expect(try finds(in: Page(parts: [1, Page(parts: [Wanted()])]) as Any))
    }

    @Test("are found in arrays, of which long ones are looked at piece by piece")
    func arrays() throws {
        #expect(try finds(in: [Wanted()]) && !finds(in: [Wanted]()))
        #expect(try finds(in: ContiguousArray([Wanted()])))
        var parts = [any Sendable](repeating: 1, count: 1000)
        parts[777] = Wanted()
        #expect(try !finds(in: parts, searches: 1) && finds(in: parts, searches: 3 * 1000 / 64))
    }

    @Test("are found in long arrays where other values are searched in between")
    func arraysBetween() throws {
        var search = ValueSearch()
        for type in [Wanted.self, Screen.self] as [Any.Type] { search.add(try Self.declaration(type)) }
        for count in [128, 256, 640, 1000] {
            var parts = [any Sendable](repeating: 1, count: count)
            parts[count - 28] = Wanted()
            var isFound = false
            for _ in 0..<count {
                for value in [parts, [2]] {
                    isFound =
                        withUnsafePointer(to: value) {
                            !search.declarations(in: $0, type: address([any Sendable].self)).isEmpty
                        } || isFound
                }
            }
            #expect(isFound, "\(count)")
        }
    }

    struct Key: Hashable { var number = 1 }

    @Test("are found among the keys and values of dictionaries and in sets")
    func tables() throws {
        #expect(try finds(in: [1: Wanted()]) && !finds(in: [1: Other()]) && !finds(in: [Int: Wanted]()))
        #expect(
            try finds(Key.self, in: [Key(): 1]) && finds(Key.self, in: Set([Key()])) && !finds(Key.self, in: Set<Key>())
        )
        #expect(try finds(in: ["a": ["b": [Wanted()]]] as [String: Any]))
        #expect(try finds(in: [1: Wanted()].values) && finds(Key.self, in: [Key(): 1].keys))
        var removed = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, Wanted()) })
        for key in 0..<99 { removed[key] = nil }
        #expect(try finds(in: removed))
        removed[99] = nil
        #expect(try !finds(in: removed, searches: 10))
    }

    @Test("are found in large tables, which are looked at piece by piece, also where most of their buckets are empty")
    func largeTables() throws {
        var parts: [Int: any Sendable] = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0, $0) })
        parts[7777] = Wanted()
        #expect(try !finds(in: parts) && finds(in: parts, searches: 3 * 16_384 / 64))
        for key in 0..<10_000 where key != 7777 { parts[key] = nil }
        #expect(try finds(in: parts, searches: 3))
    }

    @Test("are found in the elements of slices and inline arrays, and not beside them")
    func slices() throws {
        let parts: [any Sendable] = [1, Wanted(), 3, 4]
        #expect(try finds(in: parts[1...2]) && !finds(in: parts[2...]) && !finds(in: parts[1..<1]))
        #expect(try finds(in: [Wanted?.none, Wanted()][1...]) && !finds(in: [Wanted(), nil][1...]))
        let inline: InlineArray<3, any Sendable> = [1, 2, Wanted()]
        #expect(try finds(in: inline))
        #expect(
            try finds(in: [nil, Wanted()] as InlineArray<2, Wanted?>) && !finds(in: [nil] as InlineArray<1, Wanted?>))
        #expect(try !mayFind(in: InlineArray<2, Int>.self))
    }

    struct Failure: Error { var wanted: Wanted? }

    @Test("are found in errors")
    func errors() throws {
        let error: any Error = Failure(wanted: Wanted())
        #expect(try finds(in: error) && !finds(in: Failure() as any Error) && finds(Failure.self, in: error))
        #expect(try finds(in: Result<Int, any Error>.failure(error)) && !finds(in: Result<Int, any Error>.success(1)))
        #expect(try !finds(in: (any Error)?.none))
    }

    private func use(_ values: Any...) {}
    /// Holds a closure as it is: where its type is generic, a thunk holds it.
    struct Action { let run: () -> Void }
    struct Later { let run: @Sendable () async -> Void }
    struct Isolated { let run: @Sendable @MainActor () -> Void }

    @Test("are found in what closures captured, one in the other, and not in variables that they share")
    func closures() throws {
        let (wanted, text, page) = (Wanted(), "text", Page(badge: Wanted()))
        let several = { self.use(wanted, text) }
        let nested = {
            several()
            self.use(text)
        }
        #expect(try finds(in: Action(run: several)) && finds(in: Action(run: nested)))
        let plain = Action { self.use(wanted) }
        let (none, other) = (Action {}, Action { self.use(text, text) })
        #expect(try finds(in: plain) && !finds(in: none) && !finds(in: other))
        // A single capture that is more than bytes may as well be a variable: a thunk's, for one.
        #expect(try !finds(in: Optional(several)))
        let two = { self.use(page, text) }
        #expect(try finds(in: Action(run: two)) && !finds(in: Action(run: Self.single(page))))
        #expect(try finds(in: Action(run: Self.single(Box(Wanted())))))
    }

    @Test("are found in closures beside variables that they share, and not in these")
    func sharedVariables() throws {
        let (page, text) = (Page(badge: Wanted()), "text")
        var (variable, count) = (page, 0)
        let sharing = {
            count += 1
            variable.title += text
        }
        sharing()
        #expect(try !finds(in: Action(run: sharing)))
        let beside = {
            count += 1
            self.use(page, text)
        }
        beside()
        #expect(try finds(in: Action(run: beside)))
        #expect(count == 2 && variable.title != page.title)
    }

    private static func single(_ page: Page) -> () -> Void { { _ = page.title } }
    private static func single(_ box: Box<Wanted>) -> () -> Void { { _ = box.content } }

    @Test("are found in closures of every kind, and in front of a capture that cannot be named")
    func kindsOfClosures() throws {
        let (page, type) = (Page(badge: Wanted()), Int.self as Any.Type)
        let action: @Sendable () async -> Void = {}
        let later = Later { _ = (page, action) }
        let isolated = Isolated { _ = (page, action) }
        #expect(try finds(in: later) && finds(in: isolated))
        let first = { self.use(page, type) }
        #expect(try finds(in: Action(run: first)))
        let behind = Later { [action, page] in _ = (action, page) }
        #expect(try finds(in: behind))
    }

    @Test("are not read in a variable of a function that closures share, which another thread may write")
    func functionVariable() throws {
        let (wanted, text) = (Wanted(), "text")
        var variable = { self.use(wanted, text) }
        let sharing = { variable() }
        variable = { self.use(wanted, text, text) }
        #expect(try !finds(in: Action(run: sharing)))
        sharing()
    }

    @Test("are found beside a closure that refers to itself")
    func recursive() throws {
        struct Recursive {
            var count: (Int) -> Int
            var wanted: Wanted?
        }
        let text = "text"
        var count: (Int) -> Int = { $0 }
        count = { [page = Page()] in $0 == 0 ? text.count + page.parts.count : count($0 - 1) }
        #expect(try finds(in: Recursive(count: count, wanted: Wanted())) && !finds(in: Recursive(count: count)))
    }

    enum Pairs { case none, one(Int.Type, any Sendable), other(Int) }
    indirect enum IndirectPairs { case one(Int.Type, String, any Sendable) }
    struct Pair {
        let pair: (Int.Type, any Sendable)
        var more = 1, others = 2
        var wanted: Wanted?
    }
    struct Typed {
        var wanted: Wanted?
        let type = Int.self
    }

    @Test("are found beside metatypes that take no room, and nothing is read where these are in tuples")
    func thinMetatypes() throws {
        #expect(try !finds(in: Pairs.one(Int.self, Wanted())) && !finds(in: IndirectPairs.one(Int.self, "", Wanted())))
        #expect(
            try finds(in: Pair(pair: (Int.self, 1), wanted: Wanted())) && !finds(in: Pair(pair: (Int.self, Wanted()))))
        #expect(try finds(in: Typed(wanted: Wanted())) && !finds(in: Box((Int.self, Wanted()))))
        let (pair, text) = ((Int.self, Wanted() as Any), "text")
        let closure = { self.use(pair, text) }
        #expect(try !finds(in: Action(run: closure)))
    }

    /// Each has twice as many types in it as the one before.
    struct Left<T> {}
    struct Right<T> {}
    indirect enum A0<T> { case a(A1<Left<T>>), b(A1<Right<T>>), end }
    indirect enum A1<T> { case a(A2<Left<T>>), b(A2<Right<T>>), end }
    indirect enum A2<T> { case a(A3<Left<T>>), b(A3<Right<T>>), end }
    indirect enum A3<T> { case a(A4<Left<T>>), b(A4<Right<T>>), end }
    indirect enum A4<T> { case a(A5<Left<T>>), b(A5<Right<T>>), end }
    indirect enum A5<T> { case a(A6<Left<T>>), b(A6<Right<T>>), end }
    indirect enum A6<T> { case a(A7<Left<T>>), b(A7<Right<T>>), end }
    indirect enum A7<T> { case a(A8<Left<T>>), b(A8<Right<T>>), end }
    indirect enum A8<T> { case a(A9<Left<T>>), b(A9<Right<T>>), end }
    indirect enum A9<T> { case a(B0<Left<T>>), b(B0<Right<T>>), end }
    indirect enum B0<T> { case a(B1<Left<T>>), b(B1<Right<T>>), end }
    indirect enum B1<T> { case a(B2<Left<T>>), b(B2<Right<T>>), end }
    indirect enum B2<T> { case a(B3<Left<T>>), b(B3<Right<T>>), end }
    indirect enum B3<T> { case a(B4<Left<T>>), b(B4<Right<T>>), end }
    indirect enum B4<T> { case a(B5<Left<T>>), b(B5<Right<T>>), end }
    indirect enum B5<T> { case a(B6<Left<T>>), b(B6<Right<T>>), end }
    indirect enum B6<T> { case a(B7<Left<T>>), b(B7<Right<T>>), end }
    indirect enum B7<T> { case a(B8<Left<T>>), b(B8<Right<T>>), end }
    indirect enum B8<T> { case a(T), end }

    @Test("are searched for in as many types as have an end in sight, and else anywhere")
    func manyTypes() throws {
        #expect(try mayFind(in: A0<Int>.self) && !finds(in: A0<Int>.end))
    }

    enum Sparse { case header(Nothing), wanted(Wanted), none, other(Void) }
    enum Bare { case header(Nothing), none }
    struct Nothing {}

    @Test("are found in cases that need no bytes")
    func withoutBytes() throws {
        #expect(try finds(Nothing.self, in: Sparse.header(Nothing())) && !finds(Nothing.self, in: Sparse.other(())))
        #expect(try !finds(Nothing.self, in: Sparse.none) && finds(in: Sparse.wanted(Wanted())))
        #expect(try finds(Nothing.self, in: Bare.header(Nothing())) && !finds(Nothing.self, in: Bare.none))
        #expect(try finds(Nothing.self, in: [Sparse.none, .header(Nothing())]))
    }

    struct Endless {
        indirect enum N<T> { case one(T), two(N<(T, T)>), end }
        var n: N<Int> = .end
    }

    @Test("are searched in types that have no end")
    func endless() throws {
        #expect(try mayFind(in: Endless.self) && !finds(in: Endless()))
    }

    protocol Named: AnyObject {}
    final class Name: Named {
        let wanted: Wanted
        init(_ wanted: Wanted) { self.wanted = wanted }
    }
    actor Player {
        let wanted = Wanted()
    }

    @Test("are found behind protocols of classes, and not in actors, which may be elsewhere")
    func references() throws {
        #expect(try finds(in: Name(Wanted()) as any Named) && finds(in: Name(Wanted()) as AnyObject))
        #expect(try !finds(in: Player()) && finds(Player.self, in: Player()))
    }

    @Test("are found in what objects hold for ever, of whatever class they are, and not in their variables")
    func objects() throws {
        #expect(try finds(in: Box(Wanted())) && !finds(in: Box(Other())))
        #expect(try finds(in: Special(Wanted()) as Box<Int>) && !finds(in: Special(nil) as Box<Int>))
        #expect(try finds(in: Box(Box([Wanted()]))))
        #expect(try !finds(in: Variable()))
        #expect(try finds(Screen.self, in: (1, Screen())) && !finds(Screen.self, in: Box(1)))
        // Its type says that it is a `Box`.
        #expect(try finds(Special.self, in: Special(nil) as Box<Int>) && !finds(Special.self, in: Box(1)))
        #expect(try !finds(in: Box<Variable?>(nil)))
    }

    @Test("are not entered where their type has no place for one")
    func types() throws {
        for type in [Int.self, String.self, [Other].self, (Other, Int)?.self, Item.self] as [Any.Type] {
            #expect(try !mayFind(in: type), "\(type)")
        }
        for type in [Wanted.self, [Wanted?].self, Tree.self, (any Sendable).self, Box<Int>.self] as [Any.Type] {
            #expect(try mayFind(in: type), "\(type)")
        }
        #expect(try mayFind(Item.self, in: Item.self))
    }

    @Test("are entered no more once what they hold was found and is wanted no longer")
    func forgotten() throws {
        let (list, declaration) = (address([Wanted].self), try Self.declaration(Wanted.self))
        var search = ValueSearch()
        var answers = [search.mayFind(in: list)]
        search.add(declaration)
        answers.append(search.mayFind(in: list))
        search.remove(declaration)
        answers.append(search.mayFind(in: list))
        search.forget()
        answers.append(search.mayFind(in: list))
        // Then nothing is wanted, whatever was asked before.
        #expect(answers == [false, true, false, false])
    }

    @Test("are looked at up to a bound")
    func bounded() throws {
        var tree = Tree.leaf(Wanted())
        for _ in 0..<100_000 { tree = .branch(tree, .empty) }
        #expect(try !finds(in: tree))
        // Freed piece by piece: a recursion of that depth has no room on a thread of tests.
        while case .branch(let next, _) = tree { tree = next }
    }
}
