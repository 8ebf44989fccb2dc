"""Model calls: LiteLLM, cassettes, and a stub in their place."""
