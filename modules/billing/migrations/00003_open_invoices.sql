-- +goose Up
-- What a customer has to pay, over all agreements: few of many invoices.
CREATE INDEX billing_invoices_open ON billing_invoices (label_key, relation_id, due_date, invoice_id) WHERE balance > 0;

-- +goose Down
DROP INDEX billing_invoices_open;
