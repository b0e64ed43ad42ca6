import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { addChannel } from '@tidegate/testing'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAutomationClient } from './automation-client.ts'
import { startTestSite, type TestSite } from './start-site.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

let site: TestSite
let folder: string
let document: string
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  folder = await mkdtemp(join(tmpdir(), 'tidegate-client-'))
  await symlink(MODULES, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  document = (await site.app.inject('/api/openapi.json')).body
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

it('passes a strict OpenAPI linter, except for ambiguous paths', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })

  const problems = await lintFromString({ source: document, config, absoluteRef: 'openapi.json' })

  // An id is a number, so `/api/channel/{id}/copy` and `/api/channel/fetch_models/{id}` never match the same request.
  expect(problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths').map(({ message }) => message)).toEqual([])
  expect(problems.map(({ location }) => location[0]!.pointer)).toEqual([
    '#/paths/~1api~1channel~1{id}~1copy',
    '#/paths/~1api~1channel~1{id}~1keys',
    '#/paths/~1api~1channel~1{id}~1reveal',
    '#/paths/~1api~1user~1{id}~1statement',
  ])
})

/** What a developer writes with the generated types. */
const CLIENT = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

export async function run(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } })
  const self = await client.GET('/api/user/self')
  if (!self.data?.success) throw new Error(self.data?.message)
  const username: string = self.data.data.username

  const listed = await client.GET('/api/channel', { params: { query: { p: 0, page_size: 20 } } })
  if (!listed.data?.success) throw new Error('no list')
  const id: number = listed.data.data[0]!.id

  const read = await client.GET('/api/channel/{id}', { params: { path: { id } } })
  const etag = read.response.headers.get('etag')!
  const save = (weight: number) =>
    client.PUT('/api/channel', { params: { header: { 'If-Match': etag } }, body: { id, weight } })
  const saved = await save(7)
  const weight = saved.data?.success ? saved.data.data.weight : -1
  const conflict = await save(8)
  const code: components['schemas']['ErrorCode'] | undefined = conflict.error?.code

  // @ts-expect-error -- a channel has no such field
  void (saved.data?.success && saved.data.data.nothing)
  // @ts-expect-error -- there is no such path
  void (() => client.GET('/api/nothing'))
  return { username, weight, code }
}
`

it('generates types of less than 15,000 lines without comments and a client that works', async () => {
  const types = astToString(await openapiTS(document))
  await writeFile(join(folder, 'schema.ts'), types)
  const client = join(folder, 'client.ts')
  await writeFile(client, CLIENT)
  const owner = await site.signedIn('admin')
  await addChannel(owner, { url: 'http://127.0.0.1:9' })
  const { token } = await createAutomationClient(owner, ['account:read', 'channels:read', 'channels:write'])

  expect(withoutComments(types).split('\n').length).toBeLessThan(15_000)
  expect(problemsIn(client)).toEqual([])
  const { run } = (await import(/* @vite-ignore */ pathToFileURL(client).href)) as {
    run(url: string, token: string): Promise<unknown>
  }
  expect(await run(site.url, token)).toEqual({ username: owner.username, weight: 7, code: 'edit_conflict' })
})

const withoutComments = (types: string) => types.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')

function problemsIn(file: string): string[] {
  const checked = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  })
  return ts.getPreEmitDiagnostics(checked).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
