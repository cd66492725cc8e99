"""Kill tests: the bot is killed with -9 again and again in the middle of its work, and nothing may be lost or doubled.

`python -m tests.chaos` (`make chaos`) kills it hundreds of times; `test_kill.py` does it some twenty times a store.
"""
