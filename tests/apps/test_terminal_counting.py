"""What `bc` counts: figures are those of GNU bc 1.07."""

from __future__ import annotations

import pytest

from tests.apps.terminal_desk import terminal


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("1.10+2.20", "3.30"),
        ("10^20", "100000000000000000000"),
        ("scale=2; 10/3; -10/3; 7%2; -7%3; 1.005*100/1", "3.33 -3.33 0 -.01 100.50"),
        ("7/2; 7%2; 1.55*1.555; 0.1+0.2; -0.5; 0.00", "3 1 2.410 .3 -.5 0"),
        ("x=3; y=x*2; y; x+=1; x++; x; --x; .*2", "6 4 5 4 8"),
        ("5>3; 5<3; 1==1.0; 1!=1; !0; 1&&0; 1||0; (3>2)+1", "1 0 1 0 1 0 1 2"),
        ("-2^2; 2^3^2; scale=3; 2^-2; 1.5^2", "4 512 .250 2.25"),
        ("obase=16; 255; obase=2; 10; .5; -6", "FF 1010 .1000 -110"),
        ("ibase=16; FF; A+5", "255 15"),
        ("scale=4; sqrt(2); sqrt(16); length(12.5); scale(1.25)", "1.4142 4.0000 3 2"),
        ("5 # five\n/* six */ 6\nquit\n7", "5 6"),
        ('print "a", 1+1, "\\n"; "b"', "a2 b"),
    ],
)
def test_numbers_have_the_digits_that_bc_gives_them(asked: str, said: str) -> None:
    with terminal() as shell:
        assert shell(f"bc <<'END' | xargs\n{asked}\nEND") == said


def test_the_functions_of_l_have_twenty_digits_or_as_many_as_scale_says() -> None:
    with terminal() as shell:
        said = shell("echo '1/3; e(1); l(2); s(1); c(1); 4*a(1); scale=30; 4*a(1)' | bc -l")

    assert said.split("\n") == [
        ".33333333333333333333",
        "2.71828182845904523536",
        ".69314718055994530941",
        ".84147098480789650665",
        ".54030230586813971740",
        "3.14159265358979323844",
        "3.141592653589793238462643383276",
    ]


def test_a_long_number_is_broken_into_lines_as_bc_breaks_it() -> None:
    with terminal() as shell:
        first, second = shell("echo '2^300' | bc").split("\n")

    assert (len(first), first[-1], len(second)) == (69, "\\", 23)


def test_what_cannot_be_counted_is_said_and_the_next_line_is_counted() -> None:
    with terminal() as shell:
        said = shell("printf '1/0\\n3+\\n4\\n' | bc")

    assert sorted(said.split("\n")) == [
        "(standard_in) 2: syntax error",
        "4",
        "Runtime error (func=(main), adr=3): Divide by zero",
    ]


@pytest.mark.parametrize("asked", ["if (1) 2", "while (1) 2", "define f(x) { return x; }", "a[1]=2", "j(1)", "9^9^9"])
def test_what_is_not_there_is_refused(asked: str) -> None:
    with terminal() as shell:
        said = shell(f"echo '{asked}' | bc -l")

    assert said.startswith("bc: ")
    assert said.endswith("[exit status 1]")
