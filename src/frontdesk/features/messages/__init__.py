"""Messages to people: a desk declares what each says; this assembles mail and SMS."""
