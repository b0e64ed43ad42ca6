import { readFile } from 'node:fs/promises'
import { OPTION_KEYS, type OptionKey } from '@tidegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isEffect, type Row } from './effect.ts'
import { checkEffect } from './check-effect.ts'
import type { EffectSite } from './effect-site.ts'
import { openEffectSite } from './site.ts'
import { AREAS } from './effects/index.ts'

const areas = Object.entries(AREAS).map(([area, rows]) => ({
  area,
  rows: Object.entries(rows) as [OptionKey, Row][],
}))
const effects = areas.map(({ area, rows }) => ({
  area,
  effects: rows.flatMap(([key, row]) => (isEffect(row) ? [{ key, row }] : [])),
}))

describe('the table of effects', () => {
  it('has every option once', () => {
    const keys = areas.flatMap(({ rows }) => rows.map(([key]) => key))

    expect(keys.toSorted()).toEqual([...OPTION_KEYS].toSorted())
  })

  it('names a test that sets the option where the effect is tested elsewhere', async () => {
    for (const [key, row] of areas.flatMap(({ rows }) => rows)) {
      if (!('testedBy' in row)) continue
      const test = await readFile(new URL(`../../../${row.testedBy}`, import.meta.url), 'utf8')
      expect(test.replaceAll("'", ''), key).toContain(`${key}: `)
    }
  })
})

/** Each option is set on one node of a site, and its effect is observed on another. */
describe('an option takes effect on every node', () => {
  let site: EffectSite
  beforeAll(async () => {
    site = await openEffectSite()
  })
  afterAll(() => site?.close())

  describe.each(effects.filter((area) => area.effects.length > 0))('$area', ({ effects: rows }) => {
    it.each(rows)('$key', ({ key, row }) => checkEffect(site, key, row))
  })
})
