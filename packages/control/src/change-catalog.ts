import { touchCatalog, type Db } from '@tidegate/storage'
import type { Deps } from './deps.ts'

/**
 * Runs a change of options or channels. The new version is claimed first: its row lock makes such changes wait for one
 * another, so what the work reads cannot be outdated. Answers once this node uses the change; others follow by notice.
 */
export async function changeCatalog<Result>(
  { db, catchUp }: Pick<Deps, 'db' | 'catchUp'>,
  work: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  const { version, result } = await db.transaction().execute(async (transaction) => ({
    version: await touchCatalog(transaction),
    result: await work(transaction),
  }))
  await catchUp(version)
  return result
}
