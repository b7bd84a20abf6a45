-- Creates the two roles of Firstcome in the current database, or leaves them as they are. A superuser runs it
-- once, before the first start of the service:
--
--   psql -d firstcome -f deploy/postgres-roles.sql
--   psql -d firstcome -c '\password firstcome_owner' -c '\password firstcome_service'
--
-- firstcome_owner    owns the tables; only migrations use it (SPRING_FLYWAY_USER)
-- firstcome_service  reads and writes rows, and can neither alter a table nor change an audit entry, except to delete
--                    those of user coupons that it removes after their retention, and to replace an erased
--                    customer in them (SPRING_DATASOURCE_USERNAME)

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'firstcome_owner') THEN
    CREATE ROLE firstcome_owner LOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'firstcome_service') THEN
    CREATE ROLE firstcome_service LOGIN;
  END IF;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO firstcome_owner, firstcome_service', current_database());
END
$$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO firstcome_owner;
GRANT USAGE ON SCHEMA public TO firstcome_service;

-- For the tables that migrations create. The migration itself revokes what concerns audit entries.
ALTER DEFAULT PRIVILEGES FOR ROLE firstcome_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO firstcome_service;
ALTER DEFAULT PRIVILEGES FOR ROLE firstcome_owner IN SCHEMA public
  GRANT USAGE ON SEQUENCES TO firstcome_service;
