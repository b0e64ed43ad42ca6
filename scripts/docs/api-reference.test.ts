import { describe, expect, it } from 'vitest'
import { apiPages } from './api-reference.ts'
import { CHINESE, ENGLISH } from './api-texts.ts'

describe('the API reference', () => {
  it.each([ENGLISH, CHINESE])('describes every parameter and field in $folder', ({ folder }) => {
    const pages = Object.entries(apiPages()).filter(([path]) => path.startsWith(`${folder}/api/`))
    const rows = pages.flatMap(([path, page]) => tableRows(page()).map((row) => `${path} ${row}`))

    expect(rows.length).toBeGreaterThan(2000)
    expect(rows.filter((row) => row.endsWith(' |  |'))).toEqual([])
  })

  it('has the same keys of descriptions in both languages', () => {
    const keysOf = (table: typeof ENGLISH.fieldDescriptions) =>
      Object.entries(table).map(([places, fields]) => ({ places, fields: Object.keys(fields) }))

    expect(keysOf(CHINESE.fieldDescriptions)).toEqual(keysOf(ENGLISH.fieldDescriptions))
  })

  it('has Chinese descriptions without a full stop', () => {
    const texts = Object.values(CHINESE.fieldDescriptions).flatMap((fields) => Object.values(fields))

    expect(texts.filter((text) => /[.。]$/.test(text) || text.trim() === '')).toEqual([])
  })
})

/** The rows of all tables of a page, without their heads. */
function tableRows(page: string): string[] {
  const lines = page.split('\n').filter((line) => line.startsWith('|'))
  return lines.filter((line, index) => !line.startsWith('|---') && !lines[index + 1]?.startsWith('|---'))
}
