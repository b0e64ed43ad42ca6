export const UNIQUE_VIOLATION = '23505'
export const READ_ONLY_TRANSACTION = '25006'
export const UNDEFINED_TABLE = '42P01'
export const DUPLICATE_DATABASE = '42P04'

/** Whether an error has one of these codes, either of Node (`ENOENT`) or of PostgreSQL (`55P03`). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
