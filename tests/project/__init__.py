"""Claims about the project as a whole: its files, packages, import rules and commands."""
