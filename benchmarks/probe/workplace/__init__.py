"""Mode `workplace`: a sample poured into mail, calendar and files, where one acts by real changes."""
