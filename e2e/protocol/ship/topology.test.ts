import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { underLoad } from './topology/site-under-load.ts'

const NEXT_BUILD = { NODE_OPTIONS: `--import=${fileURLToPath(new URL('./topology/next-build.ts', import.meta.url))}` }

it('a rolling upgrade behind the shipped nginx fails no call and loses no booking, while one process migrates', async () => {
  const outcome = await underLoad(NEXT_BUILD, async ({ site, roll }) => {
    await roll('gateway-1')
    const { rows } = await sql<{ name: string }>`
      select max(name) as name from schema_migration`.execute(site.database.db)
    expect(rows).toEqual([{ name: '9000-next-build' }]) // the others are of the build before, and go on
    await roll('gateway-2')
    await roll('control')
    await roll('worker')
  })

  expect(outcome).toMatchObject({ failed: [], short: [], verify: '' })
  expect(outcome.calls).toBeGreaterThan(100)
}, 240_000)
