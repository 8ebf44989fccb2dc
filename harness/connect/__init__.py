"""Puts sandboxed apps into the configuration of MCP clients, and takes them out again."""
