"""What scripts do to the files of a sandbox, and what they are told."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime

import pytest
from pydantic import ValidationError

from servers.kernel import Engine, World
from servers.terminal import Node, app
from servers.terminal.nodes import files
from tests.apps.terminal_desk import HOME, NOW, ROWS, terminal

MANY = [{"id": f"{HOME}/f{number}", "content": "x"} for number in range(150)]


def test_a_script_sees_the_rows_as_files() -> None:
    with terminal() as shell:
        said = shell("ls; cat latest; stat -c '%a' 'docs/plan v2.csv'; xxd -p docs/logo.png; readlink latest")

    assert said == "docs\nlatest\nnotes.txt\nroom,seats\nhall,40\n600\n89504e470d0a1a0a\ndocs/plan v2.csv"


def test_what_a_script_changes_is_in_the_rows_and_nothing_else() -> None:
    with terminal() as shell:
        shell("echo more >> notes.txt; mv 'docs/plan v2.csv' plan.csv; chmod 444 docs/logo.png")
        shell("mkdir priv; chmod 700 priv")

        assert shell.changes() == {
            f"{HOME}/docs/logo.png": {"mode": "444"},
            f"{HOME}/docs/plan v2.csv": None,
            f"{HOME}/notes.txt": {"content": "Call Mei (again)\nBook a room\nmore\n"},
            f"{HOME}/plan.csv": {
                "path": f"{HOME}/plan.csv",
                "kind": "file",
                "mode": "600",
                "content": "room,seats\nhall,40\n",
                "data": None,
            },
            f"{HOME}/priv": {
                "path": f"{HOME}/priv",
                "kind": "directory",
                "mode": "700",
                "content": "",
                "data": None,
            },
        }


@pytest.mark.parametrize(
    "script",
    ["ls -lR; cat notes.txt", "touch notes.txt", "cp notes.txt copy; rm copy", "cd docs; x=1", "echo x > /tmp/x", "du"],
)
def test_a_script_that_leaves_files_as_they_were_changes_nothing(script: str) -> None:
    with terminal() as shell:
        before = shell.layer.digest()
        shell(script)

        assert shell.layer.digest() == before
        assert shell.layer.changes() == []


def test_what_is_changed_and_changed_back_is_no_change() -> None:
    with terminal() as shell:
        before = shell.layer.digest()
        shell("mv notes.txt other; rm latest")
        shell("mv other notes.txt; ln -s 'docs/plan v2.csv' latest")

        assert shell.layer.digest() == before


def test_bytes_that_are_not_text_are_kept_as_they_are() -> None:
    with terminal() as shell:
        shell("printf '\\xff\\xfe\\x80' > raw; gzip -k notes.txt; cp docs/logo.png copy.png")

        assert shell("xxd -p raw; gzip -dc notes.txt.gz | head -1") == "fffe80\nCall Mei (again)"
        assert shell.changes()[f"{HOME}/copy.png"] == {
            "path": f"{HOME}/copy.png",
            "kind": "file",
            "mode": "644",
            "content": "",
            "data": "iVBORw0KGgo=",
        }


def test_each_call_is_a_new_shell_in_the_home() -> None:
    with terminal() as shell:
        shell("cd docs; x=1; f() { echo f; }; export Y=2; alias ll=ls; echo kept > /tmp/kept")

        assert shell('pwd; echo "<$x$Y>"; f; ls /tmp/kept') == (
            f"{HOME}\n<>\nbash: line 1: f: command not found. Did you mean: ., :, [?\n"
            "ls: cannot access '/tmp/kept': No such file or directory\n[exit status 2]"
        )


def test_output_errors_and_exit_status_come_as_in_a_terminal() -> None:
    with terminal() as shell:
        said = shell("echo one; ls nowhere; echo two; exit 3")

    assert said == "one\nls: cannot access 'nowhere': No such file or directory\ntwo\n[exit status 3]"


@pytest.mark.parametrize("listing", ["grep -l line ?.txt", "ls ?.txt | cat", "find . -name '?.txt' | sort"])
@pytest.mark.parametrize("look", ["cat $name", "grep line $name", "found=$(cat $name); echo $found"])
def test_a_loop_over_names_reads_them_all_whatever_is_looked_at_in_it(listing: str, look: str) -> None:
    with terminal() as shell:
        shell("for n in 1 2 3; do echo line $n > $n.txt; done")

        assert shell(f"{listing} | while read name; do {look}; done") == "line 1\nline 2\nline 3"


def test_a_script_that_prints_nothing_says_so() -> None:
    with terminal() as shell:
        assert shell("true") == "[no output]"


def test_a_script_that_bash_cannot_read_runs_no_line() -> None:
    with terminal() as shell:
        said = shell("echo x > made; if true; then")

        assert said.startswith("bash: parse error at line ")
        assert said.endswith("[exit status 2]")
        assert shell.changes() == {}


def test_a_long_output_is_cut_and_says_how_much_is_missing() -> None:
    with terminal() as shell:
        said = shell("seq 2000; false")

    lines = said.splitlines()
    assert lines[-2:] == [
        "[4,893 of 8,893 characters are cut off here; print less, with head or grep]",
        "[exit status 1]",
    ]
    assert len("\n".join(lines[:-2])) == 4_000


def test_files_elsewhere_are_not_kept_and_the_answer_names_them() -> None:
    with terminal() as shell:
        assert (
            shell("mkdir /srv; echo x > /etc/made")
            == "[not kept, since only files below /workspace are: /etc/made, /srv]"
        )
        assert "No such file" in shell("ls /srv")


def test_a_stopped_script_leaves_nothing_of_what_it_did() -> None:
    with terminal() as shell:
        why = shell.refusal("rm notes.txt; echo x > made; while :; do :; done")

        assert why == "The script was stopped: maximum command count exceeded (20000). Nothing was changed."
        assert shell("ls") == "docs\nlatest\nnotes.txt"


def test_what_can_be_no_row_is_refused_by_its_path() -> None:
    with terminal() as shell:
        assert shell.refusal("rm notes.txt; mkfifo docs/pipe") == (
            "The script leaves /workspace/docs/pipe, a fifo; only files, directories and links can be kept. "
            "Nothing was changed."
        )


def test_a_file_that_is_too_large_is_refused_with_the_limit() -> None:
    with terminal() as shell:
        assert shell.refusal("seq 100000 > a; cat a a > b") == (
            "/workspace/b would have 1,177,790 bytes; a file may have 1,048,576. Nothing was changed."
        )


@pytest.mark.parametrize(("script", "why"), [("x" * 20_001, "20,001 characters"), ("echo \0", "NUL")])
def test_a_script_that_is_no_script_is_refused(script: str, why: str) -> None:
    with terminal() as shell:
        assert why in shell.refusal(script)


def test_files_look_as_old_as_the_sandbox_even_those_just_written() -> None:
    with terminal() as shell:
        said = shell("echo x > new; ls -l; stat -c %Y new notes.txt")

    assert {" ".join(line.split()[5:8]) for line in said.splitlines()[1:-2]} == {"Mar 11 09:30"}
    assert said.splitlines()[-2:] == ["1710149400", "1710149400"]


def test_a_listing_that_is_kept_has_no_time_of_this_machine_either() -> None:
    with terminal() as shell:
        shell("echo x > new; ls -l new > listing; stat new >> listing")

        listing = shell.changes()[f"{HOME}/listing"]["content"]  # type: ignore[index]
        assert str(datetime.now().year) not in listing
        assert listing.startswith("-rw-r--r-- 1 user user 2 Mar 11 09:30 new\n")


def test_finding_by_time_is_refused_by_find_since_files_have_none() -> None:
    with terminal() as shell:
        assert "files carry no times" in shell("find . -mtime +30 -delete")
        assert shell.changes() == {}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("date", "Mon Mar 11 09:30:00 UTC 2024"),
        ("/bin/date +%F", "2024-03-11"),
        ("date -d '2 weeks ago' +%F", "2024-02-26"),
        ("date -d 'last month' +%B", "February"),
        ("date -d '2024-02-28 +2 days' +%-d.%-m.", "1.3."),
        ("date -d yesterday +'%a %H:%M'", "Sun 09:30"),
        ("date -d 'next friday' +%F", "2024-03-15"),
        ("date -d @86400 +%s", "86400"),
        ("date -u -Iseconds", "2024-03-11T09:30:00+00:00"),
        ("date -d 2024-02-30", "date: invalid date '2024-02-30'\n[exit status 1]"),
        ("date +%Q%%", "%Q%"),
        ("date -d '2026-01-31 +1 month' +%F; date -d '2024-02-29 1 year' +%F", "2026-03-03\n2025-03-01"),
        ("date -d '2024-03-31 1 month ago' +%F", "2024-03-02"),
        ("date -d '2026-05-11 noon' +'%F %R'; date -d 'noon tomorrow' +'%F %R'", "2026-05-11 12:00\n2024-03-12 12:00"),
        ("date -d 5/6/2026 +%F; date -d 'May 6, 2026 3pm' +'%F %R'", "2026-05-06\n2026-05-06 15:00"),
        ('date -d "$(date)" +%T; date -d 2026-05-11T10:00+02:00 +%R', "09:30:00\n08:00"),
        ("date -d 06.05.2026", "date: invalid date '06.05.2026'"),
        ("date -d 13/05/2026", "date: invalid date '13/05/2026'"),
        ("date -d 'May 2026'", "date: invalid date 'May 2026'"),
        ("date -d '2026-05-11 10:00 CET'", "date: invalid date '2026-05-11 10:00 CET'"),
        (
            "TZ=Europe/Berlin date",
            "date: TZ=Europe/Berlin is not followed here: there is one clock, which is called UTC; "
            "add hours with date -d",
        ),
        ("TZ=UTC date +%R", "09:30"),
        ("sleep 3; date +%T", "09:30:00"),
        ("shuf -i 1-4 | sort | tr '\\n' ' '", "1 2 3 4 "),
        ("shuf -n 2 -e a b c | wc -l", "2"),
        ("mktemp; mktemp -d; ls /tmp", "/tmp/tmp.0000000001\n/tmp/tmp.0000000002\ntmp.0000000001\ntmp.0000000002"),
        ("mktemp -p docs; mktemp docs/x.XXX", "docs/tmp.0000000001\ndocs/x.002"),
        ("echo $EPOCHSECONDS", "1710149400"),
        ("du -s docs; du -b docs/logo.png", "1\tdocs\n8\tdocs/logo.png"),
        (
            "tar cf a.tar docs",
            "tar: not available here; copy directories with cp -r, compress single files with gzip",
        ),
        ("echo 1.1+2 | bc", "bc: not available here; count with awk, as in awk 'BEGIN { print 1.10 + 2.20 }'"),
        ("mkdir -m 700 a; mkdir -p a/b/c a; stat -c %a a a/b/c", "700\n755"),
        (
            "mkdir docs x/y z; ls -d z",
            "mkdir: cannot create directory 'docs': File exists\n"
            "mkdir: cannot create directory 'x/y': No such file or directory\nz",
        ),
        ("mkdir", "mkdir: missing operand\n[exit status 1]"),
        ("curl http://localhost", "curl: there is no network here\n[exit status 1]"),
        ("seq 3 | sort -R", "sort: there is no order of chance here; shuf has one, always the same\n[exit status 2]"),
        ("sort -nR none", "sort: there is no order of chance here; shuf has one, always the same\n[exit status 2]"),
        ("printf 'b R\\na -R\\n' | sort -t ' ' -k2,2 -r", "b R\na -R"),
        (
            "dd if=/dev/urandom bs=8 count=1",
            "dd: /dev/urandom and /dev/random cannot be copied here; head -c reads them",
        ),
        ("openssl rand -hex 20 | wc -c; openssl rand -base64 60 | wc -c", "41\n82"),
        ("openssl rand 8", "openssl: rand: bytes are printed as text alone; write rand -hex 16 or rand -base64 16"),
        ("cat <(seq 2); echo x | tee /dev/null; head -c 99999 /dev/zero | wc -c", "1\n2\nx\n99999"),
        ("echo 'a  b' | awk -v x='p  q' '{ print $2, x }'", "b p  q"),
        (
            "awk -v f=%F 'BEGIN { print strftime(); print strftime(f), strftime(\"%T\", systime()), strftime(f, 0) }'",
            "Mon Mar 11 09:30:00 UTC 2024\n2024-03-11 09:30:00 1970-01-01",
        ),
        (
            "jq -nr --arg now x '$now, (now | todate, strflocaltime(\"%F %Z\"))'",
            "x\n2024-03-11T09:30:00Z\n2024-03-11 UTC",
        ),
        ("echo '{\"now\": 5}' | jq .now", "5"),
        ("printf '%(%F)T %d|' -1 -1; printf '%(%c)T'", "2024-03-11 -1|Mon Mar 11 09:30:00 2024"),
        (
            "printf -v day '%d%% %(%F)T' 5; echo $day; printf '%(%T)T %s|' 0 a -2 b",
            "5% 2024-03-11\n00:00:00 a|09:30:00 b|",
        ),
        ("ls -t; ls -1t docs", "docs\nlatest\nnotes.txt\nlogo.png\nplan v2.csv"),
        ("echo x > z; touch -d 2020-01-01 docs; ls -lt | awk '{ print $9 }'", "\ndocs\nlatest\nnotes.txt\nz"),
        ("touch new; find new -printf '%T+\\n'", "2024-03-11+09:30:00"),
        (
            "/bin/sort -R notes.txt",
            "sort: there is no order of chance here; shuf has one, always the same\n[exit status 2]",
        ),
        ("history", "[no output]"),
    ],
)
def test_commands_of_ours_stand_in_for_those_that_tell_time_or_draw(asked: str, said: str) -> None:
    with terminal() as shell:
        assert shell(asked).removesuffix("\n[exit status 1]") == said.removesuffix("\n[exit status 1]")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "docker ps",
            "bash: line 1: docker: command not found. Container and service management is not available here.",
        ),
        ("fc", "bash: line 1: fc: editing history is not supported here"),
        ("echo 'This is not available in the sandbox.'", "This is not available in the sandbox."),
    ],
)
def test_errors_do_not_say_that_it_is_a_sandbox(asked: str, said: str) -> None:
    with terminal() as shell:
        assert shell(asked).partition("\n")[0] == said


NO_MASK = "umask: new files have their usual permissions here, whatever the mask; give others with chmod"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("umask 077 || echo no; umask", f"{NO_MASK}\nno\n0022"),
        ("umask u=rwx,g=,o=; echo x > f; stat -c %a f", f"{NO_MASK}\n644"),
        ("(umask 0077); echo $?", f"{NO_MASK}\n1"),
        ("umask -- 022; umask -- && umask -- 077", f"0022\n{NO_MASK}\n[exit status 1]"),
        ("old=$(umask); umask 022; umask $old; umask -S", "u=rwx,g=rx,o=rx"),
    ],
)
def test_a_mask_that_nothing_would_follow_is_refused(script: str, said: str) -> None:
    with terminal() as shell:
        assert shell(script) == said


def test_rsync_is_refused_with_what_to_use_and_no_word_of_a_network_that_there_is() -> None:
    with terminal() as shell:
        said = shell("rsync -a docs copy")

    assert said == "rsync: not available here; there is no network; copy directories with cp -r\n[exit status 1]"


PROBE = """
date; uuidgen; mktemp -u; shuf -i 1-30 | head -3; echo $RANDOM $RANDOM $EPOCHSECONDS $(echo $RANDOM)
find / | head -400
ls -laR /workspace
ls -laR /bin /etc /dev /tmp | head -300
du -a; grep -rl x . | head
awk 'BEGIN { srand(5); print rand(); a["x"]; a["y"]; a["z"]; for (k in a) print k; print systime() }'
head -c 20 /dev/urandom | xxd; head -c 9 < /dev/random | xxd; openssl rand -hex 9; awk 'BEGIN { srand(); print rand() }'
stat f1 f2; echo > new; stat -c '%Y %n' new f1; ls -ltU; jq -n now; uptime
env; set; declare -p | head -60; nosuch; gzip -c f1 | xxd
printf '%(%s)T\\n' -1; cat /proc/uptime; mkdir d
declare -A m=([a]=1 [b]=2 [c]=3 [d]=4); echo "${!m[@]}"; ls -l > listing; cp -r d e; find . -newer f1; echo *; history
"""

ELSEWHERE = """
import sys
from tests.apps.test_terminal import MANY, PROBE
from tests.apps.terminal_desk import terminal
with terminal(MANY) as shell:
    sys.stdout.write("".join(shell(line) for line in PROBE.splitlines()) + shell.layer.digest())
"""


def test_two_processes_answer_the_same_and_leave_the_same() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", ELSEWHERE],
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert len(runs[0]) > 5_000
    assert runs[0] == runs[1]


def test_what_is_known_after_a_script_is_what_the_rows_say() -> None:
    with terminal() as shell:
        for script in (
            "echo x > new; mkdir d; rm latest",
            "rm -r d docs; chmod 600 new",
            "printf '\\xff' > new; ln -s new l",
        ):
            shell(script)
            state = shell.layer.state(app)

            assert state.derived(files).nodes == files(state).nodes


def test_sandboxes_that_take_turns_see_their_own_files_alone() -> None:
    engine = Engine()
    base = engine.load(World("desk", NOW, {"terminal": {"nodes": ROWS}}))
    layers = [engine.layer(base) for _ in range(12)]
    tool = app.default.tool("run_shell")
    for turn in range(2):
        for number, layer in enumerate(layers):
            tool.call(layer.state(app), {"script": f"echo {number} >> mine{turn}"})

    said = [tool.call(layer.state(app), {"script": "cat mine*"}).text for layer in layers]
    assert said == [f"{number}\n{number}" for number in range(12)]
    engine.close()


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"id": "/etc/passwd"}, "not below /workspace"),
        ({"id": "/workspace"}, "not below /workspace"),
        ({"id": "/workspace/a/../b"}, "'..'"),
        ({"id": "/workspace/a\nb"}, "control character"),
        ({"id": "/workspace/" + "n" * 256}, "too long"),
        ({"id": "/workspace/" + "n" * 256}, r"n \[[.][.][.] 67 more characters\]' is too long"),
        ({"id": "/workspace/a", "path": "/workspace/b"}, "the id of a node is its path"),
        ({"id": "/workspace/a", "kind": "directory", "content": "x"}, "has no content"),
        ({"id": "/workspace/a", "kind": "link"}, "points to"),
        ({"id": "/workspace/a", "content": "x", "data": "eA=="}, "in place of content"),
        ({"id": "/workspace/a", "mode": "rwx"}, "mode"),
    ],
)
def test_a_row_that_can_be_no_node_is_refused(row: dict[str, str], why: str) -> None:
    with pytest.raises(ValidationError, match=why.replace(".", r"\.")):
        Node.from_json(row)


def test_a_file_whose_directory_has_no_row_can_be_read_moved_and_its_directory_removed() -> None:
    with terminal([{"id": "/workspace/a/b.txt", "content": "x\n"}]) as shell:
        assert shell("cat a/b.txt") == "x"
        assert shell.changes() == {}
        shell("rm -r a")

        assert shell.changes() == {"/workspace/a/b.txt": None}


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("if [[ -f a && ! -x a ]]; then rm a; fi", "[[ -x FILE ]] is true of any file here; write [ -x FILE ]"),
        ('x=1.5; (( $(echo "($x+1) > 2" | bc) )) && echo y', "is taken for a redirection here"),
        ("while read -r -d '' f; do rm \"$f\"; done < <(find . -print0)", "loses its NUL characters here"),
        ("(head -n 1; sort) < notes.txt > sorted", "head takes no lines from what comes after it"),
        ('declare -A n; k=A; n[a]=3; echo "${n[${k,,}]:-0}"', "give it a name first: k=${k,,}"),
        ("declare -A n; ((n[${k,,}]++))", "give it a name first: k=${k,,}"),
        ('declare -A m n; echo "${n["${k,,}"]}"', "give it a name first: k=${k,,}"),
        ('[[ -n "${x[0]}" && -x a ]] && ./a', "[[ -x FILE ]] is true"),
        ("mapfile -d '' f < <(\n  grep -lZ x *\n)", "loses its NUL characters here"),
        ("(head -n 1; echo ---; sort) < notes.txt", "head takes no lines from what comes after it"),
        ("echo \"it's $([[ -x a ]] && echo so)\" # don't", "[[ -x FILE ]] is true"),
        ("x=$((1<<3)); [[ -x a ]]", "[[ -x FILE ]] is true"),
    ],
)
def test_what_would_be_read_otherwise_than_in_bash_is_refused_with_what_to_write(script: str, said: str) -> None:
    with terminal() as shell:
        assert said in shell.refusal(script)
        assert "Nothing was run." in shell.refusal(script)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('if [ -x notes.txt ]; then echo x; fi; if [[ " -x " == *" -x "* ]]; then echo y; fi', "y"),
        ('x=$(( $(echo "1 < 2" | wc -l) + 1 )); (( x > 1 )) && echo $x', "2"),
        ("find docs -name '*.csv' -print0 | while read -r -d '' f; do echo \"$f\"; done", "docs/plan v2.csv"),
        (
            "top() { head -n 1; }; top < notes.txt; (head -n 1 notes.txt; echo z)",
            "Call Mei (again)\nCall Mei (again)\nz",
        ),
        ("declare -A n; k=A; n[${k,,}]=3; k=${k,,}; echo ${n[$k]}", "3"),
        ("cat > s <<'END'\n[[ -x f ]]\nEND\nwc -l < s", "1"),
        ("cat << 'A B'; cat <<\\E\n[[ -x f ]]\nA B\n<(sort -z)\nE\n", "[[ -x f ]]\n<(sort -z)"),
        ("# no [[ -x f ]], (head -n 1; sort) or ${n[${k,,}]}\necho '[[ -x f ]]'", "[[ -x f ]]"),
        ('declare -A n; echo "use [[ -x f ]] or (head -1; cat)"', "use [[ -x f ]] or (head -1; cat)"),
        ("grep -c '<(find . -print0)' notes.txt || echo none", "0\nnone"),
        ("cat < <(find docs -name '*.csv' -print0 | xargs -0 grep -l hall)", "docs/plan v2.csv"),
        ('cat notes.txt | { head -n 1; echo "..."; }', "Call Mei (again)\n..."),
    ],
)
def test_what_looks_like_it_is_not_refused(script: str, said: str) -> None:
    with terminal() as shell:
        assert shell(script) == said


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo x | tee no/x a; cat a", "tee: no/x: No such file or directory\nx\nx"),
        ("join no a; echo $?", "join: no: No such file or directory\n1"),
        ("split notes.txt no/p; echo $?", "split: no/paa: No such file or directory\n1"),
        ("chmod -R 700 docs; stat -c %a docs docs/logo.png", "700\n700"),
        ("printf a > a; echo a > b; diff a b; diff b b", "1c1\n< a\n\\ No newline at end of file\n---\n> a"),
        ("iconv -f utf-8 -t latin1 notes.txt || iconv -f latin1 -t utf-8 <<< a", "iconv: only to UTF-8 and ASCII here, "
         "since text is UTF-8; give -f and -t utf-8\na"),
        ("echo '{\"a\":1,\"b\":2,\"c\":{\"x\":1,\"y\":2,\"z\":3}}' | jq -c 'del(.a), del(.c.x, .b)'",
         '{"b":2,"c":{"x":1,"y":2,"z":3}}\n{"a":1,"c":{"y":2,"z":3}}'),
        ("gzip < notes.txt | zcat | head -n 1", "Call Mei (again)"),
        ("for i in $(seq 12000); do n=$i; done; echo $n", "12000"),
        ("ls -l docs", "total 8\n-rw-r--r-- 1 user user  8 Mar 11 09:30 logo.png\n"
         "-rw------- 1 user user 19 Mar 11 09:30 plan v2.csv"),
        ("ls -la | awk '{ print $1, $2, $5, $9 }' | sed -n 2p; ls -ld docs",
         "drwxr-xr-x 2 4096 .\ndrwxr-xr-x 2 user user 4096 Mar 11 09:30 docs"),
        ("ls -F; ls -r docs; ls no notes.txt",
         "docs/\nlatest@\nnotes.txt\nplan v2.csv\nlogo.png\nnotes.txt\n"
         "ls: cannot access 'no': No such file or directory"),
        ("ls -R; ls latest; ls -l latest", ".:\ndocs\nlatest\nnotes.txt\n\n./docs:\nlogo.png\nplan v2.csv\nlatest\n"
         "lrwxrwxrwx 1 user user 16 Mar 11 09:30 latest -> docs/plan v2.csv"),
        ("head -c 9999 /dev/zero > a; ls -lh a | awk '{ print $5 }'; ls -S", "9.8K\na\ndocs\nnotes.txt\nlatest"),
    ],
)  # fmt: skip
def test_commands_do_what_gnu_does(script: str, said: str) -> None:
    with terminal() as shell:
        assert shell(script).removesuffix("\n[exit status 1]").removesuffix("\n[exit status 2]") == said
