package billingapi

const Key = "billing"
