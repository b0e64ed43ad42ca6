import { access, constants, mkdir, statfs } from 'node:fs/promises'
import {
  connectRedis,
  describeSchemaProblem,
  inspectSchema,
  LARGEST_SKEW_SECONDS,
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

const MINIMUM_POSTGRES = 15
const MINIMUM_FREE_MB = 500

/** Checks everything a start needs and prints the results. Returns the exit code. */
export async function doctor(environment: Environment, log: Logger): Promise<number> {
  const findings = [
    await checkDataDirectory(environment),
    await checkSecret(environment),
    ...(await checkDatabase(environment, log)),
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

async function checkDatabase(environment: Environment, log: Logger): Promise<Finding[]> {
  const check = environment.DATABASE_URL ? 'database server' : 'embedded database'
  try {
    const storage = await openStorage({ ...environment, REDIS_URL: undefined }, log)
    try {
      const { db } = storage.database
      return [await checkVersion(db, check), await checkSchema(db), await checkClock(db), ...(await checkStandbys(db))]
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
  const problem = describeSchemaProblem(state)
  return problem === undefined
    ? { check: 'schema', detail: 'up to date' }
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
