"""The store on DynamoDB: each change is items of one transaction, with their conditions."""
