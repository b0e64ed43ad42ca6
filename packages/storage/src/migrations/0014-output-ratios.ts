import { listedFamily, listedModel } from '@tidegate/contract'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Without an output ratio a model is rejected now; before, it had one by its name, or 1. Models that an operator has priced
 * keep what they cost: the ratio is saved, where the operator sees it and can change it.
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
    const value = JSON.stringify({
      ...ratios,
      ...Object.fromEntries(missing.map((model) => [model, formerRatio(model)])),
    })
    await sql`
      insert into option (key, value) values ('CompletionRatio', ${value})
      on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db)
  },
}

/** Output ratios by name as versions before this one had them. The first match counts. */
const FORMER_RATIOS: readonly [RegExp, number][] = [
  [/^gpt-4-(all|gizmo)/, 2],
  [/^gpt-4o-gizmo/, 3],
  [/^gpt-4o-2024-05-13/, 3],
  [/^gpt-4o/, 4],
  [/^gpt-4\.5-preview/, 2],
  [/^gpt-4-turbo|^gpt-4.*-110[56]$/, 3],
  [/^gpt-4(?![.\d])/, 2],
  [/^o[13](?!\d)/, 4],
  [/^chatgpt-4o-latest/, 3],
  [/^claude-(3|sonnet-4|opus-4)/, 5],
  [/^claude-(2|instant)/, 3],
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, 3],
  [/^gpt-3\.5.*1106$/, 2],
  [/^gpt-3\.5/, 4 / 3],
  [/^mistral-/, 3],
  [/^gemini-2\.5-pro-preview/, 8],
  [/^gemini-2\.5-flash-preview.*-nothinking$/, 4],
  [/^gemini-2\.5-flash-preview/, 3.5 / 0.6],
  [/^gemini-/, 4],
  [/^command-r-plus$/, 5],
  [/^command-r$/, 3],
  [/^command/, 4],
  [/^deepseek-(chat|reasoner)$/, 4],
  [/^ERNIE-(Speed-|Lite-|Character|Functions)/, 2],
  [/^llama2-70b-4096$/, 1.25],
  [/^llama3-8b-8192$/, 2],
  [/^llama3-70b-8192$/, 1.339],
]

function formerRatio(model: string): number {
  return FORMER_RATIOS.find(([name]) => name.test(model))?.[1] ?? 1
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
