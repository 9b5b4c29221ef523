// SPDX-License-Identifier: MIT
// The file of a real app's flight page: what its own user can do to it.

import Foundation
import TestSupport
import TestTraits
import Testing

@Suite("The file of a flight page")
struct FlightPageFileTests {
    @Test(
        "cannot be opened for writing by its own user, and the next program marks it all the same", .promise,
        .enabled(if: geteuid() == 0 && ChildProcess.path(of: "setpriv") != nil, "needs root and setpriv"))
    func protected() async throws {
        let directory = try TemporaryDirectory()
        #expect(chown(directory.path, 4_711, 4_711) == 0)
        let setpriv = try #require(ChildProcess.path(of: "setpriv"))
        let program = directory.path + "/counting"
        try await ChildProcess.copyProgram(ChildProcess.product("counting"), to: program)
        let output = try await ChildProcess.run(
            [
                setpriv, "--reuid=4711", "--regid=4711", "--clear-groups", "/bin/sh", "-c", Self.script, "sh", program,
                directory.path,
            ],
            environment: [
                "RERENDER_RUNTIME_DIR": directory.path + "/rerender", "PATH": "/usr/bin:/bin", "HOME": directory.path,
            ])
        let lines = output.standardOutput.split(separator: "\n").map(String.init)
        #expect(
            lines == ["10", "mode 400", "refused", "15", "started", "3", "state 2", "mode 400", "mode 400", "4"],
            "\(output)")
    }

    /// Starts an app that counts, tries to cut off its page, and has it become another program.
    private static let script = """
        cd "$2"
        mkfifo orders answers
        "$1" copies < orders > answers &
        exec 3> orders 4< answers
        ask() { echo "$1" >&3; read -r answer <&4; echo "$answer"; }
        modes() { stat -c 'mode %a' rerender/flight/*.page; }
        ask "run 10"
        modes
        truncate -s 0 rerender/flight/*.page 2> /dev/null || echo refused
        ask "run 5"
        first=$(ls rerender/flight)
        ask "exec $1"
        ask "run 3"
        echo "state $(od -An -tu4 -j28 -N4 "rerender/flight/$first" | tr -d ' ')"
        modes
        ask "run 1"
        echo exit >&3
        wait
        """
}
