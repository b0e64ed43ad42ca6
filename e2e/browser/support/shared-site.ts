import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setUpSite } from '@tidegate/testing'
import { sql } from 'kysely'
import { until } from '../../scenarios/until.ts'
import type { StorageState } from './browser.ts'
import { sessionAt } from './session.ts'
import { openSite, type Site } from './site.ts'

const METRICS_TOKEN = 'browser-tests-metrics'
const RESET_LIMIT_MS = 30_000
/** A site that is set up, with the session of its super admin. */
export interface SharedSite {
  readonly site: Site
  readonly adminSession: StorageState
}

let shared: SharedSite | undefined

/** The site of this worker in its state after setup. It ends with the worker. */
export async function sharedSite(): Promise<SharedSite> {
  if (shared === undefined) onWorkerEnd(closeSharedSite)
  else await reset(shared.site)
  return (shared ??= await openSharedSite())
}

async function openSharedSite(): Promise<SharedSite> {
  const site = await openSite({ env: { PORT: await freePort(), TIDEGATE_METRICS_TOKEN: METRICS_TOKEN } })
  try {
    await setUpSite(site.client)
    const adminSession = await sessionAt(site.server.url)
    await saveBaseline(site)
    return { site, adminSession }
  } catch (error) {
    await site.close()
    throw error
  }
}

/** Below those of outgoing connections: one of them could take the port while the server restarts. */
async function freePort(): Promise<string> {
  for (;;) {
    const port = 20_000 + randomInt(10_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return String(port)
  }
}

async function closeSharedSite(): Promise<void> {
  const closing = shared
  shared = undefined
  await closing?.site.close()
}

/** Usage is written seconds after a request, under IDs that the next file reuses: such a server is restarted. */
async function hasServedApiRequests(site: Site): Promise<boolean> {
  return /^tidegate_(calls|attempts)_total\{/m.test(await readMetrics(site))
}

/** Copies every table that has rows, as of one moment. */
async function saveBaseline({ db }: Site): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      await sql`create schema baseline`.execute(transaction)
      for (const name of await tablesToReset(transaction)) {
        const { rows } = await sql`select from ${sql.id(name)} limit 1`.execute(transaction)
        if (rows.length === 0) continue
        await sql`create table baseline.${sql.id(name)} as table ${sql.id(name)}`.execute(transaction)
      }
    })
}

/** Restores every row, ID and option to the baseline, and the server has loaded them afterwards. */
async function reset(site: Site): Promise<void> {
  if (await hasServedApiRequests(site)) {
    // At the same address, so that the browser keeps the compiled scripts.
    await site.restart(async () => {
      await restoreRows(site)
      await site.clearLimits()
    })
    return
  }
  const version = await restoreRows(site)
  await site.clearLimits()
  const isLoaded = await until(async () => (await catalogVersion(site)) >= version, RESET_LIMIT_MS)
  if (!isLoaded) throw new Error(`the server did not load catalog version ${version}`)
}

/** Returns the new catalog version. */
async function restoreRows(site: Site): Promise<number> {
  return await site.db.transaction().execute(async (transaction) => {
    // The worker must not seal audit events that are about to be deleted.
    await sql`select pg_advisory_xact_lock(hashtext('audit seals'))`.execute(transaction)
    // Without foreign key checks, so that the tables can be emptied and filled in any order.
    await sql`set local session_replication_role = replica`.execute(transaction)
    // TRUNCATE would wait for every reader, and so deadlock with the server's own transactions.
    for (const name of await tablesToReset(transaction)) await sql`delete from ${sql.id(name)}`.execute(transaction)
    await sql`
      select setval(oid::regclass, 1, false) from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'S'`.execute(transaction)
    const { rows } = await sql<{ name: string; sequence: string | null }>`
      select c.relname as name, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
      from pg_class c left join pg_attribute a
        on a.attrelid = to_regclass('public.' || quote_ident(c.relname)) and a.attname = 'id'
      where c.relnamespace = 'baseline'::regnamespace and c.relkind = 'r'`.execute(transaction)
    for (const { name, sequence } of rows) {
      await sql`insert into ${sql.id(name)} select * from baseline.${sql.id(name)}`.execute(transaction)
      if (sequence) await sql`select setval(${sequence}, max(id)) from ${sql.id(name)}`.execute(transaction)
    }
    return await changeCatalogVersion(transaction)
  })
}

/** All tables but those the running server relies on, and the catalog version, which may only grow. */
async function tablesToReset(db: Site['db']): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not like 'schema_migration%'
      and relname not in ('catalog_version', 'gateway_process', 'job_lease', 'node_figures')`.execute(db)
  return rows.map(({ name }) => name)
}

async function changeCatalogVersion(db: Site['db']): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update catalog_version set version = version + 1 returning version`.execute(db)
  const { version } = rows[0]!
  await sql`select pg_notify('tidegate', ${JSON.stringify({ kind: 'catalog', version })})`.execute(db)
  return version
}

async function catalogVersion(site: Site): Promise<number> {
  return Number(/^tidegate_catalog_version (\d+)$/m.exec(await readMetrics(site))?.[1])
}

async function readMetrics({ server }: Site): Promise<string> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  if (!response.ok) throw new Error(`/metrics returned ${response.status}`)
  return await response.text()
}

/** Vitest offers this only to worker fixtures; here hooks need the site. */
function onWorkerEnd(end: () => Promise<void>): void {
  const { __vitest_worker__: worker } = globalThis as unknown as {
    __vitest_worker__: { onCleanup(listener: () => Promise<void>): void }
  }
  worker.onCleanup(end)
}
