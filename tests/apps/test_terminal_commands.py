"""Commands of ours that once did less than they were told, without a word: as GNU's do, or refused with what to use."""

from __future__ import annotations

import pytest

from tests.apps.terminal_desk import terminal

TREE = "cd /tmp; printf 'a\\nb\\nc\\n' > f; printf 'b\\nc\\nd\\n' > g; mkdir -p d/e; echo 1 > d/e/x; "


def said(script: str) -> str:
    """What is printed, without its exit status."""
    with terminal() as shell:
        return shell(TREE + script).partition("\n[exit status")[0]


@pytest.mark.parametrize(
    "script", ["rm -i f < /dev/null", "echo n | rm -i f", "rm -fi f <<< no", "echo | rm -I f g d f"]
)
def test_nothing_is_removed_where_it_is_asked_and_nobody_says_yes(script: str) -> None:
    assert said(f"{script} 2> /dev/null; ls -d d f g") == "d\nf\ng"


@pytest.mark.parametrize(
    "script", ["rm -i f <<< y", "rm -if f", "rm -I f", "rm -rI f <<< yes", "rm --interactive=never f"]
)
def test_what_is_to_go_is_removed(script: str) -> None:
    assert said(f"{script} 2> /dev/null; ls") == "d\ng"


def test_a_directory_stays_if_somebody_says_no_to_what_is_in_it() -> None:
    assert said("printf 'y\\ny\\nn\\n' | rm -ri d 2> /dev/null; cat d/e/x") == "1"


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        ("rm -v f", "removed 'f'"),
        ("rm -rv d", "removed 'd/e/x'\nremoved directory 'd/e'\nremoved directory 'd'"),
        ("rm -d d; rmdir d/e; mkdir h; rm -dv h", "rm: cannot remove 'd': Directory not empty\n"
         "rmdir: failed to remove 'd/e': Directory not empty\nremoved directory 'h'"),
        ("rm d no f/; rm -f no f/; rm; rm -f; ls", "rm: cannot remove 'd': Is a directory\n"
         "rm: cannot remove 'no': No such file or directory\nrm: cannot remove 'f/': Not a directory\n"
         "rm: missing operand\nd\nf\ng"),
        ("rm -rf . d/..; rm -rf /; ls", "rm: refusing to remove '.' or '..' directory: skipping '.'\n"
         "rm: refusing to remove '.' or '..' directory: skipping 'd/..'\n"
         "rm: it is dangerous to operate recursively on '/'\nd\nf\ng"),
        ("ln -s d l; rm -rf l/; rm -r l; find d", "rm: cannot remove 'l/': Not a directory\nd\nd/e\nd/e/x"),
        ("rm -rf d /bin/ls; ls", "rm: cannot remove '/bin/ls': filesystem is read-only\nf\ng"),
    ],
)  # fmt: skip
def test_rm_says_what_it_has_removed_and_what_it_cannot(script: str, printed: str) -> None:
    assert said(script) == printed


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        ("stat -c '%n|%s|%a|%A|%U|%G|%F|%h|%u|%g|%f|%%' f",
         "f|6|644|-rw-r--r--|user|user|regular file|1|1000|1000|81a4|%"),
        ("touch e; stat -c %F d e; stat --printf='%s\\t%-3n|\\n' f; stat --format %s f",
         "directory\nregular empty file\n6\tf  |\n6"),
        ("stat -c '%y %Y' f; touch -d 2020-01-01 f; stat -c '%x|%X' f",
         "2024-03-11 09:30:00.000000000 +0000 1710149400\n2020-01-01 00:00:00.000000000 +0000|1577836800"),
        ("ln -s f l; stat -c '%N %F' l; stat -L -c '%N %F' l", "'l' -> 'f' symbolic link\n'l' regular file"),
        ("stat -c %s no f", "6\nstat: cannot statx 'no': No such file or directory"),
        ("stat -c %i f", "stat: %i is not known here; of a file there are its name, kind, size, mode and owner"),
        ("stat f | grep Uid", "Access: (0644/-rw-r--r--)  Uid: ( 1000/    user)   Gid: ( 1000/    user)"),
        ("ln -s d/e l; ln -s no n; realpath l/x n; realpath -s l; realpath -e n",
         "/tmp/d/e/x\n/tmp/no\n/tmp/l\nrealpath: n: No such file or directory"),
        ("realpath --relative-to=d/e f; realpath --relative-to d d/e; realpath no/x; realpath -m no/x",
         "../../f\ne\nrealpath: no/x: No such file or directory\n/tmp/no/x"),
        ("D=2024-03-05T01:02:03; date -I; date -d $D -Iminutes; date -I -d $D; date -d $D --rfc-3339=seconds",
         "2024-03-11\n2024-03-05T01:02+00:00\n2024-03-05\n2024-03-05 01:02:03+00:00"),
        ("date --date '2024-03-05 01:02:03.456' '+%r|%3N|%5Y|%_m|%-d|%10B|%#p'",
         "01:02:03 AM|456|02024| 3|5|     March|am"),
        ("touch -d 2020-01-01 f; date -r f +%F; date -r no", "2020-01-01\ndate: no: No such file or directory"),
        ("mkdir -pv h/i d; mkdir -v j h; mkdir --mode 700 k; stat -c %a k",
         "mkdir: created directory 'h'\nmkdir: created directory 'h/i'\nmkdir: created directory 'j'\n"
         "mkdir: cannot create directory 'h': File exists\n700"),
        ("comm -12 <(printf 'b\\na\\n') f; comm -12 f g", "b\ncomm: file 1 is not in sorted order\nb\nc"),
        ("expr \\( 1 + 2 \\) \\* 3; expr 2 \\* 3", "expr: no parentheses here; write $(( (1 + 2) * 3 ))\n6"),
        ("chown bob f; chgrp -R root d; chown -R user:user d; chown :user f && echo done",
         "chown: everything is the user's here, and cannot be given to others\n"
         "chgrp: everything is the user's here, and cannot be given to others\ndone"),
    ],
)  # fmt: skip
def test_what_is_asked_of_files_and_dates_is_told_or_refused(script: str, printed: str) -> None:
    assert said(script) == printed


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        ("diff f g; echo $?; diff f f; echo $?; diff f no; echo $?",
         "1d0\n< a\n3a3\n> d\n1\n0\ndiff: no: No such file or directory\n2"),
        ("diff -u f g", "--- f\t2024-03-11 09:30:00.000000000 +0000\n+++ g\t2024-03-11 09:30:00.000000000 +0000\n"
         "@@ -1,3 +1,3 @@\n-a\n b\n c\n+d"),
        ("cp f h; sed -i s/b/x/ h; diff -U0 --label p --label q f h", "--- p\n+++ q\n@@ -2 +2 @@\n-b\n+x"),
        ("printf a > h; echo a > i; diff h i; diff -w h i", "1c1\n< a\n\\ No newline at end of file\n---\n> a"),
        ("diff -i <(echo A) <(echo a); diff -w <(echo 'a b') <(echo ab); diff -b <(echo 'a  b ') <(echo 'a b'); "
         "diff -B <(printf 'a\\n\\n') <(echo a); echo $?", "0"),
        ("cat f | diff - f && diff -s f f; diff -q f g", "Files f and f are identical\nFiles f and g differ"),
        ("printf 'a\\0' > h; diff h f; diff d/e/x d; diff d no", "Binary files h and f differ\n"
         "diff: d/x: No such file or directory\ndiff: no: No such file or directory"),
        ("bash -c 'diff f g' | head -n 1; diff -y f g",
         "1d0\ndiff: -y is not available here; use diff -u"),
    ],
)  # fmt: skip
def test_two_files_are_compared(script: str, printed: str) -> None:
    assert said(script) == printed


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        ("-r", "diff -r d/e/x h/e/x\n1c1\n< 1\n---\n> 2\nOnly in h/e: y\nOnly in d: z\n1"),
        ("-rq", "Files d/e/x and h/e/x differ\nOnly in h/e: y\nOnly in d: z\n1"),
        ("-qrN", "Files d/e/x and h/e/x differ\nFiles d/e/y and h/e/y differ\nFiles d/z and h/z differ\n1"),
        ("-r --exclude=[xy] -x z", "0"),
        ("", "Common subdirectories: d/e and h/e\nOnly in d: z\n1"),
    ],
)
def test_directories_are_compared_file_by_file(options: str, printed: str) -> None:
    assert said(f"cp -r d h; echo 2 > h/e/x; echo 3 > h/e/y; echo 4 > d/z; diff {options} d h; echo $?") == printed


def test_links_in_a_circle_are_compared_once() -> None:
    assert said("ln -s . d/l; cp -r d h; diff -r d h; echo $?") == "diff: d/l: recursive directory loop\n2"


@pytest.mark.parametrize(("one", "two"), [("abc", "bcd"), ("abbc", "abc"), ("xbbbc", "ybbc"), ("abcabba", "cbabac")])
def test_what_diff_finds_can_be_patched_in(one: str, two: str) -> None:
    write = f"echo {one} | fold -w 1 > h; echo {two} | fold -w 1 > i"
    assert said(f"{write}; diff -u h i > p; patch h < p > /dev/null; cmp h i && echo same") == "same"
