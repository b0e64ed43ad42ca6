import { touchCatalog, type Db } from '@tidegate/storage'
import type { Deps } from './deps.ts'

type CatalogDeps = Pick<Deps, 'db' | 'catchUp'>

/**
 * Runs a change of options or channels. The new version is claimed first: its row lock makes such changes wait for one
 * another, so what the work reads cannot be outdated. Answers once this node uses the change; others follow by notice.
 */
export async function changeCatalog<Result>(
  { db, catchUp }: CatalogDeps,
  work: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  const { version, result } = await db.transaction().execute(async (transaction) => ({
    version: await touchCatalog(transaction),
    result: await work(transaction),
  }))
  await catchUp(version)
  return result
}

/** The same for work that may find nothing to do: then it answers undefined, and no node reads the catalog again. */
export async function changeCatalogIfNeeded<Result>(
  deps: CatalogDeps,
  work: (transaction: Db) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  try {
    return await changeCatalog(deps, async (transaction) => {
      const result = await work(transaction)
      if (result === undefined) throw new NothingToDo() // takes the claimed version back
      return result
    })
  } catch (error) {
    if (error instanceof NothingToDo) return undefined
    throw error
  }
}

class NothingToDo extends Error {}
