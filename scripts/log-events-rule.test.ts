import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOG_EVENTS, OPTIONS } from '@tidegate/contract'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = globSync('{packages,apps/server}/**/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !/node_modules|\.test\.ts$|^packages\/(testing|contract)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** Deployment files and current documents. Generated references, decisions and reports are left out. */
const DOCUMENTS = globSync(['docs/**/*.md', 'deploy/**/*.{yaml,service,json}'], { cwd: ROOT })
  .filter((path) => !/^docs\/(zh\/)?(reference|adr|reports|project)\/|node_modules/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

it('writes every log line with an event code', () => {
  const direct = SOURCES.filter(({ text }) => /\blog(ger)?\)?[?!]?\.(debug|info|warn|error|fatal)\(/.test(text))

  expect(direct.map(({ path }) => path)).toEqual([])
})

it('documents only events that exist', () => {
  const areas = new Set(Object.keys(LOG_EVENTS).map((code) => code.split('.')[0]))
  // Options and audit actions have names of the same form.
  const known = new Set([...Object.keys(LOG_EVENTS), ...Object.keys(OPTIONS), ...literalsOf(SOURCES)])
  const named = DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:`|[Ll]og event )([a-z]+)\.([a-z]+(?:_[a-z]+)*)(?![\w.])/g)]
      .filter(([, area]) => areas.has(area))
      .map(([, area, name]) => ({ path, code: `${area}.${name}` })),
  )

  expect(named.filter(({ code }) => code in LOG_EVENTS).length).toBeGreaterThan(10)
  expect(named.filter(({ code }) => !known.has(code))).toEqual([])
})

it('logs every event of the registry', () => {
  const logged = new Set(literalsOf(SOURCES))

  expect(Object.keys(LOG_EVENTS).filter((code) => !logged.has(code))).toEqual([])
})

/** Codes in quotes. */
function literalsOf(sources: typeof SOURCES): string[] {
  return sources.flatMap(({ text }) => [...text.matchAll(/'([a-z]+\.[a-z_]+)'/g)].map(([, code]) => code!))
}
