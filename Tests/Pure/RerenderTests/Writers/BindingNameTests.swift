// SPDX-License-Identifier: MIT
import CRerender
import Testing

@testable import Rerender

@Suite("Language bindings in the program's own file")
struct BindingNameTests {
    @Test(
        "are known by the crate or module of their functions",
        arguments: [
            ("_ZN4gtk44auto5label5Label8set_text17h0123456789abcdefE", true),
            ("_ZN4core3ops8function6FnOnce9call_once17h0123456789abcdefE", true),
            ("_ZN55_$LT$gtk4..Label$u20$as$u20$gtk4..prelude..LabelExt$GT$8set_text17h0123456789abcdefE", true),
            ("_ZN5clock4show17h0123456789abcdefE", false),
            ("_ZN5clock4gtk48set_text17h0123456789abcdefE", false),
            ("_ZN44_$LT$clock..Clock$u20$as$u20$clock..Tick$GT$4tick17h0123456789abcdefE", false),
            ("_ZN4gtk48set_textEv", false), ("gtk4", false), ("", false), ("on_clicked", false),
        ])
    func names(symbol: String, isBinding: Bool) {
        let frame = SymbolicFrame(mangled: symbol, name: symbol, path: nil, line: nil)
        #expect(BindingName.isBinding(frame) == isBinding)
    }

    /// Symbols as the compiler writes them, with what they name.
    @Test(
        "are those of Swift's modules for GTK, and not the app's, also where these extend types of such a module",
        arguments: [
            (
                "$s3Gtk7GObjectC11setProperty5named8newValueySS_xtAA19GValueRepresentableRzlF", "Gtk",
                ["GObject", "setProperty"], true
            ),
            (
                "$s3Gtk7GObjectC11setProperty5named8newValueySS_xtAA19GValueRepresentableRzlFSS_Tg5", "Gtk",
                ["GObject", "setProperty"], true
            ),
            ("$s10GtkBackendAAC11runMainLoopyyyycF", "GtkBackend", ["GtkBackend", "runMainLoop"], true),
            (
                "$s12SwiftCrossUI5StateV12wrappedValuexvs", "SwiftCrossUI", ["State", "wrappedValue", "setter"], true
            ),
            ("$s7Counter9incrementyyF", "Counter", ["increment"], false),
            ("$s7Counter0A3AppV4bodyQrvgyycfU_", "Counter", ["CounterApp", "body", "getter"], false),
            ("$s3Gtk7GObjectC7CounterE6updateyyF", "Counter", ["GObject", "update"], false),
        ] as [(String, String, [String], Bool)])
    func modules(symbol: String, module: String, path: [String], isBinding: Bool) throws {
        let entity = SwiftEntity(describing: try #require(Demangler.demangle(symbol)))
        #expect(entity.module == module && entity.path == path, "\(entity)")
        let frame = SymbolicFrame(mangled: symbol, name: symbol, path: nil, line: nil)
        #expect(BindingName.isBinding(frame) == isBinding)
    }

    @Test("are passed over from when they were named, up to 512 places")
    func places() {
        let addresses = (1...600).map { UInt($0) << 20 }
        #expect(!addresses.contains { crerender_is_passed_over($0) })
        for address in addresses + addresses { crerender_pass_over(address) }
        #expect(addresses.map { crerender_is_passed_over($0) } == (1...600).map { $0 <= 512 })
        #expect(!crerender_is_passed_over(0) && !crerender_is_passed_over(7))
    }
}
