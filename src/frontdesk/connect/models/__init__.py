"""Language models: one port, with an adapter for Bedrock and one for OpenAI-compatible servers."""
