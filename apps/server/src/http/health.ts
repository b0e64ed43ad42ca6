import { ping, type Db } from '@tidegate/storage'
import type { FastifyInstance } from 'fastify'

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
export function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/healthz', () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const problems = await readiness.problems()
    return reply
      .code(problems.length === 0 ? 200 : 503)
      .send({ status: problems.length === 0 ? 'ready' : 'not ready', problems })
  })
}
