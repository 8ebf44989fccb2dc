"""Which lines of two files differ, as GNU `diff` finds them, so that the same lines are told of the same two files.

This is the algorithm of Myers, from both ends, as in gnulib's `diffseq.h`; and what `diff` does then, which moves each
change as far down as it goes, unless the other file has a change where it was.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

__all__ = ("Change", "changes")

_COSTLY = 100, 400, 8_000_000
"""Steps after which two pieces are cut where the search is farthest, and not where the fewest lines differ.

At least, at most, and those of a file of one line: the more lines, the fewer steps.
"""

Lines = Sequence[Hashable]
Change = tuple[int, int, int, int]
"""Lines [0]:[1] of the one file stand where the other has [2]:[3]."""


def changes(one: Lines, two: Lines, context: int = 0) -> list[Change]:
    """What differs, from the top. Of the same beginning and end no more is looked at than `context` lines."""
    above, below, most = 0, 0, min(len(one), len(two))
    while above < most and one[above] == two[above]:
        above += 1
    while below < most - above and one[-1 - below] == two[-1 - below]:
        below += 1
    above, below = max(above - context, 0), max(below - context, 0)
    one, two = one[above : len(one) - below], two[above : len(two) - below]
    gone, new = _marked(one, two)
    _shift(one, gone, new)
    _shift(two, new, gone)
    found: list[Change] = []
    at, to = 0, 0
    while at < len(one) or to < len(two):
        end, till = at, to
        while gone[end + 1]:
            end += 1
        while new[till + 1]:
            till += 1
        if (end, till) != (at, to):
            found.append((above + at, above + end, above + to, above + till))
        at, to = end + 1, till + 1
    return found


def _marked(one: Lines, two: Lines) -> tuple[list[bool], list[bool]]:
    """Which lines of each have none in the other, with a False before the first and behind the last."""
    gone, new = [True] * len(one), [True] * len(two)
    here, there = set(one), set(two)
    ours = [place for place, line in enumerate(one) if line in there]  # others have no like, wherever one looks
    theirs = [place for place, line in enumerate(two) if line in here]
    for at, to in _matched([one[place] for place in ours], [two[place] for place in theirs]):
        gone[ours[at]] = new[theirs[to]] = False
    return [False, *gone, False], [False, *new, False]


def _matched(one: Lines, two: Lines) -> list[tuple[int, int]]:
    """Pairs of lines that are the same, as many as there can be in this order."""
    found: list[tuple[int, int]] = []
    pieces = [(0, len(one), 0, len(two))]
    while pieces:
        at, end, to, till = pieces.pop()
        while at < end and to < till and one[at] == two[to]:
            found.append((at, to))
            at, to = at + 1, to + 1
        while at < end and to < till and one[end - 1] == two[till - 1]:
            end, till = end - 1, till - 1
            found.append((end, till))
        if at < end and to < till:
            middle, across = _middle(one, two, (at, end, to, till))
            pieces += [(at, middle, to, across), (middle, end, across, till)]
    return found


def _middle(one: Lines, two: Lines, piece: Change) -> tuple[int, int]:
    """Where the way of fewest changes through a piece passes its middle."""
    at, end, to, till = piece
    lowest, highest = at - till, end - to
    low = high = at - to
    under = over = end - till
    odd, far = (low - under) % 2 == 1, len(one) + len(two) + 2
    least, most, all_steps = _COSTLY
    costly = max(least, min(most, all_steps // far))
    down, up = {low: at}, {under: end}
    for _ in range(costly):
        low, high = _widened(down, low, high, (lowest, highest), -1)
        for way in range(high, low - 1, -2):
            x = down[way + 1] if down[way - 1] < down[way + 1] else down[way - 1] + 1
            while x < end and x - way < till and one[x] == two[x - way]:
                x += 1
            down[way] = x
            if odd and under <= way <= over and up[way] <= x:
                return x, x - way
        under, over = _widened(up, under, over, (lowest, highest), far)
        for way in range(over, under - 1, -2):
            x = up[way - 1] if up[way - 1] < up[way + 1] else up[way + 1] - 1
            while at < x and to < x - way and one[x - 1] == two[x - way - 1]:
                x -= 1
            up[way] = x
            if not odd and low <= way <= high and x <= down[way]:
                return x, x - way
    reached = [(min(down[way], end, till + way), way) for way in range(high, low - 1, -2)]
    x, way = max(reached, key=lambda each: 2 * each[0] - each[1])
    return x, x - way


def _widened(ways: dict[int, int], low: int, high: int, bounds: tuple[int, int], beyond: int) -> tuple[int, int]:
    """The lowest and highest way of the next step; what lies beside them is out of reach."""
    if low > bounds[0]:
        low -= 1
        ways[low - 1] = beyond
    else:
        low += 1
    if high < bounds[1]:
        high += 1
        ways[high + 1] = beyond
    else:
        high -= 1
    return low, high


def _shift(lines: Lines, changed: list[bool], other: list[bool]) -> None:
    """Move runs of changes; `changed` and `other` are one longer at both ends, so that line n is at n + 1."""
    i, j, end = 0, 0, len(lines)
    while True:
        while i < end and not changed[i + 1]:
            while other[j + 1]:
                j += 1
            i, j = i + 1, j + 1
        if i == end:
            return
        start = i
        while changed[i + 1]:
            i += 1
        while other[j + 1]:
            j += 1
        length = -1
        while length != i - start:
            length = i - start
            while start and lines[start - 1] == lines[i - 1]:
                start, i = start - 1, i - 1
                changed[start + 1], changed[i + 1] = True, False
                while changed[start]:
                    start -= 1
                j -= 1
                while other[j + 1]:
                    j -= 1
            beside = i if other[j] else end
            while i != end and lines[start] == lines[i]:
                changed[start + 1], changed[i + 1] = False, True
                start, i = start + 1, i + 1
                while changed[i + 1]:
                    i += 1
                j += 1
                while other[j + 1]:
                    beside, j = i, j + 1
        while beside < i:
            start, i = start - 1, i - 1
            changed[start + 1], changed[i + 1] = True, False
            j -= 1
            while other[j + 1]:
                j -= 1
