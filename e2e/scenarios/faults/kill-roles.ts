import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Fault } from './fault.ts'
import type { FaultSite } from './fault-site.ts'

/** A gateway is killed at a random moment and restarted, then the next one. Clients lose its running requests. */
export const gatewayKilled: Fault = {
  name: 'gateway killed, 3 times',
  processDies: true,
  async prepare() {
    let starting: Promise<unknown> | undefined
    let victim = 0
    return {
      environment: {},
      async inject({ fleet }) {
        for (let death = 1; ; death++) {
          victim = Math.floor(Math.random() * fleet.gateways.length)
          await fleet.crash('gateway', victim)
          if (death === 3) return
          await delay(Math.random() * 1_000)
          await fleet.startAgain('gateway', victim)
          await delay(Math.random() * 1_000)
        }
      },
      async repair({ fleet }) {
        starting = fleet.startAgain('gateway', victim)
      },
      async isBack() {
        await starting
        return true
      },
    }
  },
}

/** Requests are not affected. The next worker takes over when the leases of the killed one expire. */
export const workerKilled: Fault = roleKilled('worker', async ({ site, fleet }) => {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from job_lease where expires_at > now() and holder like ${`%-${fleet.worker.pid}-%`}) as held`.execute(
    site.database.db,
  )
  return rows[0]!.held
})

/** Requests are not affected. */
export const controlKilled: Fault = roleKilled('control', async ({ fleet }) => {
  const response = await fetch(`${fleet.control.url}/api/status`).catch(() => undefined)
  return response?.status === 200
})

function roleKilled(role: 'worker' | 'control', isBack: (faultSite: FaultSite) => Promise<boolean>): Fault {
  return {
    name: `${role} killed`,
    async prepare() {
      let starting: Promise<unknown> | undefined
      return {
        environment: {},
        inject: ({ fleet }) => fleet.crash(role),
        async repair({ fleet }) {
          starting = fleet.startAgain(role)
        },
        async isBack(faultSite) {
          await starting
          return isBack(faultSite)
        },
      }
    },
  }
}
