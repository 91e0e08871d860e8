-- +goose Up
-- Prices get the kind that their description, commodity and unit say without doubt. Whether they include VAT cannot be derived.
UPDATE billing_agreements AS a SET document = (a.document::jsonb || jsonb_build_object('price_agreements', (
	SELECT jsonb_agg(CASE WHEN kind IS NULL OR jsonb_exists(price, 'kind') THEN price ELSE price || jsonb_build_object('kind', kind) END ORDER BY position) FROM (
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
			SELECT position, price, lower(trim(price->>'description')) AS said, price->>'commodity' AS commodity,
				lower(trim(price->>'unit')) AS unit, (price->>'amount')::numeric AS amount
			FROM jsonb_array_elements(a.document::jsonb->'price_agreements') WITH ORDINALITY AS e (price, position)) AS described) AS derived)))::text
WHERE CASE WHEN strpos(a.document, '\u0000') > 0 THEN false -- jsonb does not take this character
	WHEN jsonb_typeof(a.document::jsonb->'price_agreements') <> 'array' THEN false
	ELSE jsonb_array_length(a.document::jsonb->'price_agreements') > 0 END;

-- +goose Down
UPDATE billing_agreements AS a SET document = (a.document::jsonb || jsonb_build_object('price_agreements', (
	SELECT jsonb_agg(price - 'kind' - 'includes_vat' ORDER BY position)
	FROM jsonb_array_elements(a.document::jsonb->'price_agreements') WITH ORDINALITY AS e (price, position))))::text
WHERE CASE WHEN strpos(a.document, '\u0000') > 0 THEN false -- jsonb does not take this character
	WHEN jsonb_typeof(a.document::jsonb->'price_agreements') <> 'array' THEN false
	ELSE jsonb_array_length(a.document::jsonb->'price_agreements') > 0 END;
