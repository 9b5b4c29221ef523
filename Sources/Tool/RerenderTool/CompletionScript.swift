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
        let registration = "complete -o filenames -F _rerenderctl"
        return script.replacing(asked) { "__rerenderctl_add_names < <(\($0.call))" }
            .replacing(
                registration,
                with: addNames + joinWords + "complete -o filenames -o bashdefault -o default -F __rerenderctl_complete"
            )
    }

    /// Adds the lines of standard input that begin with what was typed, in the quotation that the user opened.
    ///
    /// `%q` quotes as bash reads it. Its own quoting of file names leaves `$` and backquotes as they are.
    private static let addNames = #"""
        # Sets the variable named by the second argument to the first without its backslashes.
        __rerenderctl_unescape() {
            local rest="${1}" text=''
            while [[ "${rest}" = *\\* ]]; do
                text+="${rest%%\\*}"
                rest="${rest#*\\}"
                text+="${rest:0:1}"
                rest="${rest:1}"
            done
            printf -v "${2}" %s "${text}${rest}"
        }

        __rerenderctl_add_names() {
            # The line up to the cursor tells which quotation is open; where it is another one, names cannot be inserted.
            local line=" ${COMP_LINE:0:COMP_POINT}" quotation=''
            case "${line}" in
            *[[:space:]]\'"${cur}") quotation=\' ;;
            *[[:space:]]\""${cur}") quotation=\" ;;
            *[[:space:]]"${cur}") ;;
            *) return ;;
            esac
            local typed before='' name quoted sign
            local -i index
            if [[ "${quotation}" = \' ]]; then
                typed="${cur}"
            else
                __rerenderctl_unescape "${cur}" typed
                __rerenderctl_unescape "${joined}" before
            fi
            compopt +o filenames 2> /dev/null
            local -a names
            mapfile -t names
            for name in "${names[@]}"; do
                [[ "${name:0:${#typed}}" = "${typed}" ]] || continue
                [[ -z "${onlyPlain-}" || "${name}" != *[!A-Za-z0-9_.:/-]* ]] || continue
                quoted=''
                if [[ -z "${quotation}" ]]; then
                    name="${name:${#before}}"
                    [[ -z "${name}" ]] || printf -v quoted %q "${name}"
                    quoted="${joined}${quoted}"
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

    /// Bash begins another word at each `:`, `=` and `@` that is not quoted, and inserts only what follows the last. This makes one word of such
    /// pieces for the parser's script, and takes them away again from what it offers. An option and a value behind its `=` are not joined.
    private static let joinWords = #"""
        __rerenderctl_complete() {
            local line="${COMP_LINE}" rest piece='' last joined='' onlyPlain=''
            # What completes for another command, such as `eval`, has the line read twice.
            [[ "${FUNCNAME[1]-main}" = main ]] || onlyPlain=yes
            local -a words=()
            local -i index
            for ((index = 0; index <= COMP_CWORD; index++)); do
                last="${piece}"
                piece="${COMP_WORDS[index]}"
                rest="${line#"${line%%[![:space:]]*}"}"
                if [[ "${#words[@]}" -gt 1 && "${rest}" = "${line}" && "${words[-1]}" != -* &&
                    ( ( -n "${piece}" && "${piece}" != *[!:=@]* ) || ( -n "${last}" && "${last}" != *[!:=@]* ) ) ]]; then
                    words[-1]+="${piece}"
                else
                    words+=("${piece}")
                fi
                line="${rest#"${piece}"}"
            done
            # bash itself gives no word behind such a sign, and completion of what `sudo` runs gives the sign.
            local typed="${2}"
            [[ "${typed}" = *[!:=]* ]] || typed=''
            local word="${2}" before="${3}" unquoted="${words[-1]//\\?/}"
            if [[ "${words[-1]}" != "${COMP_WORDS[COMP_CWORD]}" && "${words[-1]}" = *"${typed}" && "${unquoted}" != *[\'\"]* ]]; then
                word="${words[-1]}"
                joined="${word%"${typed}"}"
                before="${words[-2]}"
                COMP_WORDS=("${words[@]}" "${COMP_WORDS[@]:COMP_CWORD + 1}")
                COMP_CWORD=$((${#words[@]} - 1))
            fi
            _rerenderctl "${1}" "${word}" "${before}"
            for index in "${!COMPREPLY[@]}"; do
                COMPREPLY[index]="${COMPREPLY[index]#"${joined}"}"
            done
        }

        """#

    /// The parser gives names to `_describe`, which ends them at a colon and takes backslashes out. `compadd` quotes them itself; the signs of
    /// history are special to it only while these are on, which a function for completion has to ask of its caller's options.
    private static func zsh(_ script: String) -> String {
        let described = /if \[\[ "\$\{#completions\[@\]\}" -gt 1 \]\]; then\n.*\n    fi/
        return script.replacing(described) { _ in
            """
            completions[-1]=()
                # A line that is not this command alone may be read twice, as `eval`, `watch` and backquotes do: there, only names are offered that
                # mean nothing to a shell.
                local whole="${PREBUFFER}${LBUFFER}"
                whole="${whole##[[:space:]]#}"
                local -r alone='(|[^[:space:]]##/)rerenderctl[[:space:]]*' more=$'*[;&|`(){}<>\\n]*'
                if [[ "${whole}" != ${~alone} || "${whole}" = ${~more} ]]; then
                    completions=("${(@)completions:#*[^A-Za-z0-9_.:/-]*}")
                fi
                [[ "${_comp_caller_options[banghist]:-on}" != on ]] || setopt localoptions banghist
                compadd -V '' -a completions
            """
        }
    }
}
