import { shareMigratedDatabase } from './throw-away-database.ts'

/** Global setup of a suite. Returns its teardown. */
export default shareMigratedDatabase
