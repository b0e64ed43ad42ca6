import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Member } from './fleet.ts'
import { underLoad, type Outcome } from './site-under-load.ts'

const NEXT_BUILD = { NODE_OPTIONS: `--import=${fileURLToPath(new URL('./next-build.ts', import.meta.url))}` }
const NEXT_MIGRATION = '9000-next-build'

/** Every process, in the order of the deployment guide. */
export const ROLLING_ORDER: readonly Member[] = ['gateway-1', 'gateway-2', 'control', 'worker']

export interface UpgradeResult extends Outcome {
  rolled: number
}

/**
 * Replaces processes one by one with a build that has one more migration, while requests keep arriving through the
 * shipped nginx. The first replaced process migrates; the others still run the previous build.
 */
export async function rollingUpgrade(members: readonly Member[] = ROLLING_ORDER): Promise<UpgradeResult> {
  const failures: string[] = []
  const outcome = await underLoad(NEXT_BUILD, async ({ site, roll }) => {
    for (const [index, member] of members.entries()) {
      failures.push(...(await roll(member)))
      if (index > 0) continue
      const { rows } = await sql<{ name: string }>`
        select max(name) as name from schema_migration`.execute(site.database.db)
      if (rows[0]?.name !== NEXT_MIGRATION) failures.push(`${member} did not migrate: ${rows[0]?.name}`)
    }
  })
  return {
    ...outcome,
    rolled: members.length,
    failures: [
      ...failures,
      ...outcome.failures,
      ...outcome.failed.map((result) => `a request failed: ${JSON.stringify(result)}`),
      ...(outcome.verify === '' ? [] : [`verify: ${outcome.verify}`]),
    ],
  }
}
