import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { OUTGOING_CONNECTIONS } from './outgoing-connections.ts'

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url))
/** Storage connects only to addresses from the environment. */
const SOURCES = ['packages/{gateway,control,providers,ledger}/src/**/*.ts', 'apps/server/src/**/*.ts']
const NO_PRODUCT = /\.test\.ts$|\/test-[^/]+\.ts$|-suite\.ts$/

/** Calls that open a connection, directly or through another module. */
const OPENS = new RegExp(
  [
    String.raw`(?<![.\w])(?<!async )fetch\(`,
    String.raw`\.dispatch\(`,
    String.raw`\b\w*(upstream|client|direct|toWorker)\.open(Socket)?\(`,
    String.raw`\b(fetchMedia|fetchJson|fetchFromProvider|postForm|createTransport|connectTcp|connectTls|createSocket)\(`,
    String.raw`\bnew (Stripe|OTLPTraceExporter|ProxyAgent|WebSocket)\(`,
  ].join('|'),
  'i',
)
/** They name such a call in a type. */
const ONLY_NAMES_IT = new Set(['packages/providers/src/operation.ts'])

it('lists every module that opens a connection and who can influence its target', () => {
  const opening = globSync(SOURCES, { cwd: REPOSITORY })
    .filter((file) => !NO_PRODUCT.test(file) && !ONLY_NAMES_IT.has(file))
    .filter((file) => OPENS.test(withoutComments(readFileSync(REPOSITORY + file, 'utf8'))))

  expect(opening.toSorted()).toEqual([...new Set(OUTGOING_CONNECTIONS.flatMap(({ files }) => files))].toSorted())
})

it('lets only administrators bypass the guard, except through a worker with its own guard', () => {
  const below = new Set(['API callers', 'users', 'providers'])

  const unguarded = OUTGOING_CONNECTIONS.filter(({ guard, influencedBy }) => guard === 'not' && below.has(influencedBy))

  expect(unguarded.map(({ what }) => what)).toEqual(['the same files and webhooks through the worker'])
})

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
