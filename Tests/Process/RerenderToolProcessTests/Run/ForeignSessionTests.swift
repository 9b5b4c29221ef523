// SPDX-License-Identifier: MIT
// Root with the XDG_RUNTIME_DIR of a user, as `sudo -E` leaves it: nothing of root's is left there.

import Foundation
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("Root with a user's session", .timeLimit(.minutes(10)))
struct ForeignSessionTests {
    /// Runs everything as root with the session of user 4711, on file systems of its own, and then the user's daemon.
    private static let script = """
        set -e
        mkdir -p /run/user
        mount -t tmpfs tmpfs /run/user
        mkdir /run/user/bin
        cp "$1/counting" "$1/rerenderctl" "$1/rerenderd" /run/user/bin
        cd /run/user/bin
        # Only now: the products may be below it.
        mount -t tmpfs -o mode=1777 tmpfs /tmp
        session=/run/user/4711
        mkdir -m 700 "$session"
        chown 4711:4711 "$session"
        export XDG_RUNTIME_DIR="$session"
        echo "run 10" | ./counting
        ./rerenderctl run -- /bin/true > /dev/null
        mkfifo ready
        ./rerenderd --foreground > /dev/null 2> ready &
        # It says when it listens; where it ends before, there is no such line.
        exec 3< ready
        grep -q ' ready ' <&3
        kill $!
        wait $! || true
        echo "root used: $(ls /tmp)"
        RERENDER_RUNTIME_DIR="$session/named" ./rerenderd --foreground 2>&1 | tail -n 1 || true
        find "$session" -printf 'left: %U %p\\n'
        setpriv --reuid=4711 --regid=4711 --clear-groups ./rerenderd --foreground > /dev/null 2> ready &
        exec 3< ready
        grep -q ' ready ' <&3
        setpriv --reuid=4711 --regid=4711 --clear-groups ./rerenderctl stats --json > /dev/null && echo "the user's daemon answers"
        kill $!
        wait $! || true
        """

    @Test(
        "an app, a daemon and the tool leave nothing there, and the user's daemon starts", .promise,
        .enabled(if: geteuid() == 0 && ChildProcess.path(of: "setpriv") != nil, "needs root and setpriv"))
    func sudo() async throws {
        let unshare = try #require(ChildProcess.path(of: "unshare"))
        let products = URL(filePath: ChildProcess.product("rerenderd")).deletingLastPathComponent().path
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        let output = try await ChildProcess.run(
            [unshare, "--mount", "/bin/sh", "-c", Self.script, "sh", products], environment: ["PATH": path])
        let lines = output.standardOutput.split(separator: "\n").map(String.init)
        #expect(output.exit == .status(0), "\(output)")
        #expect(lines.contains { $0.hasPrefix("root used: ") && $0.contains("rerender-0") }, "\(output)")
        #expect(lines.filter { $0.hasPrefix("left: ") } == ["left: 4711 /run/user/4711"], "\(output)")
        #expect(lines.contains { $0.contains("belongs to user 4711 and not to 0") }, "\(output)")
        #expect(lines.last == "the user's daemon answers", "\(output)")
    }
}
