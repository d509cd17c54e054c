"""The DynamoDB store: each change becomes conditional items of one transaction."""
