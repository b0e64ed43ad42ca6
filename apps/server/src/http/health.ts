import type { JournalDisk } from '@tidegate/ledger'
import { ping, type Db } from '@tidegate/storage'
import type { FastifyInstance } from 'fastify'

export interface ReadinessReport {
  readonly isReady: boolean
  /** Also of processes that are not ready while others are. */
  readonly problems: readonly string[]
  /** What does not respond, or is wrong, while requests are still served. */
  readonly degraded: readonly Dependency[]
}

export type Dependency = 'database' | 'clock' | 'disk' | 'log-store'

/** The readiness of one process. */
export type ProcessReadiness = Pick<ReadinessReport, 'problems' | 'degraded'>

export interface Readiness {
  read(): Promise<ProcessReadiness>
  /** Reports "not ready" from now on. */
  startStopping(): void
}

interface ReadinessOptions {
  /** With a deadline. */
  db: Db
  /** Whether the clock of this machine differs from the clock of the database. */
  isClockSkewed(): boolean
  /** Whether requests are served without the database; undefined in a process without a gateway. */
  canServe?: (() => boolean) | undefined
  /** The disk of the journal; undefined in a process without a gateway. */
  disk?: (() => JournalDisk) | undefined
  /** Seconds that log rows wait for the other log store. */
  logDelaySeconds?: (() => number) | undefined
}

/** At this point the schema is migrated and the catalog is loaded, so only the database is checked. */
export function createReadiness({ db, isClockSkewed, canServe, disk, logDelaySeconds }: ReadinessOptions): Readiness {
  let stopping = false
  return {
    async read() {
      if (stopping) return { problems: ['stopping'], degraded: [] }
      const reachable = await ping(db).then(
        () => true,
        () => false,
      )
      if (canServe?.() === false) return { problems: ['the gateway cannot reserve credit'], degraded: [] }
      if (!reachable && !canServe) return { problems: ['the database does not respond'], degraded: [] }
      const degraded: Dependency[] = []
      // A load balancer must not remove all gateways at once: each serves known callers from its leases.
      if (!reachable) degraded.push('database')
      else if (isClockSkewed()) degraded.push('clock')
      if (disk && isAlmostFull(disk())) degraded.push('disk')
      if (logDelaySeconds && logDelaySeconds() > LOG_DELAY_SECONDS) degraded.push('log-store')
      return { problems: [], degraded }
    },
    startStopping() {
      stopping = true
    },
  }
}

/** Rows usually arrive within two seconds. */
const LOG_DELAY_SECONDS = 60
/** Room for the settlements of a few minutes without the database. */
const ENOUGH_BYTES = 64 * 1024 ** 2

function isAlmostFull({ isFailing, freeBytes = Infinity }: JournalDisk): boolean {
  return isFailing || freeBytes < ENOUGH_BYTES
}

/** `/healthz`: the process runs. `/readyz`: it can serve some requests. `/readyz?strict=1`: it can serve all. */
export function registerHealth(app: FastifyInstance, readReport: () => Promise<ReadinessReport>): void {
  app.get('/healthz', () => ({ status: 'alive' }))
  app.get<{ Querystring: { strict?: string } }>('/readyz', async (request, reply) => {
    const { isReady, problems, degraded } = await readReport()
    const isAccepted = isReady && (degraded.length === 0 || request.query.strict !== '1')
    return reply
      .code(isAccepted ? 200 : 503)
      .send({ status: isAccepted ? 'ready' : 'not ready', problems, ...(degraded.length > 0 && { degraded }) })
  })
}
