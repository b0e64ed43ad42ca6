import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOG_EVENTS } from '@tidegate/contract'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = globSync('{packages,apps/server}/**/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !/node_modules|\.test\.ts$|^packages\/(testing|contract)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

it('writes every log line with an event code', () => {
  const direct = SOURCES.filter(({ text }) => /\blog(ger)?\)?[?!]?\.(debug|info|warn|error|fatal)\(/.test(text))

  expect(direct.map(({ path }) => path)).toEqual([])
})

it('logs every event of the registry', () => {
  const logged = new Set(SOURCES.flatMap(({ text }) => text.match(/'[a-z]+\.[a-z_]+'/g) ?? []))

  expect(Object.keys(LOG_EVENTS).filter((code) => !logged.has(`'${code}'`))).toEqual([])
})
