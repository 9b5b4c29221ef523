// SPDX-License-Identifier: MIT
// A message bus passes nothing of an injection on to the services that it starts.

import CInject
import Glibc
import Testing

@Suite("Programs that start services") struct ServiceTests {
    /// Calls with texts as a program has them, and a null pointer behind them.
    private static func with<Value>(_ texts: [String], _ body: (inout [UnsafeMutablePointer<CChar>?]) -> Value) -> Value
    {
        let owned = texts.map { strdup($0) }
        defer { for text in owned { free(text) } }
        var list = owned + [nil]
        return body(&list)
    }

    private static func cleared(_ environment: [String]) -> [String] {
        with(environment) { list in
            crerender_clear_environment(&list)
            return list.prefix { $0 != nil }.compactMap { $0.map { String(cString: $0) } }
        }
    }

    @Test(
        "a message bus is one, and what starts it where a session has none",
        arguments: [
            ("/usr/bin/dbus-daemon", [], true), ("dbus-broker-launch", [], true),
            ("/usr/libexec/at-spi-bus-launcher", ["--launch-immediately"], true),
            ("/usr/bin/dbus-launch", ["--autolaunch=3d12", "--binary-syntax", "--close-stderr"], true),
            ("/usr/bin/dbus-launch", ["--exit-with-session", "app"], false),
            ("/usr/bin/dbus-run-session", ["app"], false),
            ("/usr/bin/gnome-calculator", [], false), ("", [], false), ("./dbus-daemon-app", [], false),
        ] as [(String, [String], Bool)])
    func programs(path: String, arguments: [String], isBus: Bool) {
        #expect(Self.with([path] + arguments) { crerender_starts_services(path, &$0) } == isBus)
    }

    @Test("what rerenderctl added is taken out of the environment, and what was there stays as it was")
    func environment() {
        let preload = "/usr/lib/rerender/librerender-preload.so"
        #expect(
            Self.cleared([
                "HOME=/root", "LD_PRELOAD=\(preload)", "RERENDER_INJECT_REPORT=/run/r", "RERENDER_HUD=1",
                "RERENDER_HUD_SHORTCUT=F12", "GIO_EXTRA_MODULES=/usr/lib/rerender/rerender-gio",
                "RERENDER_VIEW_PROTOCOLS=A.B", "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0", "LANG=C",
            ]) == ["HOME=/root", "RERENDER_HUD_SHORTCUT=F12", "ASAN_OPTIONS=detect_leaks=0", "LANG=C"])
        #expect(Self.cleared(["LD_PRELOAD=a.so:\(preload)"]) == ["LD_PRELOAD=a.so"])
        #expect(Self.cleared(["LD_PRELOAD=a.so:\(preload):b.so"]) == ["LD_PRELOAD=a.so:b.so"])
        #expect(Self.cleared(["LD_PRELOAD=\(preload):b.so"]) == ["LD_PRELOAD=b.so"])
        for other in [
            "LD_PRELOAD=", "LD_PRELOAD=a.so:b.so", "LD_PRELOAD=::", "LD_PRELOAD", "=", "", "XLD_PRELOAD=\(preload)",
        ] {
            #expect(Self.cleared([other]) == [other], "\(other)")
        }
        #expect(Self.cleared([]).isEmpty)
    }
}
