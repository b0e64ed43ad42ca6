import { ping, type Db } from '@tidegate/storage'
import type { FastifyInstance } from 'fastify'

export interface ReadinessReport {
  readonly isReady: boolean
  /** Also of processes that are not ready while others are. */
  readonly problems: readonly string[]
}

export interface Readiness {
  /** Why this process should get no traffic; empty when it is ready. */
  problems(): Promise<string[]>
  /** Reports "not ready" from now on. */
  startStopping(): void
}

/**
 * At this point the schema is migrated and the catalog is loaded, so only the database is checked. `db` has a deadline.
 */
export function createReadiness({ db }: { db: Db }): Readiness {
  let stopping = false
  return {
    async problems() {
      if (stopping) return ['stopping']
      const reachable = await ping(db).then(
        () => true,
        () => false,
      )
      return reachable ? [] : ['the database does not respond']
    },
    startStopping() {
      stopping = true
    },
  }
}

/** `/healthz`: the process runs. `/readyz`: it can serve. */
export function registerHealth(app: FastifyInstance, readReport: () => Promise<ReadinessReport>): void {
  app.get('/healthz', () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const { isReady, problems } = await readReport()
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', problems })
  })
}
