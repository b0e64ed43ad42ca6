import { api, ENDPOINTS, pathParameters, ROLES, type Access, type RoleName } from '@tidegate/contract'
import { createUpstreamClient } from '@tidegate/providers'
import { deliveries, messages, passkeys } from '@tidegate/storage'
import { addToken, apiClient, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite, type TestSite } from './start-site.ts'

type Client = ApiClient & { username: string }
type Caller = 'guest' | RoleName
const CALLERS: readonly Caller[] = ['guest', 'user', 'admin', 'root']

let site: TestSite
let root: Client
const webhookClient = createUpstreamClient()
beforeAll(async () => {
  site = await startTestSite({ webhookClient })
  await site.initialise()
  root = await site.signedIn('root') // has the id 1, which is used in every path: it is protected
})
afterAll(async () => {
  await site.close()
  await webhookClient.close()
})

it.each(CALLERS)('allows %s exactly what the contract allows', async (caller) => {
  const wrong: object[] = []
  for (const { name, endpoint } of ENDPOINTS) {
    const client = await clientOf(caller)
    const body = endpoint.method === 'GET' ? undefined : {}
    const { response, envelope } = await client.send(endpoint, { path: { id: 1, hash: 'a1' }, body })
    const found = accessResult(response.status, envelope)
    const wanted = expectedAccess(endpoint.access, caller)
    if (found !== wanted || response.status === 500) wrong.push({ name, found, wanted, envelope })
  }

  expect(wrong).toEqual([])
})

type AccessResult = 'must log in' | 'forbidden' | 'allowed'

function expectedAccess(access: Access, caller: Caller): AccessResult {
  if (access === 'public' || access === 'visitor') return 'allowed'
  if (caller === 'guest') return 'must log in'
  return ROLES[caller] < ROLES[access] ? 'forbidden' : 'allowed'
}

function accessResult(status: number, envelope: object): AccessResult {
  const code = 'code' in envelope ? envelope.code : undefined
  if (status === 401 && code === 'not_logged_in') return 'must log in'
  return code === 'forbidden' ? 'forbidden' : 'allowed'
}

const signedIn = new Map<Caller, Client>()

/** Logs in again when an endpoint ended the session. */
async function clientOf(caller: Caller): Promise<ApiClient> {
  if (caller === 'guest') return apiClient(site.url)
  const known = signedIn.get(caller)
  if (known && (await known.send(api.getSelf)).response.status === 200) return known
  const client = caller === 'root' ? root : await site.signedIn(caller)
  if (caller === 'root') await client.login(client.username, PASSWORD)
  signedIn.set(caller, client)
  return client
}

interface OwnedResource {
  path: Record<string, string | number>
  /** Further input of the endpoint. */
  body?: object
  isThere(): Promise<boolean>
}

/** For each endpoint with an owned resource in its path: how to create one and how to check it. */
const RESOURCES: Record<string, (owner: Client) => Promise<OwnedResource>> = {
  deleteOwnExport: exportOf,
  deleteToken: tokenOf,
  async endSession(owner) {
    await apiClient(site.url).login(owner.username, PASSWORD)
    const { id } = (await owner.call(api.listSessions)).find(({ current }) => !current)!
    return {
      path: { hash: id },
      isThere: async () => (await owner.call(api.listSessions)).some((session) => session.id === id),
    }
  },
  getToken: tokenOf,
  markInboxMessageRead: messageOf,
  readInboxMessage: messageOf,
  removePasskey: passkeyOf,
  renamePasskey: passkeyOf,
  async retryDelivery(owner) {
    const failed = { kind: 'email', type: 'test', title: '', target: 'a@b.example', error: 'mail_failed' } as const
    const payload = { content: '', values: [] }
    const { id } = await deliveries.insertAttempted(site.db, { ...failed, user_id: owner.userId!, payload })
    return {
      path: { id },
      isThere: async () => (await owner.call(api.listDeliveries)).items.some((delivery) => delivery.id === id),
    }
  },
  retryOwnExport: exportOf,
  async retryOwnExportDelivery(owner) {
    const destination = await exportOf(owner)
    const now = new Date()
    const { id } = await site.db
      .insertInto('export_delivery')
      .values({
        destination_id: Number(destination.path['id']),
        state: 'failed',
        after_id: 0,
        last_id: 1,
        first_time: now,
        last_time: now,
        records: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return {
      path: { id },
      isThere: async () => (await owner.call(api.listOwnExportDeliveries)).items.some((row) => row.state === 'failed'),
    }
  },
  async revokeAutomationToken(owner) {
    const body = { name: 'robot', scopes: ['account:read'] }
    const { id } = await owner.call(api.createAutomationToken, { body })
    const isThere = async () => (await owner.call(api.listAutomationTokens)).items.some((token) => token.id === id)
    return { path: { id }, isThere }
  },
  testOwnExport: exportOf,
  updateOwnExport: exportOf,
}

async function exportOf(owner: Client): Promise<OwnedResource> {
  await root.login(root.username, PASSWORD)
  await root.call(api.updateOption, { body: { key: 'UserExportsEnabled', value: 'true' } })
  const body = { name: 'receiver', url: 'https://receiver.invalid/' }
  const { id } = await owner.call(api.createOwnExport, { body: { kind: 'webhook', ...body } })
  return {
    path: { id },
    body,
    isThere: async () => (await owner.call(api.listOwnExports)).items.some((row) => row.id === id),
  }
}

async function tokenOf(owner: Client): Promise<OwnedResource> {
  const { id } = await addToken(owner)
  return { path: { id }, isThere: async () => (await owner.call(api.listTokens)).some((token) => token.id === id) }
}

async function messageOf(owner: Client): Promise<OwnedResource> {
  await messages.send(site.db, { title: 'tide', content: 'high', createdBy: 0 }, [owner.userId!])
  const unread = async () => (await owner.call(api.listInbox)).items.filter(({ is_read }) => !is_read)
  const [{ id }] = (await unread()) as [api.InboxMessage]
  return { path: { id }, isThere: async () => (await unread()).some((message) => message.id === id) }
}

async function passkeyOf(owner: Client): Promise<OwnedResource> {
  const passkey = await passkeys.insert(site.db, {
    user_id: owner.userId!,
    credential_id: `passkey of ${owner.username}`,
    public_key: '',
    counter: 0,
    transports: [],
    backed_up: false,
    name: 'harbour key',
    created_at: new Date(),
  })
  const there = { id: passkey!.id, name: passkey!.name }
  return {
    path: { id: there.id },
    body: { name: 'another name' },
    isThere: async () =>
      (await owner.call(api.getSecurity)).passkeys.some(({ id, name }) => id === there.id && name === there.name),
  }
}

describe('a resource of a user', () => {
  const owned = ENDPOINTS.filter(
    ({ endpoint }) => endpoint.access === 'user' && pathParameters(endpoint.path).length > 0,
  )

  it('is created by this test for every endpoint that names one', () => {
    expect(Object.keys(RESOURCES).toSorted()).toEqual(owned.map(({ name }) => name))
  })

  it.each(owned.map(({ name, endpoint }) => [name, endpoint] as const))(
    '%s works for its owner only, whatever the role',
    async (name, endpoint) => {
      const owner = await site.signedIn('user')
      const { path, body, isThere } = await RESOURCES[name]!(owner)

      for (const caller of CALLERS) {
        const { envelope } = await (await clientOf(caller)).send(endpoint, { path, body })
        expect(envelope.success).toBe(false)
        expect(await isThere()).toBe(true)
      }
      await owner.call(endpoint, { path, body })
      if (endpoint.method === 'DELETE') expect(await isThere()).toBe(false)
    },
  )
})
