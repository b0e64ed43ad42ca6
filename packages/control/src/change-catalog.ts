import { touchCatalog, type Db } from '@tidegate/storage'
import type { Deps } from './deps.ts'

type CatalogDeps = Pick<Deps, 'db' | 'catchUp'>

/**
 * Runs a change of options or channels. Claiming the new version locks its row and serializes such changes, so the work
 * reads current data. Resolves when this node uses the change; other nodes follow by change notification.
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

/** The same for work that may have nothing to do: returns undefined, and no node reloads the catalog. */
export async function changeCatalogIfNeeded<Result>(
  deps: CatalogDeps,
  work: (transaction: Db) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  try {
    return await changeCatalog(deps, async (transaction) => {
      const result = await work(transaction)
      if (result === undefined) throw new NoChangeError() // rolls the claimed version back
      return result
    })
  } catch (error) {
    if (error instanceof NoChangeError) return undefined
    throw error
  }
}

class NoChangeError extends Error {}
