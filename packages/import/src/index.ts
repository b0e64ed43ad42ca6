/** Imports sites of other products, and exports users. */
export { InputError } from './errors.ts'
export {
  importSite,
  type ImportResult,
  type ImportOptions,
  type ImportVerification,
  type Site,
} from './run/run-import.ts'
export { describeImport } from './run/describe-import.ts'
export { AREAS, type Area, type Counts, type Finding, type Outcome } from './report.ts'
export { SOURCE_FORMATS } from './sources/open-source.ts'
export { exportUsers, type ExportOptions } from './export/export-users.ts'
