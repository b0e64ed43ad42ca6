import { api } from '@tidegate/contract'
import { apiClient, type ApiClient } from '@tidegate/testing'
import type { EffectSite } from './effect-site.ts'

export const PASSWORD = 'spring-tide-42'

export interface AnonymousClient extends Pick<ApiClient, 'send' | 'call'> {
  /** The error code, or `done`. */
  outcome(...args: Parameters<ApiClient['send']>): Promise<string | undefined>
}

/** A new browser at a new address. */
export function newAnonymousClient({ url }: Pick<EffectSite, 'url'>): AnonymousClient {
  const client = apiClient(url)
  const headers = { 'x-forwarded-for': newAddress() }
  const send: ApiClient['send'] = (endpoint, input) => client.send(endpoint, { ...input, headers })
  return {
    send,
    call: (endpoint, input) => client.call(endpoint, { ...input, headers }),
    async outcome(...args) {
      const { envelope } = await send(...args)
      return envelope.success ? 'done' : envelope.code
    },
  }
}

let clientCount = 0

function newAddress(): string {
  clientCount += 1
  return `203.0.${Math.floor(clientCount / 250) + 100}.${(clientCount % 250) + 1}`
}

let names = 0

export function newName(): string {
  names += 1
  return `guest${names}`
}

export function newEmail(): string {
  return `${newName()}@reef.example`
}

/** Registers a user like the console does. Returns the name. */
export async function registerUser(site: EffectSite, affCode = ''): Promise<string> {
  const username = newName()
  await newAnonymousClient(site).call(api.register, { body: { username, password: PASSWORD, aff_code: affCode } })
  return username
}

/** A user who has just registered and logged in. */
export async function newUser(site: EffectSite, affCode = ''): Promise<ApiClient> {
  const username = await registerUser(site, affCode)
  const client = apiClient(site.url)
  await client.login(username, PASSWORD)
  return client
}

/** The result of an empty registration form: access checks run before validation. */
export function registrationResult(site: EffectSite): Promise<string | undefined> {
  return newAnonymousClient(site).outcome(api.register, { body: { username: '', password: '' } })
}
