-- +goose Up
-- Prices get the kind that their description, commodity and unit say without doubt. Whether they include VAT cannot be derived.
UPDATE billing_agreements SET document = json_set(document, '$.price_agreements', json((
	SELECT json_group_array(json(price)) FROM (
		SELECT CASE WHEN kind IS NULL OR json_extract(price, '$.kind') IS NOT NULL THEN price ELSE json_set(price, '$.kind', kind) END AS price FROM (
			SELECT position, price, CASE
				WHEN commodity = 'ELECTRICITY' AND unit = 'kwh' THEN CASE
					WHEN said LIKE '%terugleverkosten%' THEN 'feed_in_cost'
					WHEN said LIKE '%terugleververgoeding%' THEN 'feed_in'
					WHEN said LIKE '%teruglever%' THEN NULL
					WHEN said LIKE '%energiebelasting%' THEN 'energy_tax'
					WHEN said LIKE '%enkel%' THEN 'single'
					WHEN said LIKE '%normaal%' AND said NOT LIKE '%dal%' THEN 'normal'
					WHEN said LIKE '%normaal%' THEN NULL
				WHEN said LIKE '%daltarief%' OR said = 'dal' THEN 'low' END
				WHEN commodity = 'GAS' AND unit IN ('m³', 'm3') THEN CASE
					WHEN said LIKE '%energiebelasting%' THEN 'energy_tax'
					WHEN said IN ('gas', 'levering gas', 'leveringstarief gas') THEN 'single' END
				WHEN commodity IN ('ELECTRICITY', 'GAS') AND unit IN ('dag', 'day', 'maand', 'month', 'jaar', 'year') THEN CASE
					WHEN said LIKE '%vermindering%energiebelasting%' AND commodity = 'ELECTRICITY' AND amount <= 0 THEN 'tax_reduction'
					WHEN said LIKE '%energiebelasting%' THEN NULL
					WHEN said LIKE '%vaste leveringskosten%' OR said LIKE '%vastrecht%' THEN 'standing'
					WHEN said LIKE '%netbeheer%' THEN 'grid' END
				END AS kind FROM (
				SELECT e.key AS position, e.value AS price, lower(trim(json_extract(e.value, '$.description'))) AS said,
					json_extract(e.value, '$.commodity') AS commodity, lower(trim(json_extract(e.value, '$.unit'))) AS unit,
					json_extract(e.value, '$.amount') AS amount
				FROM json_each(billing_agreements.document, '$.price_agreements') AS e))
		ORDER BY position))))
WHERE json_array_length(document, '$.price_agreements') > 0;

-- +goose Down
UPDATE billing_agreements SET document = json_set(document, '$.price_agreements', json((
	SELECT json_group_array(json(price)) FROM (SELECT json_remove(e.value, '$.kind', '$.includes_vat') AS price
		FROM json_each(billing_agreements.document, '$.price_agreements') AS e ORDER BY e.key))))
WHERE json_array_length(document, '$.price_agreements') > 0;
