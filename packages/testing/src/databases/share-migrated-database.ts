import { shareMigratedDatabase } from './throw-away-database.ts'

/** Runs once before the files of a suite, and what it gives once after them. */
export default shareMigratedDatabase
