import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '@tidegate/contract'
import {
  apiClient,
  fakeUpstream,
  removeDirectory,
  startServer,
  throwAwayDatabase,
  throwAwayDirectory,
} from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OLD, writeOneApiDatabase } from './one-api-database.ts'
import { tidegate } from './run-tidegate.ts'
import { chat } from './site.ts'

/** Every command is a separate process, which takes time on a busy machine. */
const LONG_MS = 180_000
const TIDEGATE_SECRET = 'a-secret-for-the-tests-of-moving-in'

let folder: string
beforeAll(async () => {
  folder = await throwAwayDirectory()
})
afterAll(() => removeDirectory(folder))

it(
  'keeps password, key and balance of a one-api user',
  async () => {
    const upstream = await fakeUpstream()
    const database = await throwAwayDatabase()
    const commandOptions = {
      dataDirectory: join(folder, 'site'),
      env: { DATABASE_URL: database.url, TIDEGATE_SECRET },
    }
    const file = join(folder, 'one-api.db')
    writeOneApiDatabase(file, upstream.url)
    const args = ['import', '--from', `sqlite:${file}`]

    const dry = await tidegate([...args, '--json'], commandOptions)
    expect(dry.code).toBe(0)
    expect(JSON.parse(dry.stdout)).toMatchObject({
      product: 'one-api',
      moved: false,
      counts: { users: { found: 2, carried: 2 }, tokens: { carried: 1 }, channels: { carried: 1 } },
    })
    expect(await tidegate([...args, '--yes'], commandOptions)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Done\.\n3 balances equal the source to the unit\.\nThe books balance\./),
    })
    expect(await tidegate([...args, '--yes'], commandOptions)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('everything is here already'),
    })

    const server = await startServer(commandOptions)
    const lin = apiClient(server.url)
    const hashOfLin = async () => {
      const query = database.db.selectFrom('user').select('password_hash').where('username', '=', '林小雨')
      return (await query.executeTakeFirstOrThrow()).password_hash
    }
    expect(await lin.login('林小雨', OLD.password)).toMatchObject({ display_name: '小雨' })
    expect(await hashOfLin()).toMatch(/^\$argon2id\$/)
    await apiClient(server.url).login('lin@example.com', OLD.password)
    expect(await lin.call(api.getSelf)).toMatchObject({ quota: OLD.quota, role: 1 })
    expect(await apiClient(server.url).login('root', OLD.password)).toMatchObject({ role: 100 })

    expect(await chat(server.url, `sk-${OLD.key}`)).toMatchObject({ status: 200 })
    await expect.poll(async () => (await lin.call(api.getSelf)).request_count).toBe(1)
    const { quota, used_quota } = await lin.call(api.getSelf)
    expect(used_quota).toBeGreaterThan(0)
    expect(quota + used_quota).toBe(OLD.quota)
    const [token] = await lin.call(api.listTokens, { query: { p: 0, size: 10 } })
    expect(token).toMatchObject({ name: '工作', key: OLD.key, used_quota })
    await server.stop()

    expect(await tidegate(['verify'], commandOptions)).toMatchObject({ code: 0 })
    const output = join(folder, 'out')
    const taken = await tidegate(['export', '--user', '林小雨', '--output', output], commandOptions)
    expect(taken).toMatchObject({ code: 0 })
    const [mine] = await readdir(output)
    const profile = await readFile(join(output, mine!, 'profile.json'), 'utf8')
    expect(JSON.parse(profile)).toMatchObject({ username: '林小雨', balance: quota })
    expect(profile + (await readFile(join(output, mine!, 'tokens.json'), 'utf8'))).not.toMatch(/argon2|abcdefghij/)
    await database.close()
    await upstream.close()
  },
  LONG_MS,
)

it('reports what is wrong with the source', async () => {
  const commandOptions = { dataDirectory: join(folder, 'nowhere'), env: { TIDEGATE_SECRET } }

  expect(await tidegate(['import'], commandOptions)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--from sqlite:FILE'),
  })
})
