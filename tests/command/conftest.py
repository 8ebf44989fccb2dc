from tests.cli.conftest import call, config

__all__ = ("call", "config")
