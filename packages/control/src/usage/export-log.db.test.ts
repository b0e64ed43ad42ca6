import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAutomationClient } from '../../test/automation-client.ts'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

/** More than connection buffers hold, so the server waits for its reader. */
const ROWS = 3_000
const CONTENT_LENGTH = 20_000

let site: TestSite
let root: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
  await site.makePartition(new Date())
})
afterAll(() => site.close())

async function fillLog(userId: number): Promise<void> {
  await sql`
    insert into usage_log (type, user_id, content, created_at)
    select 2, ${userId}::int, repeat('x', ${CONTENT_LENGTH}::int), now() from generate_series(1, ${ROWS}::int)`.execute(
    site.db,
  )
}

/** Reads the start of an export, runs `work`, and reads the rest; throws when it is cut off. */
async function readAround(response: Response, between: () => Promise<unknown>): Promise<number> {
  const reader = response.body!.getReader()
  let bytes = (await reader.read()).value!.length
  await between()
  for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length
  return bytes
}

it('completes an export while the session lasts', async () => {
  const client = await site.signedIn('user')
  await fillLog(client.userId!)

  const bytes = await readAround(await client.open(api.exportOwnLogs), () => Promise.resolve())

  expect(bytes).toBeGreaterThan(ROWS * CONTENT_LENGTH)
})

it.each<[string, (client: ApiClient & { username: string }) => Promise<unknown>]>([
  ['logs out everywhere', (client) => client.call(api.endAllSessions)],
  ['is banned', ({ userId }) => root.call(api.manageUser, { body: { id: userId!, action: 'disable' } })],
])('ends an export when its user %s', async (_, endAccess) => {
  const client = await site.signedIn('user')
  await fillLog(client.userId!)

  await expect(readAround(await client.open(api.exportOwnLogs), () => endAccess(client))).rejects.toThrow()
})

it('ends an export when its automation token is revoked', async () => {
  const owner = await site.signedIn('user')
  await fillLog(owner.userId!)
  const { token, id } = await createAutomationClient(owner, ['logs:read'])
  const response = await fetch(`${site.url}${api.exportOwnLogs.path}`, {
    headers: { authorization: `Bearer ${token}` },
  })

  await expect(readAround(response, () => owner.call(api.revokeAutomationToken, { path: { id } }))).rejects.toThrow()
})
