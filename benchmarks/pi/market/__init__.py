"""The financier's figures: days, sterling swap quotes, zero curve and a back-test, all computed, none looked up."""
