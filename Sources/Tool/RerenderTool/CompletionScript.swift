// SPDX-License-Identifier: MIT
// The scripts with which shells complete the command line.

import ArgumentParser

/// The scripts that make a shell complete the command line.
///
/// Names of views, processes and stores are others' texts: a shell inserts them quoted and expands none of them. The parser's script for fish does
/// that; those for bash and zsh do not.
enum CompletionScript {
    /// The shell that a command line asks a script for; nil where it asks for none, or for one that there is not.
    static func shell(_ arguments: [String]) -> CompletionShell? {
        guard arguments.count == 2, arguments[0] == "--generate-completion-script" else { return nil }
        return CompletionShell(rawValue: arguments[1])
    }

    /// The parser's script, with our ways to add names.
    static func text(for shell: CompletionShell) -> String {
        let script = RerenderCommand.completionScript(for: shell)
        switch shell {
        case .bash: return bash(script)
        case .zsh: return zsh(script)
        default: return script
        }
    }

    /// The parser gives names to `compgen -W`, which expands them: a name `$(date)` would run.
    ///
    /// What it offers nothing for is completed as ever: with files.
    private static func bash(_ script: String) -> String {
        let asked = /__rerenderctl_add_completions -W "\$\((?<call>__rerenderctl_custom_complete .*)\)"/
        let registration = "complete -o filenames -F"
        return script.replacing(asked) { "__rerenderctl_add_names < <(\($0.call))" }
            .replacing(registration, with: addNames + "complete -o filenames -o bashdefault -o default -F")
    }

    /// Adds the lines of standard input that begin with what was typed, in the quotation that the user opened.
    ///
    /// `%q` quotes as bash reads it. Its own quoting of file names leaves `$` and backquotes as they are.
    private static let addNames = #"""
        __rerenderctl_add_names() {
            # The line up to the cursor tells which quotation is open; where it is another one, names cannot be inserted.
            local line=" ${COMP_LINE:0:COMP_POINT}" quotation=''
            case "${line}" in
            *[[:space:]]\'"${cur}") quotation=\' ;;
            *[[:space:]]\""${cur}") quotation=\" ;;
            *[[:space:]]"${cur}") ;;
            *) return ;;
            esac
            local rest="${cur}" typed='' name quoted sign
            local -i index
            [[ "${quotation}" != \' ]] || typed="${rest}" rest=''
            while [[ "${rest}" = *\\* ]]; do
                typed+="${rest%%\\*}"
                rest="${rest#*\\}"
                typed+="${rest:0:1}"
                rest="${rest:1}"
            done
            typed+="${rest}"
            compopt +o filenames 2> /dev/null
            local -a names
            mapfile -t names
            for name in "${names[@]}"; do
                [[ "${name:0:${#typed}}" = "${typed}" ]] || continue
                quoted=''
                if [[ -z "${quotation}" ]]; then
                    printf -v quoted %q "${name}"
                else
                    # Sign by sign: what a replacement makes of quotes depends on the compatibility level.
                    for ((index = 0; index < ${#name}; index++)); do
                        sign="${name:index:1}"
                        case "${quotation}${sign}" in
                        \'\') quoted+=\'\\\'\' ;;
                        \"[\\\"\$\`]) quoted+=\\"${sign}" ;;
                        \"!) quoted+=\"\'!\'\" ;;
                        *) quoted+="${sign}" ;;
                        esac
                    done
                    # Readline closes a quotation, but where it seems to be closed.
                    [[ "${quoted: -1}" != "${quotation}" ]] || quoted+="${quotation}"
                fi
                COMPREPLY+=("${quoted}")
            done
        }

        """#

    /// The parser gives names to `_describe`, which ends them at a colon and takes backslashes out. `compadd` quotes them itself; the signs of
    /// history are special to it only while these are on, which a function for completion has to ask of its caller's options.
    private static func zsh(_ script: String) -> String {
        let described = /if \[\[ "\$\{#completions\[@\]\}" -gt 1 \]\]; then\n.*\n    fi/
        return script.replacing(described) { _ in
            """
            # What is read twice would be expanded the second time.
                local -r twice='(*\\`*|*[[:space:];&|]eval[[:space:]]*)'
                [[ " ${LBUFFER}" != ${~twice} ]] || return
                completions[-1]=()
                [[ "${_comp_caller_options[banghist]:-on}" != on ]] || setopt localoptions banghist
                compadd -V '' -a completions
            """
        }
    }
}
