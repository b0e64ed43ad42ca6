import { ping, type Db } from '@tidegate/storage'
import type { FastifyInstance } from 'fastify'

export interface Readiness {
  /** Why this process should get no traffic; none when it is ready. */
  problems(): Promise<string[]>
  /** From now on the process finishes what it has and takes nothing new. */
  startStopping(): void
}

/** A process that got this far has migrated and loaded the catalog; what can still go away is the database. `db` has a deadline. */
export function createReadiness({ db }: { db: Db }): Readiness {
  let stopping = false
  return {
    async problems() {
      if (stopping) return ['stopping']
      const reachable = await ping(db).then(
        () => true,
        () => false,
      )
      return reachable ? [] : ['the database does not answer']
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
