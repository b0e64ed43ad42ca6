import { listedFamily, listedModel } from '@tidegate/contract'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Output used to cost as much as input where nobody had said otherwise; now such a model is rejected. Models that an
 * operator has priced keep what they cost: the ratio of 1 is written down, where it can be seen and changed.
 */
export const outputRatios: Migration = {
  async up(db: Kysely<unknown>) {
    const { rows } = await sql<{ key: string; value: string }>`
      select key, value from option where key in ('ModelRatio', 'CompletionRatio') and not sealed`.execute(db)
    const saved = new Map(rows.map(({ key, value }) => [key, readMap(value)]))
    const priced = saved.get('ModelRatio')
    if (!priced) return
    const ratios = saved.get('CompletionRatio') ?? {}
    const missing = Object.keys(priced).filter((model) => !Object.hasOwn(ratios, model) && !hasKnownOutput(model))
    if (missing.length === 0) return
    const value = JSON.stringify({ ...ratios, ...Object.fromEntries(missing.map((model) => [model, 1])) })
    await sql`
      insert into option (key, value) values ('CompletionRatio', ${value})
      on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db)
  },
}

function hasKnownOutput(model: string): boolean {
  const row = listedModel(model) ?? listedFamily(model)
  return row?.prices.at(-1)?.rates?.output !== undefined
}

function readMap(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
