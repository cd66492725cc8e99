"""What other programs may ask the bot over HTTP: the feeds of events, for whoever has the token."""
