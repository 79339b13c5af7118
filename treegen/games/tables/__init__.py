"""Forms of tables of answers: each reader returns what a file says as one `Sheet`."""
