import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ALLOWED_TAGS, cleanHtml, cleanMarkdown } from './clean-markdown.ts'

const CORPUS = new URL('../../../../../e2e/browser/xss-vectors.json', import.meta.url)
const { html, unclosed } = JSON.parse(readFileSync(CORPUS, 'utf8')) as Record<string, string[]>
const ALLOWED_ATTRIBUTES = new Set('href title rel src alt width height start open colspan rowspan align'.split(' '))

it.each([
  ['HTML', cleanHtml],
  ['Markdown', cleanMarkdown],
])('removes disallowed tags and attributes from the XSS vectors in %s', (_format, clean) => {
  const vectors = [...html!, ...unclosed!].filter((vector) => !vector.includes('`')) // code stays as it is

  expect(vectors.flatMap((vector) => problemsIn(clean(vector)).map((problem) => `${vector}: ${problem}`))).toEqual([])
})

function problemsIn(cleaned: string): string[] {
  return [...cleaned.matchAll(/<\/?([a-z][^\s/>]*)((?:[^>"]|"[^"]*")*)>?/gi)].flatMap(([, name, attributes]) => {
    const problems = ALLOWED_TAGS.has(name!.toLowerCase()) ? [] : [`<${name}>`]
    for (const [, attribute, value] of attributes!.matchAll(/([^\s"=/]+)(?:="([^"]*)")?/g)) {
      if (!ALLOWED_ATTRIBUTES.has(attribute!.toLowerCase())) problems.push(`${name} ${attribute}`)
      else if (['href', 'src'].includes(attribute!) && !isSafe(value!)) problems.push(`${name} ${attribute}="${value}"`)
    }
    return problems
  })
}

/** Parses like a browser: some vectors only look like a scheme. */
function isSafe(address: string): boolean {
  return ['http:', 'https:', 'mailto:'].includes(new URL(address, 'https://site.example').protocol)
}
