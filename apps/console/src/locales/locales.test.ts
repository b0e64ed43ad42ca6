import { describe, expect, it } from 'vitest'
import { texts as en } from './en/index.ts'
import { texts as zh } from './zh/index.ts'

type Tree = { [key: string]: string | Tree }

function leaves(tree: Tree, path: string[] = []): Map<string, string> {
  const entries = Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[[...path, key].join('.'), value]] : [...leaves(value, [...path, key])],
  )
  return new Map(entries)
}

const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort()

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../locales/**', '!../**/*.test.*', '!../testing/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Every key that a file asks for: its areas are those it names, a key may name its own. */
function* askedKeys(): Generator<{ file: string; areas: string[]; key: string }> {
  for (const [file, source] of Object.entries(sources)) {
    const areas = [...source.matchAll(/useTranslation\((?:'(\w+)')?\)/g)].map((match) => match[1] ?? 'common')
    for (const [, quote, key] of source.matchAll(/\b(?:t|common|shell|title)\(\s*(['`])([\w.:${} ?']+?)\1/g)) {
      if (areas.length > 0 || key!.includes(':'))
        yield { file, areas, key: quote === '`' ? key!.split('${')[0]! : key! }
    }
  }
}

describe('the texts', () => {
  it.each(Object.keys(zh) as (keyof typeof zh)[])('%s has the same keys in both languages', (area) => {
    expect([...leaves(en[area]).keys()].sort()).toEqual([...leaves(zh[area]).keys()].sort())
  })

  it.each(Object.keys(zh) as (keyof typeof zh)[])('%s fills the same blanks in both languages', (area) => {
    const english = leaves(en[area])
    for (const [key, text] of leaves(zh[area])) {
      expect({ key, blanks: placeholders(english.get(key)!) }).toEqual({ key, blanks: placeholders(text) })
    }
  })

  it('are never blank', () => {
    const all = [...leaves(zh), ...leaves(en)]

    expect(all.filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('exist for every key that the code asks for', () => {
    const known = new Set(leaves(zh).keys())
    const exists = (name: string) =>
      known.has(name) || (/[.]$/.test(name) && [...known].some((key) => key.startsWith(name)))
    const asked = [...askedKeys()]
    const missing = asked.filter(({ areas, key }) => {
      if (key === '') return false
      const names = key.includes(':') ? [key.replace(':', '.')] : areas.map((area) => `${area}.${key}`)
      return !names.some(exists)
    })

    expect(asked.length).toBeGreaterThan(100)
    expect(missing).toEqual([])
  })
})
