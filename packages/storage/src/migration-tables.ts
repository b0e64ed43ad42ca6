/** Where the names of applied migrations are kept. */
export const MIGRATION_TABLE = 'schema_migration'
export const MIGRATION_LOCK_TABLE = 'schema_migration_lock'
