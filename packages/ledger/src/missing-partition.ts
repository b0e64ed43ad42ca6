/** Postgres reports a row that no partition takes as a violated check of the table itself, which has no such constraint. */
export function isMissingPartition(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string }
  return code === '23514' && table === 'usage_log' && constraint === undefined
}
