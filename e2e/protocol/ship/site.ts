import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  setUpSite,
  SUPER_ADMIN,
  type ApiClient,
  type FakeUpstream,
} from '@tidegate/testing'
import { expect, vi } from 'vitest'

export interface SeededSite {
  client: ApiClient
  /** The key of an API token. */
  secret: string
}

/** A site that can serve requests: set up, with a channel and a token. */
export async function seedSite(url: string, upstream: FakeUpstream): Promise<SeededSite> {
  const client = apiClient(url)
  await setUpSite(client)
  return await addChannelAndToken(client, upstream)
}

export async function addChannelAndToken(client: ApiClient, upstream: FakeUpstream): Promise<SeededSite> {
  await addChannel(client, upstream)
  const { secret } = await addToken(client)
  return { client, secret }
}

/** Sends one chat request. Returns its status and request ID. */
export async function chat(url: string, secret: string): Promise<{ status: number; requestId: string }> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'how high is the tide' }] }),
  })
  await response.text()
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? '' }
}

/** Balance and used quota of the super admin once this many requests are settled. */
export async function accountAfter(client: ApiClient, requests: number) {
  const readBalance = async () => {
    const { quota, used_quota, request_count } = await client.call(api.getSelf)
    expect(request_count).toBe(requests)
    return { quota, used_quota }
  }
  return vi.waitFor(readBalance, { timeout: 15_000 })
}

export async function logIn(url: string): Promise<ApiClient> {
  const client = apiClient(url)
  await client.login(SUPER_ADMIN.username, SUPER_ADMIN.password)
  return client
}
