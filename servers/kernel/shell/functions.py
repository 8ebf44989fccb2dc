"""Bash functions around commands of bashkit's that ask the machine's clock, draw, or do something else than GNU's.

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
    case "$*" in *now*|*del*)
        local a=() w skip=0 done=
        for w in "$@"; do
            if [ $skip != 0 ]; then skip=$((skip - 1))
            elif [ -z "$done" ]; then
                case "$w" in
                    --arg|--argjson|--slurpfile|--rawfile) skip=2;;
                    --indent|-L) skip=1;;
                    --from-file|-[!-]*f*|-f|import*|include*) done=1;;
                    -*) ;;
                    *) w="def now: $EPOCHSECONDS; def del(f): reduce ([path(f)] | sort | reverse | .[]) as \$p (.;
                        if (getpath(\$p[:-1]) | type) != \"object\" then delpaths([\$p])
                        else setpath(\$p[:-1]; getpath(\$p[:-1]) | with_entries(select(.key != \$p[-1]))) end); $w"
                        done=1;;
                esac
            fi
            a+=("$w")
        done
        set -- "${a[@]}";;
    esac
    command jq "$@"
}"""
"""jq's `now` is the machine's and its `del` moves the last key into the gap; both can be defined before a program."""

_TEE: Final = r"""tee() {
    local a=() w s=0
    for w in "$@"; do
        case "$w" in
            -*) ;;
            *) if [ -d "$w" ]; then echo "tee: $w: Is a directory" >&2; s=1; continue; fi;;&
            */*) if [ ! -d "${w%/*}/" ]; then echo "tee: $w: No such file or directory" >&2; s=1; continue; fi;;
        esac
        a+=("$w")
    done
    command tee "${a[@]}" && return $s
}"""
_SPLIT: Final = r"""split() {
    local w="${!#}"
    case "$w" in */*) if [ ! -d "${w%/*}/" ]; then
        echo "split: ${w}aa: No such file or directory" >&2; return 1; fi;; esac
    command split "$@"
}"""
_JOIN: Final = r"""join() {
    local w
    for w in "${@: -2}"; do
        if [ -d "$w" ]; then echo "join: read error: Is a directory" >&2; return 1; fi
        if [ "$w" != - ] && [ ! -e "$w" ]; then echo "join: $w: No such file or directory" >&2; return 1; fi
    done
    command join "$@"
}"""
"""`tee`, `split` and `join` end the whole script where a file or directory is not there."""

_CHMOD: Final = r"""chmod() {
    local a=() w deep= s=0
    for w in "$@"; do
        case "$w" in --recursive|-R) deep=1;; -[cfv]*R*|-R*) deep=1 a+=("${w//R/}");; *) a+=("$w");; esac
    done
    if [ ! "$deep" ]; then command chmod "$@"; return; fi
    local n=0
    while [[ ${a[n]} == -[cfv]* ]]; do n=$((n + 1)); done
    for w in "${a[@]:n+1}"; do command find "$w" ! -type l -exec chmod "${a[n]}" {} + || s=1; done
    return $s
}"""
"""bashkit's takes the mode behind `-R` for a file."""

_ICONV: Final = r"""iconv() {
    case " ${*,,} " in
        *' '-t' 'utf-8[\ /]*|*' '-t' 'utf8[\ /]*|*' '-tutf*8[\ /]*|*' '-t' 'ascii[\ /]*) ;;
        *' '-t' 'us-ascii[\ /]*|*' '--to-code=utf*8[\ /]*|*' '-l' '*|*' '--*) ;;
        *) echo "iconv: only to UTF-8 and ASCII here, since text is UTF-8; give -f and -t utf-8" >&2; return 1;;
    esac
    command iconv "$@"
}"""
"""bashkit's writes UTF-8 whatever it is told to write."""

_UMASK: Final = r"""umask() {
    case "$*" in
        ''|--|-S|-p|-[pS][pS]|22|022|0022|u=rwx,g=rx,o=rx) builtin umask "$@";;
        '-- '22|'-- '022|'-- '0022|'-- 'u=rwx,g=rx,o=rx) ;;
        *) echo "umask: new files have their usual permissions here, whatever the mask; give others with chmod" >&2
            return 1;;
    esac
}"""
"""bashkit's keeps a mask that nothing follows."""

_COMM: Final = r"""comm() {
    local w f=() n=1 s=0
    command comm "$@" || return
    case " $* " in *' --nocheck-order '*) return;; esac
    for w in "$@"; do
        case "$w" in -?*) ;; *) f+=("$w");; esac
    done
    if [ "${f[0]}" = - ] || [ "${f[1]}" = - ] || command cmp -s "${f[0]}" "${f[1]}"; then return; fi
    for w in "${f[@]}"; do
        if ! command sort -c "$w" 2> /dev/null; then echo "comm: file $n is not in sorted order" >&2; s=1; fi
        n=$((n + 1))
    done
    return $s
}"""
"""bashkit's does not say that files are not sorted, where what it prints is wrong."""

_EXPR: Final = r"""expr() {
    case " $* " in *' ( '*) echo 'expr: no parentheses here; write $(( (1 + 2) * 3 ))' >&2; return 2;; esac
    command expr "$@"
}"""
_CHOWN: Final = r"""chown() {
    case " $* " in
        *' '--reference*|*' 'user' '*|*' 'user:' '*|*' 'user:user' '*|*' ':user' '*|*' '1000' '*|*' '1000:1000' '*) ;;
        *) echo "chown: everything is the user's here, and cannot be given to others" >&2; return 1;;
    esac
    command chown "$@"
}"""
"""These take what they do otherwise, or do not do, without a word."""

FUNCTIONS: Final = {
    "find": _FIND,
    "sort": _SORT,
    "dd": _DD,
    "awk": _AWK,
    "gawk": _AWK.replace("awk()", "gawk()", 1),
    "jq": _JQ,
    "tee": _TEE,
    "split": _SPLIT,
    "join": _JOIN,
    "chmod": _CHMOD,
    "iconv": _ICONV,
    "umask": _UMASK,
    "comm": _COMM,
    "expr": _EXPR,
    "chown": _CHOWN,
    "chgrp": _CHOWN.replace("chown", "chgrp"),
    "zcat": 'zcat() { gzip -dc "$@"; }',
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
