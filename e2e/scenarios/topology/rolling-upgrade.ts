import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Site } from '../site.ts'
import type { Build, Member } from './fleet.ts'
import { underLoad, type Outcome } from './site-under-load.ts'

/** This build. */
const CURRENT: Build = { env: {} }
/** This build with one more migration. */
const NEXT: Build = {
  env: { NODE_OPTIONS: `--import=${fileURLToPath(new URL('./next-build.ts', import.meta.url))}` },
}

/** Every process, in the order of the deployment guide. */
const ROLLING_ORDER: readonly Member[] = ['gateway-1', 'gateway-2', 'control', 'worker']

interface UpgradeOptions {
  members?: readonly Member[]
  /** The program of an earlier release, which is upgraded to this build. By default, this build is upgraded to the next one. */
  from?: string | undefined
  /** How often the site is upgraded and rolled back. */
  rounds?: number
  /** Whether the site goes back to the earlier build. */
  rollBack?: boolean
  /** Requests that both gateways serve after each replacement, while builds are mixed. */
  mixedRequests?: number
  /** Of all clients. Default: 50. */
  requestsPerSecond?: number
}

export interface UpgradeResult extends Outcome {
  replaced: number
}

/**
 * Replaces processes one by one with a later build while requests keep arriving through the shipped nginx, and then with
 * the earlier build again. The first replaced process migrates; the others still run the earlier build.
 */
export async function rollingUpgrade({
  members = ROLLING_ORDER,
  from,
  rounds = 1,
  rollBack = true,
  mixedRequests = 0,
  requestsPerSecond,
}: UpgradeOptions = {}): Promise<UpgradeResult> {
  const [earlier, later]: [Build, Build] = from === undefined ? [CURRENT, NEXT] : [{ env: {}, program: from }, CURRENT]
  const failures: string[] = []
  let replaced = 0
  const outcome = await underLoad({ build: earlier, requestsPerSecond }, async ({ site, roll, serveMore }) => {
    const before = await lastMigration(site)
    const replace = async (member: Member, build: Build) => {
      failures.push(...(await roll(member, build)))
      replaced += 1
      if (mixedRequests > 0) await serveMore(mixedRequests)
    }
    for (let round = 0; round < rounds; round++) {
      for (const [index, member] of members.entries()) {
        await replace(member, later)
        if (round > 0 || index > 0) continue
        if ((await lastMigration(site)) === before) failures.push(`${member} did not migrate: ${before}`)
      }
      if (!rollBack) break
      for (const member of members.toReversed()) await replace(member, earlier)
    }
  })
  return {
    ...outcome,
    replaced,
    failures: [
      ...failures,
      ...outcome.failures,
      ...outcome.failed.map((result) => `a request failed: ${JSON.stringify(result)}`),
      ...(outcome.verify === '' ? [] : [`verify: ${outcome.verify}`]),
    ],
  }
}

async function lastMigration({ database }: Site): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from schema_migration`.execute(database.db)
  return rows[0]!.name
}
