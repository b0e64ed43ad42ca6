import { access, constants, mkdir, statfs } from 'node:fs/promises'
import {
  connectRedis,
  describeSchemaProblem,
  inspectSchema,
  LARGEST_SKEW_SECONDS,
  listUsageLogPartitions,
  VaultError,
  type Db,
} from '@tidegate/storage'
import { sql } from 'kysely'
import type { Environment } from '../environment.ts'
import { findConsole } from '../http/console-files.ts'
import type { Logger } from '../observability/logging.ts'
import { hasSecret, openRootKey, openStorage } from '../process/open-storage.ts'

/** The result of one check: `problem` and `fix` are set if it failed, `warning` and `fix` if it is risky. */
interface Finding {
  check: string
  problem?: string
  warning?: string
  fix?: string
  detail?: string
}

const UP_TO_DATE = 'up to date'
const MINIMUM_POSTGRES = 15
const MINIMUM_FREE_MB = 500

/** Checks everything a start needs and prints the results. Returns the exit code. */
export async function doctor(environment: Environment, log: Logger, { site = false } = {}): Promise<number> {
  const findings = [
    await checkDataDirectory(environment),
    await checkSecret(environment),
    ...(await checkDatabase(environment, log, site)),
    await checkRedis(environment),
    checkConsole(),
  ]
  for (const finding of findings) print(finding)
  const problems = findings.filter(({ problem }) => problem !== undefined).length
  console.log(problems === 0 ? '\nAll checks passed.' : `\nFailed checks: ${problems}.`)
  return problems === 0 ? 0 : 1
}

function print({ check, problem, warning, fix, detail }: Finding): void {
  if (warning !== undefined) return console.log(`! ${check}: ${warning}\n  → ${fix}`)
  if (problem === undefined) return console.log(`✓ ${check}${detail ? ` (${detail})` : ''}`)
  console.log(`✗ ${check}: ${problem}\n  → ${fix}`)
}

async function checkDataDirectory({ TIDEGATE_DATA_DIR: directory }: Environment): Promise<Finding> {
  const check = `data directory ${directory}`
  try {
    await mkdir(directory, { recursive: true, mode: 0o711 })
    await access(directory, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(directory)
    const freeMb = Math.floor((bavail * bsize) / 1024 ** 2)
    if (freeMb >= MINIMUM_FREE_MB) return { check, detail: `${freeMb} MB free` }
    return {
      check,
      problem: `only ${freeMb} MB free`,
      fix: 'Free some space, or set TIDEGATE_DATA_DIR to a larger disk.',
    }
  } catch (error) {
    const fix = 'Make it writable for the user Tidegate runs as, or set TIDEGATE_DATA_DIR to a directory that is.'
    return { check, problem: reason(error), fix }
  }
}

async function checkSecret(environment: Environment): Promise<Finding> {
  const check = hasSecret(environment) ? 'secret from the environment' : 'secret from the key file'
  try {
    await openRootKey(environment)
    return { check }
  } catch (error) {
    return {
      check,
      problem: reason(error),
      fix: 'Restore secret.key from a backup, or set TIDEGATE_SECRET to the value used before.',
    }
  }
}

async function checkDatabase(environment: Environment, log: Logger, withSite: boolean): Promise<Finding[]> {
  const check = environment.DATABASE_URL ? 'database server' : 'embedded database'
  try {
    const storage = await openStorage({ ...environment, REDIS_URL: undefined }, log)
    try {
      const { db } = storage.database
      const schema = await checkSchema(db)
      return [
        await checkVersion(db, check),
        schema,
        await checkClock(db),
        ...(await checkStandbys(db)),
        ...(withSite && schema.detail === UP_TO_DATE ? await checkSite(db) : []),
      ]
    } finally {
      await storage.close()
    }
  } catch (error) {
    if (error instanceof VaultError) {
      const fix =
        'Set TIDEGATE_SECRET to the value that the site was set up with. All processes of a site have the same.'
      return [{ check: 'secret of the site', problem: reason(error), fix }]
    }
    const fix = environment.DATABASE_URL
      ? 'Check that the server runs, and check the host, name and password in DATABASE_URL.'
      : 'Read the message above, or set DATABASE_URL to a PostgreSQL server.'
    return [{ check, problem: reason(error), fix }]
  }
}

async function checkVersion(db: Db, check: string): Promise<Finding> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  const version = rows[0]!.version
  if (Number.parseInt(version, 10) >= MINIMUM_POSTGRES) return { check, detail: `PostgreSQL ${version}` }
  return {
    check,
    problem: `PostgreSQL ${version} is too old`,
    fix: `Upgrade to PostgreSQL ${MINIMUM_POSTGRES} or newer.`,
  }
}

async function checkSchema(db: Db): Promise<Finding> {
  const state = await inspectSchema(db)
  // A start migrates by itself. Other schema problems need an operator.
  if (state.kind === 'empty' || state.kind === 'behind')
    return { check: 'schema', detail: 'tidegate start migrates it' }
  if (state.kind === 'compatible')
    return {
      check: 'schema',
      detail: `migrated by a newer build (${state.unknown.join(', ')}), which this one can serve`,
    }
  const problem = describeSchemaProblem(state)
  return problem === undefined
    ? { check: 'schema', detail: UP_TO_DATE }
    : { check: 'schema', problem, fix: 'Resolve this problem before you start Tidegate.' }
}

async function checkClock(db: Db): Promise<Finding> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const skew = Math.abs(Date.now() - rows[0]!.now.getTime()) / 1000
  if (skew <= LARGEST_SKEW_SECONDS) return { check: 'clock', detail: `${skew.toFixed(1)} s from the database clock` }
  return {
    check: 'clock',
    problem: `${skew.toFixed(0)} s from the database clock`,
    fix: 'Turn on time synchronisation (NTP) on both machines.',
  }
}

/** Nothing to report without standby servers, or without the right to see their state. */
async function checkStandbys(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ sync_state: string }>`
    select sync_state from pg_stat_replication where state = 'streaming'`.execute(db)
  if (rows.length === 0) return []
  const check = 'standby servers'
  const synchronous = rows.filter(({ sync_state }) => ['sync', 'quorum'].includes(sync_state)).length
  if (synchronous > 0) return [{ check, detail: `${rows.length}, synchronous: ${synchronous}` }]
  return [
    {
      check,
      warning: 'none is synchronous, so a failover can lose top-ups and other changes',
      fix: 'Set synchronous_standby_names if one of them can take over.',
    },
  ]
}

async function checkRedis({ REDIS_URL, TIDEGATE_REDIS_PREFIX }: Environment): Promise<Finding> {
  if (REDIS_URL === undefined)
    return { check: 'Redis', detail: 'not used: each machine counts rate limits for itself; enough for one' }
  const redis = await connectRedis(REDIS_URL, TIDEGATE_REDIS_PREFIX)
  try {
    await redis.ping()
    return { check: 'Redis' }
  } catch (error) {
    return {
      check: 'Redis',
      problem: reason(error),
      fix: 'Check that Redis runs and that REDIS_URL is correct, or unset REDIS_URL on a single node.',
    }
  } finally {
    await redis.close()
  }
}

function checkConsole(): Finding {
  const found = findConsole() !== undefined
  return found
    ? { check: 'console files' }
    : { check: 'console files', problem: 'not found', fix: 'Run `npm run build`.' }
}

/** Some network errors have a code and no message. */
function reason(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || String(error)
}

/** Gateways send a heartbeat every ten seconds. */
const ALIVE_SECONDS = 30
/** The worker signs a digest every day. */
const DIGEST_HOURS = 36
/** The worker creates partitions several days ahead. */
const PARTITION_DAYS = 1
const DAY_MS = 86_400_000

/** Checks the running processes of a site by what they leave in the database. */
async function checkSite(db: Db): Promise<Finding[]> {
  return [
    await checkGateways(db),
    await checkLostLeases(db),
    await checkWorker(db),
    await checkDigest(db),
    await checkPartitions(db),
    await checkChannels(db),
  ]
}

async function checkGateways(db: Db): Promise<Finding> {
  const check = 'gateways'
  const { count } = await sql<{ count: number }>`
    select count(*)::int as count from gateway_process
    where heartbeat_at > now() - make_interval(secs => ${ALIVE_SECONDS}) and ${isProcess('gateway_process')}`
    .execute(db)
    .then(({ rows }) => rows[0]!)
  if (count > 0) return { check, detail: `${count} running` }
  return { check, problem: 'none is running', fix: 'Start a gateway, and read its log if it stops.' }
}

/** A batch that a provider runs holds credit, too. */
function isProcess(table: string) {
  return sql`${sql.ref(`${table}.holder`)} not like 'batch:%'`
}

/** Credit that ended processes hold. A restart on their data directory returns it at once, the worker later. */
async function checkLostLeases(db: Db): Promise<Finding> {
  const check = 'credit of ended gateways'
  const { gateways, accounts } = await sql<{ gateways: number; accounts: number }>`
    select count(distinct l.holder)::int as gateways, count(distinct l.user_id)::int as accounts
    from credit_lease l left join gateway_process p on p.holder = l.holder
    where l.amount > 0 and ${isProcess('l')} and (p.heartbeat_at is null or p.heartbeat_at < now() - make_interval(secs => ${ALIVE_SECONDS}))`
    .execute(db)
    .then(({ rows }) => rows[0]!)
  if (gateways === 0) return { check, detail: 'none' }
  return {
    check,
    warning: `${gateways} hold credit of ${accounts} accounts`,
    fix: 'Start a gateway on each data directory that has a journal. A worker returns the credit after 13 minutes.',
  }
}

async function checkWorker(db: Db): Promise<Finding> {
  const check = 'worker'
  const { holders } = await sql<{ holders: number }>`
    select count(distinct holder)::int as holders from job_lease where expires_at > now()`
    .execute(db)
    .then(({ rows }) => rows[0]!)
  if (holders > 0) return { check, detail: `${holders} running` }
  return {
    check,
    problem:
      'no worker is running: notifications are not sent, budgets are not renewed, and expired data is not deleted',
    fix: 'Start a process with the role worker.',
  }
}

async function checkDigest(db: Db): Promise<Finding> {
  const check = 'signed digest of the ledger'
  const { day, isLate } = await sql<{ day: string | null; isLate: boolean | null }>`
    select max(day)::text as day, max(day) < now() - make_interval(hours => ${DIGEST_HOURS + 24}) as "isLate"
    from ledger_digest`
    .execute(db)
    .then(({ rows }) => rows[0]!)
  if (day === null) return { check, detail: 'none yet, the worker signs one a day' }
  if (!isLate) return { check, detail: day }
  return {
    check,
    warning: `the last one is of ${day}`,
    fix: 'Read the errors of the job seal-ledger in the worker log.',
  }
}

async function checkPartitions(db: Db): Promise<Finding> {
  const check = 'partitions of the usage log'
  const last = (await listUsageLogPartitions(db)).at(-1)?.day
  const { now } = await sql<{ now: Date }>`select now()`.execute(db).then(({ rows }) => rows[0] as { now: Date })
  if (last && last.getTime() >= now.getTime() + PARTITION_DAYS * DAY_MS - DAY_MS)
    return { check, detail: `until ${last.toISOString().slice(0, 10)}` }
  return {
    check,
    warning: last ? `the last one is of ${last.toISOString().slice(0, 10)}` : 'there is none',
    fix: 'Start a worker. Until then, gateways create partitions when they need them.',
  }
}

async function checkChannels(db: Db): Promise<Finding> {
  const check = 'channels'
  const { enabled, disabled } = await sql<{ enabled: number; disabled: number }>`
    select count(*) filter (where status = 1)::int as enabled, count(*) filter (where status = 3)::int as disabled
    from channel`
    .execute(db)
    .then(({ rows }) => rows[0]!)
  if (enabled === 0)
    return { check, warning: 'none is enabled, so no request can be served', fix: 'Add a channel in the console.' }
  const detail = `${enabled} enabled`
  if (disabled === 0) return { check, detail }
  return { check, warning: `${detail}, ${disabled} disabled because they failed`, fix: 'Test them in the console.' }
}
