import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { api, type BodyInput } from '@tidegate/contract'
import { keyFromSecret, openVault } from '@tidegate/storage'
import type { ApiClient } from './api-client.ts'
import type { FakeUpstream } from './fake-upstream/fake-upstream.ts'

export const SUPER_ADMIN = { username: 'operator', password: 'spring-tide-42' } as const

/** Initialises a fresh server and logs the client in as its super admin. */
export async function setUpSite(
  client: ApiClient,
  overrides: Partial<BodyInput<typeof api.submitSetup>> = {},
): Promise<api.User> {
  const submission = { ...SUPER_ADMIN, confirmPassword: SUPER_ADMIN.password, ...overrides }
  await client.call(api.submitSetup, { body: submission })
  return await client.login(submission.username, submission.password)
}

/** Adds a channel of type OpenAI that uses the upstream. */
export async function addChannel(
  client: ApiClient,
  upstream: Pick<FakeUpstream, 'url'>,
  overrides: Partial<BodyInput<typeof api.createChannel>> = {},
): Promise<api.Channel> {
  const body = {
    type: 1,
    name: uniqueName('channel'),
    key: `sk-upstream-${randomBytes(8).toString('hex')}`,
    base_url: upstream.url,
    models: 'gpt-4o,gpt-4o-mini',
    group: 'default',
    ...overrides,
  }
  await client.call(api.createChannel, { body })
  const channels = await client.call(api.listChannels, { query: { p: 0, page_size: 100, id_sort: true } })
  return findByName(channels, body.name)
}

/** Adds a token for the client's user; `secret` is the whole token with `sk-`. */
export async function addToken(
  client: ApiClient,
  overrides: Partial<BodyInput<typeof api.createToken>> = {},
): Promise<api.ApiToken & { secret: string }> {
  const body = { name: uniqueName('token'), unlimited_quota: true, ...overrides }
  await client.call(api.createToken, { body })
  const token = findByName(await client.call(api.listTokens, { query: { p: 0, size: 100 } }), body.name)
  return { ...token, secret: api.TOKEN_PREFIX + token.key }
}

function findByName<Item extends { name: string }>(items: readonly Item[], name: string): Item {
  const found = items.find((item) => item.name === name)
  if (found === undefined)
    throw new Error(`nothing is named ${name} among ${items.map((item) => item.name).join(', ')}`)
  return found
}

/** A channel key for Google Cloud, whose access tokens the upstream issues. */
export function serviceAccountKey({ url }: Pick<FakeUpstream, 'url'>): string {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return JSON.stringify({
    type: 'service_account',
    project_id: 'a-project',
    client_email: `${uniqueName('gateway')}@a-project.example`,
    private_key: privateKey,
    token_uri: `${url}/token`,
  })
}

function uniqueName(kind: string): string {
  return `${kind}-${randomBytes(4).toString('hex')}`
}

/** Creates the stored columns of API tokens for a site with this `TIDEGATE_SECRET` that was never rotated. */
export function tokenSealer(secret: string): (key: string) => { hash: string; sealed_key: string } {
  const vault = openVault(keyFromSecret(secret))
  return (key) => {
    const hash = vault.keyedHash('token-hash', key)
    return { hash, sealed_key: vault.seal('token-key', hash, key) }
  }
}
