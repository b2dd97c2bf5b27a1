"""The command line: reads options, calls the other rooms, prints. Nothing is computed here."""
