import { throwAwayDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { outputRatios } from '../src/migrations/0014-output-ratios.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await throwAwayDatabase({ migrate: true })
})
afterAll(() => database?.close())
beforeEach(async () => {
  await sql`delete from option`.execute(database.db)
})

async function save(options: Record<string, object>): Promise<void> {
  for (const [key, value] of Object.entries(options)) {
    await sql`insert into option (key, value) values (${key}, ${JSON.stringify(value)})`.execute(database.db)
  }
}

async function migrateRatios(): Promise<unknown> {
  await outputRatios.up(database.db)
  const { rows } = await sql<{ value: string }>`select value from option where key = 'CompletionRatio'`.execute(
    database.db,
  )
  return rows[0] && JSON.parse(rows[0].value)
}

it('keeps the price of models that have a price and no output ratio', async () => {
  await save({ ModelRatio: { mine: 2, 'gpt-4o': 1.25, other: 3, 'claude-3-custom': 1 }, CompletionRatio: { other: 4 } })

  expect(await migrateRatios()).toEqual({ other: 4, mine: 1, 'claude-3-custom': 5 })
})

it('adds no prices to a site without own prices', async () => {
  expect(await migrateRatios()).toBeUndefined()
})
