"""Bash functions around commands of bashkit's that ask the machine's clock, or draw, by themselves.

Unlike commands of our own they do not reach into `bash -c` and scripts that bash is given as files or by a pipe.
"""

from __future__ import annotations

from typing import Final

__all__ = ("FUNCTIONS", "PRINTF")

_FIND: Final = (
    'find() { case " $* " in *" -"[acm]time" "*|*" -"[acm]min" "*|*" -newer"*) '
    'echo "find: files carry no times here, so -mtime, -mmin and -newer cannot be used; go by names and contents" >&2; '
    'return 1;; esac; command find "$@"; }'
)
"""`find` asks the machine's clock how old a file is, and there is no other way to its predicates."""

_LS: Final = r"""ls() {
    local a=() w p='^-[A-Za-z0-9]*t[A-Za-z0-9]*$'
    if [[ " $*" =~ ' '-[A-Za-z0-9]*t ]]; then
        for w in "$@"; do
            if [[ $w =~ $p ]]; then w=${w//t/}; fi
            if [ "$w" != - ]; then a+=("$w"); fi
        done
        set -- "${a[@]}"
    fi
    command ls "$@"
}"""
"""All files are from one moment, so that their names alone order them; but what a script has just written is not."""

_SORT: Final = (
    'sort() { case " $* " in *" -R"*|*" -"[bdfghiMnrVsuz]R*|*" --random-sort "*|*" --sort=random "*) '
    'echo "sort: there is no order of chance here; shuf has one, always the same" >&2; return 2;; esac; '
    'command sort "$@"; }'
)
_DD: Final = (
    'dd() { case " $* " in *" if=/dev/urandom "*|*" if=/dev/random "*) '
    'echo "dd: /dev/urandom and /dev/random cannot be copied here; head -c reads them" >&2; return 1;; esac; '
    'command dd "$@"; }'
)
"""`sort` and `dd` draw by themselves."""

_AWK: Final = r"""awk() {
    case "$*" in *srand\(\)*|*time\(*)
        local a=() w f p='strftime\(("[^"]*"|[A-Za-z_0-9]+)\)'
        set -- "${@//srand()/srand($EPOCHSECONDS)}"
        set -- "${@//systime()/$EPOCHSECONDS}"
        set -- "${@//strftime()/strftime(\"%a %b %e %H:%M:%S %Z %Y\")}"
        for w in "$@"; do
            while [[ $w =~ $p ]]; do
                f=${BASH_REMATCH[0]}
                w=${w%%"$f"*}${f%?}", $EPOCHSECONDS)"${w#*"$f"}
            done
            a+=("$w")
        done
        set -- "${a[@]}";;
    esac
    command awk "$@"
}"""
"""awk's `srand()`, `systime()` and `strftime` without a time take the machine's."""

_JQ: Final = r"""jq() {
    case "$*" in *now*)
        local a=() w skip=0 done=
        for w in "$@"; do
            if [ $skip != 0 ]; then skip=$((skip - 1))
            elif [ -z "$done" ]; then
                case "$w" in
                    --arg|--argjson|--slurpfile|--rawfile) skip=2;;
                    --indent|-L) skip=1;;
                    --from-file|-[!-]*f*|-f|import*|include*) done=1;;
                    -*) ;;
                    *) w="def now: $EPOCHSECONDS; $w" done=1;;
                esac
            fi
            a+=("$w")
        done
        set -- "${a[@]}";;
    esac
    command jq "$@"
}"""
"""jq's `now` is the machine's, and can be defined anew before a program."""

FUNCTIONS: Final = {
    "find": _FIND,
    "ls": _LS,
    "sort": _SORT,
    "dd": _DD,
    "awk": _AWK,
    "gawk": _AWK.replace("awk()", "gawk()", 1),
    "jq": _JQ,
    "history": "history() { :; }",  # bashkit's tells what was run here before the script
}
"""Name -> definition of a function that stands for the command of that name."""

PRINTF: Final = r"""printf() {
    local n=1 f w m i=0 p='%[-+ #0-9.]*(\([^)]*\)T|[a-zA-Z%])'
    case "$1" in -v) n=3;; --) n=2;; esac
    f=${!n}
    if [[ $f == *'('*')T'* ]]; then
        local a=("${@:n+1}")
        while [ $i = 0 ] || [ $i -lt ${#a[@]} ]; do
            w=$f
            while [[ $w =~ $p ]]; do
                m=${BASH_REMATCH[0]}
                w=${w#*"$m"}
                case "${BASH_REMATCH[1]}" in
                    %) continue;;
                    \(*) case "${a[i]-}" in -1|-2|'') a[i]=$EPOCHSECONDS;; esac;;
                    *) a[i]=${a[i]-};;
                esac
                i=$((i + 1))
            done
        done
        set -- "${@:1:n}" "${a[@]}"
    fi
    builtin printf "$@"
}"""
"""`%(FORMAT)T` takes the machine's time where it is given none, or -1 or -2. Only for scripts with a ")T": it makes
several commands of one, and a script may run so many."""
