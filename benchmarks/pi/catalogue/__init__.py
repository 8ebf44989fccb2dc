"""What the apps of a persona hold: each module gives the rows of one app, from a seed, a time and a cast.

`rows(seed, now, cast)` maps each table of the app of that name to its rows. Equal arguments give equal rows, in any
process. All names, titles and texts are made up.
"""
