// SPDX-License-Identifier: MIT
// `rerenderctl help agents`: one page for scripts and agents, which packages install as a skill file.

import RerenderShow

/// The page for agents.
enum AgentsHelp {
    /// Whether a command line asks for the page.
    static func isAsked(_ arguments: [String]) -> Bool { arguments == ["help", "agents"] }

    /// The page. It begins as a skill file does.
    static let text = """
        ---
        name: rerender
        description: Find which views or widgets of a Linux program are evaluated or drawn, how often, why, by which code and at which cost. Use it where a program of GTK 4, Swift, Python, Vala, JavaScript, Rust or C is slow, busy without input, or hangs.
        ---

        # Rerender

        Counts are exact. A `~` stands before a guess. What is missing is said with a `!`.
        Each list that is cut ends with the number of rows that are missing and the
        option that shows them. Each empty answer says why it is empty.

        ## 1. Start

            rerenderctl run -- ./my-app &
            rerenderctl wait --program my-app --timeout 30s

        `run` needs no daemon and no change of the program. In all commands, --process
        takes the pid or the name. If nothing is counted: rerenderctl doctor

        ## 2. Mark, and do it

        Mark the moment, use the program or let it rest, and wait until nothing is
        evaluated:

            rerenderctl mark tap-add --process my-app
            rerenderctl wait --idle --program my-app
            rerenderctl wait --view CartTotal --timeout 10s
            rerenderctl wait --hang --timeout 2m

        `wait` ends with status 0 if it saw it, and with 1 if the time was over.

        ## 3. Look

            rerenderctl stats --since tap-add --process my-app --limit 10
            rerenderctl look my-app --for 10s
            rerenderctl stats --process my-app --limit 10
            rerenderctl hangs --process my-app --limit 3

        The first line is the verdict: `!` a fault, `·` busy without a known fault, or
        `Nothing to fix`. It ends with the command that tells more. `look` shows what
        happened in these seconds alone, --since what happened since the mark, and --from
        with --to what happened between two. `hangs` also lists slow clicks and keys.

        ## 4. Explain

            rerenderctl explain
            rerenderctl explain CartTotal --process my-app
            rerenderctl explain CartTotal --sources --limit 10

        Without a key it explains what costs most: why it was evaluated, which function
        in which file wrote what it reads, what was wasted, and what helps. With
        --sources it lists all writes that woke the view, and the views between.

        ## 5. Mend

        Change the writer or the view at the place that `explain` names. Widgets are
        drawn by GTK: mend who asks for it, the writer, and not GTK.

        ## 6. Compare

        Do the same again with the changed program. Runs are kept when they end:

            rerenderctl diff last~1 last
            rerenderctl export --process my-app -o after.json
            rerenderctl diff before.json after.json --fail-on-increase

        ## For programs

        `stats`, `explain`, `hangs`, `diff`, `check` and `doctor` have --json. An answer
        as JSON has every row: use --limit with `stats`. Statuses: 0 success, 1 a check
        failed or the time was over, 64 wrong usage, 65 unreadable input, 69 no daemon.
        `rerenderctl help COMMAND` has the rest. `rerenderctl mcp` has six of them as
        tools of the Model Context Protocol.
        """
}
