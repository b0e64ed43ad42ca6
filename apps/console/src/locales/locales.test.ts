import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { LANGUAGE_CODES } from '../lib/languages.ts'
import { sources, walk } from './test-sources.ts'
import type { Texts } from './texts.ts'

type Tree = { [key: string]: string | Tree }
type Areas = Record<keyof Texts, Tree>

/** Languages by their folders; the menu must name the same ones. */
const languages: Record<string, Areas> = {}
const filesOf: Record<string, Record<string, string[]>> = {}
for (const [path, { default: areas }] of Object.entries(
  import.meta.glob<{ default: Areas }>('./*/*.json', { eager: true }),
)) {
  const [, language, file] = path.split('/')
  languages[language!] = { ...languages[language!], ...areas }
  filesOf[language!] = { ...filesOf[language!], [file!]: Object.keys(areas) }
}
const zh = languages['zh']!

function leaves(tree: Tree, path: string[] = []): Map<string, string> {
  const entries = Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[[...path, key].join('.'), value]] : [...leaves(value, [...path, key])],
  )
  return new Map(entries)
}

const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted()

it('are there for every language of the menu', () => {
  expect(Object.keys(languages).toSorted()).toEqual([...LANGUAGE_CODES].toSorted())
})

describe.each(Object.entries(languages))('the texts in %s', (language, texts) => {
  it('have the same areas in the same files', () => {
    expect(filesOf[language]).toEqual(filesOf['zh'])
  })

  it('have the same keys', () => {
    expect([...leaves(texts).keys()].toSorted()).toEqual([...leaves(zh).keys()].toSorted())
  })

  it('have the same placeholders', () => {
    const others = leaves(texts)
    const different = [...leaves(zh)].filter(
      ([key, text]) => placeholders(others.get(key) ?? '').join() !== placeholders(text).join(),
    )

    expect(different.map(([key]) => key)).toEqual([])
  })

  it('are never blank', () => {
    expect([...leaves(texts)].filter(([, text]) => text.trim() === '')).toEqual([])
  })
})

/** Every key that a file asks for: its areas are those it names, a key may name its own. */
function* askedKeys(): Generator<{ file: string; areas: string[]; key: string }> {
  for (const { fileName: file, text } of sources) {
    const named = [...text.matchAll(/useTranslation\((?:'(\w+)')?\)/g)].map((match) => match[1] ?? 'common')
    for (const [, quote, key] of text.matchAll(/\b(?:t|common|shell|title)\(\s*(['`])([\w.:${} ?']+?)\1/g)) {
      if (named.length > 0 || key!.includes(':'))
        yield { file, areas: named, key: quote === '`' ? key!.split('${')[0]! : key! }
    }
  }
}

describe('keys', () => {
  const known = [...leaves(zh).keys()]

  it('exist wherever the code asks for one', () => {
    const names = new Set(known)
    const exists = (name: string) => names.has(name) || (/[.]$/.test(name) && known.some((key) => key.startsWith(name)))
    const asked = [...askedKeys()]
    const missing = asked.filter(({ areas, key }) => {
      if (key === '') return false
      const candidates = key.includes(':') ? [key.replace(':', '.')] : areas.map((area) => `${area}.${key}`)
      return !candidates.some(exists)
    })

    expect(asked.length).toBeGreaterThan(100)
    expect(missing).toEqual([])
  })

  it('are asked for somewhere, in full or by how they begin or end', () => {
    const whole = new Set<string>()
    const beginnings = new Set<string>()
    const endings = new Set<string>()
    const withoutArea = (text: string) => text.replace(/^\w+:/, '')
    for (const file of sources) {
      walk(file, (node) => {
        if (ts.isStringLiteralLike(node)) whole.add(withoutArea(node.text))
        if (!ts.isTemplateExpression(node)) return
        if (node.head.text.length > 1) beginnings.add(withoutArea(node.head.text))
        else endings.add(node.templateSpans.at(-1)!.literal.text)
      })
    }
    const [starts, ends] = [[...beginnings].filter(Boolean), [...endings].filter((text) => text.length > 2)]

    const unused = known.filter((name) => {
      const key = name.slice(name.indexOf('.') + 1)
      const isPart = starts.some((start) => key.startsWith(start)) || ends.some((end) => key.endsWith(end))
      return !whole.has(key) && !isPart
    })

    expect(unused).toEqual([])
  })
})
