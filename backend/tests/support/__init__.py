"""What the tests share: databases, fake servers, builders."""
