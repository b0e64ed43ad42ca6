import { join } from 'node:path'
import {
  fakeUpstream,
  removeDirectory,
  startServer,
  stopLeftOverDatabase,
  throwAwayDatabase,
  throwAwayDirectory,
} from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tidegate } from './run-tidegate.ts'
import { accountAfter, chat, seedSite, logIn } from './site.ts'

const REQUESTS = 3
/** Every command is a separate process, which takes time on a busy machine. */
const LONG_MS = 180_000

let folder: string
beforeAll(async () => {
  folder = await throwAwayDirectory()
})
afterAll(async () => {
  await stopLeftOverDatabase(folder)
  await removeDirectory(folder)
})

it(
  'moves a site from the embedded database to a PostgreSQL, with what a killed process left',
  async () => {
    const upstream = await fakeUpstream()
    const dataDirectory = join(folder, 'site')
    const database = await throwAwayDatabase({ migrate: false })
    const args = ['move', '--to', database.url]
    const server = await startServer({ dataDirectory })
    const { client, secret } = await seedSite(server.url, upstream)
    const { quota } = await accountAfter(client, 0)
    for (let request = 0; request < REQUESTS; request++) expect((await chat(server.url, secret)).status).toBe(200)

    expect(await tidegate(args, { dataDirectory })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Stop every process'),
    })
    await server.kill()
    // The database needs a moment to close the connections of the process.
    await expect
      .poll(() => tidegate(args, { dataDirectory }), { timeout: 30_000 })
      .toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/to the unit[^]*balance on both sides[^]*DATABASE_URL/),
      })

    const there = { dataDirectory, env: { DATABASE_URL: database.url } }
    expect(await tidegate(['verify'], there)).toMatchObject({ code: 0 })
    const moved = await startServer(there)
    const admin = await logIn(moved.url)
    const after = await accountAfter(admin, REQUESTS)
    expect(after.quota + after.used_quota).toBe(quota)
    expect((await chat(moved.url, secret)).status).toBe(200)
    await accountAfter(admin, REQUESTS + 1)
    await moved.stop()

    expect(await tidegate(args, { dataDirectory })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--replace'),
    })
    await database.close()
    await upstream.close()
  },
  LONG_MS,
)

it('reports what is wrong with the target', async () => {
  const result = await tidegate(['move', '--to', 'mysql://db/x'], { dataDirectory: join(folder, 'nowhere') })

  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('tidegate move --to postgres://') })
})
