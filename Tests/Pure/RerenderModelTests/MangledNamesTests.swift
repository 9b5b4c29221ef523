// SPDX-License-Identifier: MIT
// Mangled names of Rust and C++, in texts as apps write them. The names are those of compilers, and the paths those of c++filt.

import Testing

@testable import RerenderModel

@Suite("Mangled names")
struct MangledNamesTests {
    private func path(_ symbol: String) -> String? { RustName(Array(symbol.utf8))?.path }

    @Test("the legacy form of Rust is a path without its hash")
    func legacy() {
        #expect(path("_ZN5clock2ui5inner4draw17h02a95eb95e3a3f53E") == "clock::ui::inner::draw")
        let closure = "_ZN5clock4main28_$u7b$$u7b$closure$u7d$$u7d$17h266cac6e3afa1cebE"
        #expect(path(closure) == "clock::main::{closure}")
        let tick = "_ZN53_$LT$clock..Clock$LT$T$GT$$u20$as$u20$clock..Tick$GT$4tick17h9c46bb87c6e934d0E"
        #expect(path(tick) == "<clock::Clock<T> as clock::Tick>::tick")
        #expect(path("_ZN5clock12_$uc9$t$ue9$5jouer17hc2a7ad05442f40bcE") == "clock::Été::jouer")
        let drop =
            "_ZN4core3ptr65drop_in_place$LT$alloc..boxed..Box$LT$dyn$u20$clock..Tick$GT$$GT$17ha2225b81b161e31eE"
        #expect(path(drop) == "core::ptr::drop_in_place<alloc::boxed::Box<dyn clock::Tick>>")
    }

    @Test("v0 is a path without hashes and type arguments")
    func newer() {
        #expect(path("_RNvNtNtCsjtKoB203Ag8_5clock2ui5inner4draw") == "clock::ui::inner::draw")
        #expect(path("_RNCNvCsjtKoB203Ag8_5clock4mains0_0B3_") == "clock::main::{closure}")
        #expect(path("_RINvCsjtKoB203Ag8_5clock5konstKj3_EB2_") == "clock::konst")
        #expect(path("_RINvMs_CsjtKoB203Ag8_5clockINtB5_5ClocklE4showNCNvB5_4main0EB5_") == "clock::Clock::show")
        #expect(
            path("_RNvXCsjtKoB203Ag8_5clockINtB2_5ClockReENtB2_4Tick4tickB2_") == "<clock::Clock as clock::Tick>::tick")
        let shim =
            "_RNSNvYNCNvCsjtKoB203Ag8_5clock4mains0_0INtNtNtCsgEmfK2I1SDS_4core3ops8function6FnOnceTmEE9call_once6vtableB8_"
        #expect(path(shim) == "<clock::main::{closure} as core::ops::function::FnOnce>::call_once::{shim}")
        let drop =
            "_RNvXs8_NtCslNYArtu3iFV_5alloc5boxedINtB5_3BoxDNtCsjtKoB203Ag8_5clock4TickEL_ENtNtNtCsgEmfK2I1SDS_4core3ops4drop4Drop4dropBK_"
        #expect(path(drop) == "<alloc::boxed::Box as core::ops::drop::Drop>::drop")
    }

    @Test("a trampoline of gtk-rs is shown as the closure that it calls")
    func trampoline() {
        #expect(
            path("_RINvCsjtKoB203Ag8_5clock18clicked_trampolineNCNvB2_4mains_0EB2_") == "clock::main::{closure}")
        // The legacy form does not say which.
        #expect(path("_ZN5clock18clicked_trampoline17h2d880d65dcbac391E") == "clock::clicked_trampoline")
    }

    @Test("what is damaged, or refers to itself, is no name, and takes no time")
    func hostile() {
        let names = [
            "", "_R", "_ZN", "_ZN5clock4mainE", "_ZN5clock17hE", "_ZN17h02a95eb95e3a3f53E",
            "_ZN9999999999999999999999a",
            "_ZN5clock4m$u7$17h02a95eb95e3a3f53E", "_ZN5clock8$uD800$a17h02a95eb95e3a3f53E", "_RB_", "_RNvB_1a",
            "_RNvC99999clock", "_RMB_", "_RNvCs_5clock", "_R" + String(repeating: "Nv", count: 5_000),
        ]
        for name in names { #expect(path(name) == nil, "\(name.prefix(60))") }
        let whole = "_RINvMs_CsjtKoB203Ag8_5clockINtB5_5ClocklE4showNCNvB5_4main0EB5_"
        for length in 0..<whole.utf8.count { _ = path(String(whole.prefix(length))) }
        // Each part stands for two of the one before: 2^40 of them.
        var twice = "_RINvC1a1bT"
        for _ in 0..<40 { twice += "TB8_B8_E" }
        #expect(path(twice) == nil)
    }

    @Test("names are replaced where they stand in a text, and nothing else is")
    func texts() {
        let rust = "_ZN5clock4main28_$u7b$$u7b$closure$u7d$$u7d$17h266cac6e3afa1cebE() clock.rs:12"
        #expect(
            Printable.text("queue_draw by the timer \(rust), 3")
                == "queue_draw by the timer clock::main::{closure}() clock.rs:12, 3")
        #expect(Printable.text("_RNvCsjtKoB203Ag8_5clock3tup.llvm.123() in x") == "clock::tup() in x")
        #expect(Printable.text("_ZN3app6Window4tickEiPKc.isra.0() a.cpp:7") == "app::Window::tick.isra.0() a.cpp:7")
        #expect(Printable.text("_ZN5clock2ui4draw17h02a95eb95e3a3f53E.") == "clock::ui::draw.")
        let same = [
            "update_label() clock.c:4", "_Reset", "_ZN", "a_ZN3app4tickEv", "_ZN5clock4main17h9c46bb87c6e93…0123",
            "é_RNvC1a1b", "__ZN3app4tickEv", "Ticker.advance() Shop/Ticker.swift:40", "",
        ]
        for text in same { #expect(Printable.text(text) == text) }
        #expect(Printable.text("_ZN3app4tickEv/x_ZN") == "app::tick/x_ZN")
        // A path that looks like a mangled name would be replaced again.
        let nested = "_ZN9_RNvC1a1b1c17h02a95eb95e3a3f53E"
        #expect(Printable.text(nested) == nested)
    }

    @Test("paths that are copied stay as they are")
    func exact() {
        #expect(ShellCommand.path("/tmp/_ZN3app4tickEv").text == "/tmp/_ZN3app4tickEv")
        #expect(Printable.exact("_ZN3app4tickEv\u{1B}") == "_ZN3app4tickEv\\u{1b}")
    }

    @Test("simple names of C++ are read here, and others by another program")
    func cxx() {
        let simple = [
            "_Z13free_functiond": "free_function", "_ZL2sti": "st",
            "_ZN3app12_GLOBAL__N_14anonEi": "app::(anonymous namespace)::anon",
            "_ZN3app6WindowC2Ev": "app::Window::Window", "_ZN3app6WindowD1Ev": "app::Window::~Window",
            "_ZNK3app6Window4sizeEv": "app::Window::size", "_ZN3appL6hiddenEi": "app::hidden",
            "_ZNSt6thread4joinEv": "std::thread::join",
        ]
        for (symbol, path) in simple { #expect(Printable.text(symbol) == path) }
        let names = ["_ZN3app6Window3putIiEEvT_", "_ZNK3app6WindoweqERKS0_", "_ZZN3app5setupEiENKUliE_clEi"]
        #expect(MangledNames.unread(in: names.map { "by \($0)() a.cpp:3" } + Array(simple.keys)) == names.sorted())
        for name in names { #expect(Printable.text(name) == name) }
        MangledNames.learn(
            names,
            [
                "app::Window::put<std::map<int, char> >", "app::Window::operator==",
                "app::setup(int)::{lambda(int)#1}::operator()",
            ])
        #expect(Printable.text("by \(names[0])() a.cpp:3") == "by app::Window::put() a.cpp:3")
        #expect(
            names.map { Printable.text($0) } == ["app::Window::put", "app::Window::operator==", "app::setup::{lambda}"])
        #expect(MangledNames.unread(in: names).isEmpty)
    }

    @Test("what another program cannot read is not asked for again")
    func unanswered() {
        let names = ["_ZN3appIiE3oneEv", "_ZN3appIiE3twoEv"]
        MangledNames.learn(names, ["app<int>::one()"])
        #expect(MangledNames.unread(in: names).isEmpty)
        for name in names { #expect(Printable.text(name) == name) }
        let other = "_ZN3appIiE5threeEv"
        MangledNames.learn([other], [other[...]])
        #expect(MangledNames.unread(in: [other]).isEmpty && Printable.text(other) == other)
    }

    @Test("a declaration of C++ is a path")
    func declarations() {
        let paths = [
            (
                "app::setup(std::vector<int, std::allocator<int> >)::{lambda(int)#12}::operator()(int) const",
                "app::setup::{lambda}"
            ),
            ("Board::start()::{lambda(_GtkButton*, void*)#1}::_FUN(_GtkButton*, void*)", "Board::start::{lambda}"),
            ("void app::Window::put<int>(int)", "app::Window::put"),
            ("app::(anonymous namespace)::anon(int)", "app::(anonymous namespace)::anon"),
            ("app::Window::operator<<(int)", "app::Window::operator<<"),
            ("app::Window::operator()(int) const", "app::Window::operator()"),
            ("app::Window::operator int() const", "app::Window::operator int"),
            ("app::Window::operator new(unsigned long)", "app::Window::operator new"),
        ]
        for (declaration, path) in paths { #expect(CxxName.path(of: declaration) == path) }
        for text in ["", "a)", "(", "<>", String(repeating: "a", count: 300)] { #expect(CxxName.path(of: text) == nil) }
    }
}
