import { changesState } from '@tidegate/contract'
import { ask } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { changedTables, contentsOf } from './support/database-digest.ts'
import { Findings } from './support/findings.ts'
import { sessionOf } from './support/accounts.ts'
import { pathOf, ROUTES } from './support/routes.ts'

/** Makes every call that is said to change nothing, as each role, and finds the database as it was. */
export async function readEverything(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { db } = site.database
  const reads = ROUTES.filter(({ endpoint }) => !changesState(endpoint))
  for (const person of [site.user, site.admin, site.root]) {
    await person.refresh()
    const before = await contentsOf(db)
    for (const { endpoint } of reads) {
      await ask(site.url, { path: pathOf(endpoint, { id: 1 }), headers: sessionOf(person) })
    }
    const changed = changedTables(before, await contentsOf(db))
    findings.check(changed.length === 0, () => `reading as ${person.role} changed ${changed.join(', ')}`)
    findings.tried += reads.length
  }
  return findings
}
