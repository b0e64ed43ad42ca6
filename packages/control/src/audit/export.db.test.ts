import { createHash } from 'node:crypto'
import { api } from '@tidegate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAutomationClient } from '../../test/automation-client.ts'
import { errorCode } from '../../test/security-site.ts'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { sealEvents } from './seal-events.ts'

const CANARY = 'canary-secret-0123456789'

let site: TestSite
let root: Awaited<ReturnType<TestSite['signedIn']>>
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const seal = () => sealEvents(site.db, { vault: site.deps.vault, now: new Date() })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function exportLines(query: Record<string, string | number> = {}): Promise<string[]> {
  const text = await root.call(api.exportAuditEvents, { query })
  return text.split('\n').filter((line) => line !== '')
}

interface Line {
  id: number
  actor_id: number | null
  action: string
  subject: string
  details: Record<string, unknown>
  seal: { day: string; number: number; content_hash: string; previous_hash: string; hash: string }
}
const parseLines = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Line)

it('exports sealed events as JSON lines whose chain can be recomputed', async () => {
  const { userId } = await site.signedIn('user')
  for (const action of ['disable', 'enable']) await root.call(api.manageUser, { body: { id: userId!, action } })
  await seal()
  await root.call(api.manageUser, { body: { id: userId!, action: 'disable' } })
  await seal()

  const lines = await exportLines()

  const events = parseLines(lines)
  expect(events.map(({ action }) => action).slice(-3)).toEqual(['user.disable', 'user.enable', 'user.disable'])
  expect(events.at(-1)).toMatchObject({
    subject: String(userId),
    details: { before: { status: 1 }, after: { status: 2 } },
  })
  for (const [index, line] of lines.entries()) {
    const { content_hash, previous_hash, hash } = events[index]!.seal
    expect(sha256(line.replace(/,"seal":{[^}]*}}$/, '}'))).toBe(content_hash)
    expect(sha256(previous_hash + content_hash)).toBe(hash)
    if (index > 0) expect(previous_hash).toBe(events[index - 1]!.seal.hash)
  }
})

it('leaves out unsealed events and records the export', async () => {
  const query = { action: 'audit.export', start_timestamp: 7 }
  await seal()
  const before = parseLines(await exportLines(query))

  const unsealed = parseLines(await exportLines(query))
  await seal()
  const after = parseLines(await exportLines(query))

  expect(unsealed).toEqual(before)
  expect(after).toHaveLength(before.length + 2)
  expect(after.at(-1)).toMatchObject({ actor_id: root.userId, details: query })
})

it('applies the filters of the list', async () => {
  const { userId } = await site.signedIn('user')
  await root.call(api.manageUser, { body: { id: userId!, action: 'promote' } })
  await seal()
  const now = Math.floor(Date.now() / 1000)
  const actions = async (query: Record<string, string | number>) =>
    parseLines(await exportLines({ subject: String(userId), ...query })).map(({ action }) => action)

  expect(await actions({})).toEqual(['user.login', 'user.promote'])
  expect(await actions({ action: 'user.promote' })).toEqual(['user.promote'])
  expect(await actions({ actor_id: userId! })).toEqual(['user.login'])
  expect(await actions({ start_timestamp: now + 60 })).toEqual([])
})

it('exports more than one page', async () => {
  await site.db
    .insertInto('audit_event')
    .values(Array.from({ length: 1_203 }, () => ({ actor_id: null, action: 'many.events' })))
    .execute()
  await seal()

  expect(await exportLines({ action: 'many.events' })).toHaveLength(1_203)
})

it('contains no secret', async () => {
  await root.call(api.updateOption, { body: { key: 'audit.webhook_secret', value: CANARY } })
  await root.call(api.createChannel, { body: { type: 1, name: 'c', key: CANARY, models: 'm' } })
  await seal()

  const text = (await exportLines()).join('\n')

  expect(text).toContain('audit.webhook_secret')
  expect(text).toContain('channel.create')
  expect(text).not.toContain(CANARY)
})

it('requires the super admin or the scope, and rejects other sites', async () => {
  const admin = await site.signedIn('admin')
  const reader = await createAutomationClient(root, ['audit:read'])
  const other = await createAutomationClient(root, ['logs:read'])
  const codeOf = (client: Pick<typeof admin, 'send'>, headers = {}) =>
    errorCode(client.send(api.exportAuditEvents, { headers }))

  expect(await codeOf(root)).toBeUndefined()
  expect(await codeOf(reader)).toBeUndefined()
  expect(await codeOf(other)).toBe('scope_missing')
  expect(await codeOf(admin)).toBe('forbidden')
  expect(await codeOf(root, { 'sec-fetch-site': 'cross-site' })).toBe('cross_site_refused')
})
