-- Partitions every table of the current schema that has a column label_key by HASH (label_key). Partitioned tables are not changed, so the
-- script can be run again after an upgrade that added tables. See docs/partitioning.md.
--
--   PGOPTIONS='-c wattle.partitions=16' psql -v ON_ERROR_STOP=1 -1 -f partition-by-label.sql DATABASE
--
-- Stop all portals first. Each table is copied, so there must be as much free space as the database needs. Everything is one transaction, so
-- after an error nothing has changed.
DO $partition$
DECLARE
	parts   integer := coalesce(nullif(current_setting('wattle.partitions', true), ''), '16')::integer;
	here    oid := current_schema()::regnamespace;
	bad     text;
	keys    text[]; -- statements that add the foreign keys again
	later   text[]; -- statements that run when the copy has the name of the table
	t       record;
	r       record;
	sub     text; -- how the table was partitioned before, such as RANGE (day)
	part    text;
BEGIN
	IF parts NOT BETWEEN 2 AND 1024 THEN
		RAISE EXCEPTION 'wattle.partitions must be between 2 and 1024';
	END IF;
	IF EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'wattle%' AND pid <> pg_backend_pid()) THEN
		RAISE EXCEPTION 'stop all processes of wattle first';
	END IF;
	-- The lock of wattle migrate: no other process and no migration may run at the same time.
	PERFORM pg_advisory_xact_lock(hashtext('wattle'), hashtext(current_schema()));

	CREATE TEMPORARY TABLE to_partition ON COMMIT DROP AS
	SELECT c.oid, c.relname AS name, c.relkind AS kind, c.relowner::regrole AS owner, c.relacl AS acl
	FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'label_key' AND NOT a.attisdropped
	LEFT JOIN pg_partitioned_table p ON p.partrelid = c.oid
	WHERE c.relnamespace = here AND c.relkind IN ('r', 'p') AND NOT c.relispartition
		AND NOT coalesce(p.partstrat = 'h' AND p.partattrs[0] = a.attnum, false);

	-- Properties that a partitioned table cannot have, or that would be lost.
	SELECT string_agg(what, E'\n') INTO bad FROM (
		SELECT format('%s: unique index %s does not contain label_key', d.name, i.indexrelid::regclass) AS what
		FROM to_partition d JOIN pg_index i ON i.indrelid = d.oid JOIN pg_attribute a ON a.attrelid = d.oid AND a.attname = 'label_key'
		WHERE (i.indisunique OR i.indisexclusion) AND NOT a.attnum = ANY (i.indkey)
		UNION ALL SELECT format('%s: column %s is an identity, serial or generated column', d.name, a.attname)
		FROM to_partition d JOIN pg_attribute a ON a.attrelid = d.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE a.attidentity <> '' OR a.attgenerated <> '' OR pg_get_serial_sequence(d.oid::regclass::text, a.attname) IS NOT NULL
		UNION ALL SELECT format('%s: has row level security', d.name) FROM to_partition d JOIN pg_class c ON c.oid = d.oid WHERE c.relrowsecurity
		UNION ALL SELECT format('%s: its partition %s is itself partitioned', d.name, c.relname)
		FROM to_partition d JOIN pg_inherits h ON h.inhparent = d.oid JOIN pg_class c ON c.oid = h.inhrelid WHERE c.relkind = 'p') AS found;
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION E'these tables cannot be partitioned:\n%', bad;
	END IF;

	-- Foreign keys from or to a table that is copied.
	FOR r IN SELECT k.conname AS name, k.conrelid::regclass AS source, pg_get_constraintdef(k.oid) AS definition
		FROM pg_constraint k WHERE k.contype = 'f' AND k.conparentid = 0
			AND (k.conrelid IN (SELECT oid FROM to_partition) OR k.confrelid IN (SELECT oid FROM to_partition))
	LOOP
		keys := keys || format('ALTER TABLE %s ADD CONSTRAINT %I %s', r.source, r.name, r.definition);
		EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', r.source, r.name);
	END LOOP;

	FOR t IN SELECT * FROM to_partition ORDER BY name LOOP
		later := '{}';
		sub := CASE WHEN t.kind = 'p' THEN pg_get_partkeydef(t.oid) END;
		EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMMENTS)
			PARTITION BY HASH (label_key)', t.name || '_new', t.name);
		FOR n IN 0 .. parts - 1 LOOP
			part := t.name || '_p' || n;
			EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s) %s', part, t.name || '_new', parts, n,
				coalesce('PARTITION BY ' || sub, ''));
			FOR r IN SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
				FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid WHERE h.inhparent = t.oid ORDER BY c.relname
			LOOP
				EXECUTE format('CREATE TABLE %I PARTITION OF %I %s', part || substr(r.name, length(t.name) + 1), part, r.bound);
			END LOOP;
		END LOOP;
		-- The definitions name the table, so they are executed when the copy has its name. Constraints create their own indexes.
		FOR r IN SELECT k.conname AS name, pg_get_constraintdef(k.oid) AS definition FROM pg_constraint k
			WHERE k.conrelid = t.oid AND k.contype IN ('p', 'u') ORDER BY k.contype, k.oid
		LOOP
			later := later || format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.name, r.name, r.definition);
		END LOOP;
		FOR r IN SELECT pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
			WHERE i.indrelid = t.oid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u')) ORDER BY i.indexrelid
		LOOP
			later := later || replace(r.definition, ' ON ONLY ', ' ON '); -- ON ONLY is in the definition if the table has partitions
		END LOOP;
		FOR r IN SELECT g.tgname AS name, pg_get_triggerdef(g.oid) AS definition, g.tgtype & 1 = 1 AS each_row, g.tgtype & 32 = 32 AS on_truncate
			FROM pg_trigger g WHERE g.tgrelid = t.oid AND NOT g.tgisinternal ORDER BY g.tgname
		LOOP
			later := later || r.definition;
			-- Partitions inherit row triggers, but statement triggers only fire for statements that name the table.
			IF NOT r.each_row THEN
				FOR n IN 0 .. parts - 1 LOOP
					later := later || replace(r.definition, format(' ON %I.%I ', current_schema(), t.name), format(' ON %I.%I ', current_schema(), t.name || '_p' || n));
				END LOOP;
			END IF;
		END LOOP;
		EXECUTE format('INSERT INTO %I SELECT * FROM %I', t.name || '_new', t.name);
		EXECUTE format('DROP TABLE %I', t.name);
		EXECUTE format('ALTER TABLE %I RENAME TO %I', t.name || '_new', t.name);
		FOREACH part IN ARRAY later LOOP
			EXECUTE part;
		END LOOP;
		IF t.owner <> current_user::regrole THEN
			FOR r IN SELECT relid FROM pg_partition_tree(t.name::regclass) LOOP
				EXECUTE format('ALTER TABLE %s OWNER TO %s', r.relid::regclass, t.owner);
			END LOOP;
		END IF;
		FOR r IN SELECT privilege_type AS privilege, is_grantable AS grantable, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS role
			FROM aclexplode(t.acl) WHERE grantee <> t.owner
		LOOP
			EXECUTE format('GRANT %s ON %I TO %s%s', r.privilege, t.name, r.role, CASE WHEN r.grantable THEN ' WITH GRANT OPTION' ELSE '' END);
		END LOOP;
	END LOOP;
	FOREACH part IN ARRAY coalesce(keys, '{}') LOOP
		EXECUTE part;
	END LOOP;
END
$partition$;
