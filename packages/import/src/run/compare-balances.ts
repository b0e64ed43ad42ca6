import type { Db } from '@tidegate/storage'
import type { Cargo } from '../model/import-data.ts'
import { IMPORT_REFERENCE } from './import-reference.ts'
import type { PresentRows } from '../plan/present-rows.ts'

export interface Difference {
  readonly what: string
  readonly source: number
  /** What it came here with. */
  readonly here: number
}

/** Every balance in the source beside what its account here was opened with; those that are not equal to the unit. */
export async function compareBalances(
  db: Db,
  present: PresentRows,
  { users, tokens }: Pick<Cargo, 'users' | 'tokens'>,
): Promise<Difference[]> {
  const entries = await db
    .selectFrom('ledger_entry')
    .select(['user_id', 'token_id', 'amount'])
    .where('reference', '=', IMPORT_REFERENCE)
    .where('kind', 'in', ['setup_grant', 'token_limit'])
    .execute()
  const opened = new Map(
    entries.map(({ user_id, token_id, amount }) => [token_id === 0 ? `user ${user_id}` : `token ${token_id}`, amount]),
  )
  const compare = (kind: 'user' | 'token', name: string, sourceId: string, source: number): Difference[] => {
    const id = present.idOf(kind, sourceId)
    if (id === undefined) return []
    const here = opened.get(`${kind} ${id}`) ?? 0
    return here === source ? [] : [{ what: `${kind} ${name} (${sourceId})`, source, here }]
  }
  return [
    ...users.flatMap(({ columns, sourceId, balance }) => compare('user', columns.username, sourceId, balance)),
    ...tokens.flatMap(({ columns, sourceId, balance }) => compare('token', columns.name, sourceId, balance)),
  ]
}
