"""The gate of the matcher: 300 answers from three sources, labelled by two people or models, held against it."""
