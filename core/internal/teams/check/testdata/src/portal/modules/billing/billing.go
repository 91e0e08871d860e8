package billing

const Key = "billing"
