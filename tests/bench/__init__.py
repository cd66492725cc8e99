"""Measurements of what people wait for; `make bench` runs every module here that has a `main()`."""
