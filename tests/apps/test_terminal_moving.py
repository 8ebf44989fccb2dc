"""What `cp` and `mv` do to what is there: as GNU's do, so that no file is lost."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from bashkit import FileSystem

from servers.kernel.shell.moving import cp, mv
from tests.apps.terminal_desk import terminal

TREE = "cd /tmp; echo 1 > a; echo 2 > b; mkdir d e; echo 3 > e/a; "


@pytest.mark.parametrize("command", ["mv -n a b", "cp -n a b", "mv -i a b", "cp -i a b", "mv -fn a b"])
def test_what_is_there_is_not_overwritten_where_that_is_not_wanted_or_nobody_says_yes(command: str) -> None:
    with terminal() as shell:
        assert shell(f"{TREE}{command} 2> /dev/null; cat a b") == "1\n2"


class Asked:
    """Files that keep of which paths they were asked."""

    def __init__(self) -> None:
        self.files, self.of = FileSystem(), list[str]()

    def stat(self, path: str) -> Any:
        self.of.append(path)
        return self.files.stat(path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.files, name)


@pytest.mark.parametrize("command", ["cp a new", "cp a b", "mv a new", "mv a b", "cp a d/b"])
def test_the_shell_is_asked_once_of_each_path_where_one_file_is_copied_or_moved(command: str) -> None:
    files = Asked()
    files.mkdir("/there/d", recursive=True)
    files.write_file("/there/a", b"1")
    files.write_file("/there/b", b"2")
    name, *words = command.split()
    asked: Any = SimpleNamespace(argv=words, cwd="/there", stdin="", fs=files)

    assert {"cp": cp, "mv": mv}[name](asked).exit_code == 0
    assert sorted(files.of) == sorted({*files.of})


@pytest.mark.parametrize("command", ["mv -i a b <<< y", "mv -nf a b", "cp -i a b <<< yes", "mv a b", "cp a b"])
def test_what_is_there_is_overwritten_where_that_is_wanted(command: str) -> None:
    with terminal() as shell:
        assert shell(f"{TREE}{command} 2> /dev/null; cat b") == "1"


@pytest.mark.parametrize("command", ["cp -b a b", "mv -b a b", "cp --backup=numbered a b", "mv -S .old a b"])
def test_a_backup_is_refused_and_nothing_is_overwritten(command: str) -> None:
    with terminal() as shell:
        assert "no backups are made here" in shell(f"{TREE}{command}; cat b | grep 2")


@pytest.mark.parametrize("command", ["cp -u a b", "mv --update a b"])
def test_to_overwrite_what_is_older_is_refused_since_files_have_no_times(command: str) -> None:
    with terminal() as shell:
        assert "files carry no times" in shell(f"{TREE}{command}; cat b | grep 2")


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("mv -t e d b", "a e e/a e/b e/d"),
        ("mv --target-directory=d a b", "d d/a d/b e e/a"),
        ("cp -t d a b", "a b d d/a d/b e e/a"),
        ("cp -rT e d", "a b d d/a e e/a"),
        ("cp -r e new/", "a b d e e/a new new/a"),
        ("mv e new/", "a b d new new/a"),
        ("cp -r e/. d", "a b d d/a e e/a"),
        ("cp --parents e/a d", "a b d d/e d/e/a e e/a"),
        ("mv a b", "b d e e/a"),
        ("mv e/* d", "a b d d/a e"),
        ("mv d e", "a b e e/a e/d"),
        ("mv -- a -b", "-b b d e e/a"),
    ],
)
def test_files_go_where_gnu_puts_them(command: str, left: str) -> None:
    with terminal() as shell:
        assert shell(f"{TREE}{command}; find . -mindepth 1 | cut -c3- | sort | paste -sd ' '") == left


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("mv a no/", "mv: cannot move 'a' to 'no/': Not a directory"),
        ("cp a no/", "cp: cannot create regular file 'no/': Not a directory"),
        ("mv a no/b", "mv: cannot move 'a' to 'no/b': No such file or directory"),
        ("cp a b no", "cp: target 'no': No such file or directory"),
        ("mv -t b a", "mv: target directory 'b': Not a directory"),
        ("cp e d", "cp: -r not specified; omitting directory 'e'"),
        ("cp a a", "cp: 'a' and 'a' are the same file"),
        ("mv d d/x", "mv: cannot move 'd' to a subdirectory of itself, 'd/x'"),
        ("cp -r .. d", "cp: cannot copy a directory, '..', into itself, 'd/..'"),
        ("mv e a", "mv: cannot overwrite non-directory 'a' with directory 'e'"),
        ("mv -T a e", "mv: cannot overwrite directory 'e' with non-directory"),
        ("mv -T d e", "mv: cannot move 'd' to 'e': Directory not empty"),
        ("ln -s a l; mv l a", "mv: 'l' and 'a' are the same file"),
        ("cp a e/a d", "cp: will not overwrite just-created 'd/a' with 'e/a'"),
        ("mv --exchange a b", "mv: unrecognized option '--exchange'"),
        ("cp", "cp: missing file operand"),
        ("mv a", "mv: missing destination file operand after 'a'"),
    ],
)
def test_what_cannot_be_done_is_said_as_gnu_says_it(command: str, said: str) -> None:
    with terminal() as shell:
        assert shell(TREE + command) == f"{said}\n[not kept]\n[exit status 1]".replace("[not kept]\n", "")
        assert shell.changes() == {}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("mv e/a l", "mv: 'e/a' and 'l/a' are the same file"),
        ("mv l/a e", "mv: 'l/a' and 'e/a' are the same file"),
        ("cp e/a l", "cp: 'e/a' and 'l/a' are the same file"),
        ("cp f a", "cp: 'f' and 'a' are the same file"),
        ("mv g a", "mv: 'g' and 'a' are the same file"),
        ("mv e l", "mv: cannot move 'e' to a subdirectory of itself, 'l/e'"),
        ("cp -r e l", "cp: cannot copy a directory, 'e', into itself, 'l/e'"),
        ("mv l/ d", "mv: cannot move 'l/' to 'd/l': Not a directory"),
        ("mv r/x d", "mv: cannot stat 'r/x': Too many levels of symbolic links"),
        ("mv e ''", "mv: cannot move 'e' to '': No such file or directory"),
        ("cp a ''", "cp: cannot create regular file '': No such file or directory"),
    ],
)
def test_no_file_is_lost_where_a_link_leads_to_it_or_no_name_is_given(command: str, said: str) -> None:
    with terminal() as shell:
        linked = f"{TREE}ln -s e l; ln -s a f; ln -s /tmp/f g; ln -s r r; "
        left = "find . -mindepth 1 | cut -c3- | sort | paste -sd ' '"
        assert shell(f"{linked}{command}; {left}") == f"{said}\na b d e e/a f g l r"


def test_a_directory_is_copied_by_a_link_to_it_with_a_slash_behind() -> None:
    with terminal() as shell:
        assert shell(f"{TREE}ln -s e l; cp -r l/ d; cp -r d/. l; cat d/l/a e/l/a") == "3\n3"


def test_a_link_that_has_been_moved_is_not_followed_from_where_it_was() -> None:
    with terminal() as shell:
        said = shell(f"{TREE}ln -s e l; touch e/x; mv -t d l/a l l/x; ls d e")

        assert said == "mv: cannot stat 'l/x': No such file or directory\nd:\na\nl\n\ne:\nx"


def test_what_cannot_be_moved_stops_nothing_else() -> None:
    with terminal() as shell:
        said = shell(f"{TREE}mkdir o; touch o/c o/d o/z; mv o/* .; echo $?; ls -d c d z o/*")

    assert said == "mv: cannot overwrite directory './d' with non-directory\n1\nc\nd\no/d\nz"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("no", "cp: cannot stat 'e/0': No such file or directory"),
        (".", "cp: cannot copy cyclic symbolic link 'e/0'"),
        ("../e", "cp: cannot copy cyclic symbolic link 'e/0'"),
    ],
)
def test_a_link_that_cannot_be_followed_stops_no_copy_of_what_is_beside_it(link: str, said: str) -> None:
    with terminal() as shell:
        assert shell(f"{TREE}ln -s {link} e/0; cp -rL e n; echo $?; find n") == f"{said}\n1\nn\nn/a"


def test_a_copy_has_the_mode_of_what_is_copied_and_what_is_overwritten_keeps_its_own() -> None:
    with terminal() as shell:
        said = shell("cd /tmp; touch a b; chmod 777 a; chmod 666 b; cp a c; cp a b; cp -p a d; stat -c %a b c d")

    assert said == "666\n755\n777"


def test_links_are_followed_or_copied_as_is_said() -> None:
    with terminal() as shell:
        said = shell("cp latest a; cp -P latest b; cp -r latest c; cp latest notes.txt; mv latest d; readlink ? -v; ls")

    assert said.split("\n")[:3] == ["docs/plan v2.csv"] * 3
    assert said.split("\n")[-6:] == ["a", "b", "c", "d", "docs", "notes.txt"]


def test_a_directory_is_moved_out_of_the_workspace_and_back_with_all_that_is_in_it() -> None:
    with terminal() as shell:
        shell("mv docs /tmp; ls; mv /tmp/docs papers")

        assert shell("ls -R papers | tail -2; stat -c %a papers/plan*") == "logo.png\nplan v2.csv\n600"
