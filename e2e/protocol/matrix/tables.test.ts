import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { UNSUPPORTED, exceptionFor } from './unsupported.ts'
import { CASES } from './cases/index.ts'
import { PROTOCOLS } from './conversation.ts'
import { protocolsPage } from './protocols-page.ts'

const CELLS = CASES.flatMap((cases) =>
  PROTOCOLS.flatMap((client) => PROTOCOLS.map((upstream) => ({ played: cases, client, upstream }))),
)

it('every exception belongs to a case and is used', () => {
  const met = new Set(CELLS.map(({ played: cases, client, upstream }) => exceptionFor(cases.name, client, upstream)))

  expect(UNSUPPORTED.filter((exception) => !met.has(exception))).toEqual([])
})

it('a client without a feature lacks it for every provider, and every omitted case says what still holds', () => {
  for (const { played: cases, client, upstream } of CELLS) {
    const exception = exceptionFor(cases.name, client, upstream)
    if (exception?.outcome === 'no words') expect(exception.upstream, cases.name).toBeUndefined()
    if (exception?.outcome === 'left out') expect(cases.runOmitted, cases.name).toBeDefined()
  }
})

it('nearly everything is translated', () => {
  const carried = CELLS.filter(({ played: cases, client, upstream }) => !exceptionFor(cases.name, client, upstream))

  expect(carried.length / CELLS.length).toBeGreaterThan(0.9)
})

it('the documentation contains the current table', async () => {
  const page = await readFile(new URL('../../../docs/protocols.md', import.meta.url), 'utf8')

  expect(page).toBe(protocolsPage()) // npm run docs:write
})
