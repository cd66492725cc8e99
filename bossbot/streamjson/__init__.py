"""What is said on the pipe between us and an agent CLI: bytes in, frames out; wishes in, bytes out. No I/O."""
