export const UNIQUE_VIOLATION = '23505'
export const UNDEFINED_TABLE = '42P01'
export const DUPLICATE_DATABASE = '42P04'

/** Whether a caught value is an error with this code, as Node (`ENOENT`) and PostgreSQL (`55P03`) give them. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
