import { verifyTrail } from '@tidegate/control'
import { verifyBooks } from '@tidegate/ledger'
import { loadKeyRing, type Db } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import { openSiteVault } from '../process/open-storage.ts'

/** Checks the books and the audit trail after a copy and returns a line for everything that does not agree. */
export async function checkBooks(environment: Environment, db: Db): Promise<string[]> {
  const vault = await openSiteVault(environment)
  await loadKeyRing(db, vault)
  return [...(await verifyBooks(db, { vault })).problems, ...(await verifyTrail(db, { vault })).problems]
}
