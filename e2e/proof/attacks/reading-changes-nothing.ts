import { changesState } from '@tidegate/contract'
import { ask } from './ask.ts'
import type { AttackSite } from './attack-site.ts'
import { changedTables, contentsOf } from './contents.ts'
import { Findings } from './findings.ts'
import { sessionOf } from './people.ts'
import { pathOf, ROUTES } from './routes.ts'

/** GETs that do something by the console's own design. Each needs a session with its user named, or the right secret. */
const ACT_BY_DESIGN: Readonly<Record<string, string>> = {
  bindEmail: 'binds the address whose mailed code it brings',
  testChannel: 'asks a vendor and notes how it did',
  testAllChannels: 'starts a sweep of tests',
  refreshBalance: 'asks a vendor and notes what it said',
  refreshAllBalances: 'starts a sweep of balances',
}

/** Reads everything as each role, and finds the database as it was. */
export async function readEverything(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { db } = site.database
  const reads = ROUTES.filter(({ name, endpoint }) => !changesState(endpoint) && !Object.hasOwn(ACT_BY_DESIGN, name))
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
  const gone = Object.keys(ACT_BY_DESIGN).filter((name) => !ROUTES.some((route) => route.name === name))
  findings.check(gone.length === 0, () => `the list of GETs that act names calls that are gone: ${gone.join(', ')}`)
  return findings
}
