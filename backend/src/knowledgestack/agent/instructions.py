"""The system prompt of the agent."""
