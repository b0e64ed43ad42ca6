import { randomBytes } from 'node:crypto'
import {
  addChannel,
  addToken,
  type ApiClient,
  fakeUpstream,
  type FakeUpstream,
  type ReceivedRequest,
  type Script,
} from '@tidegate/testing'
import { sql } from 'kysely'
import type { SharedSite } from '../shared-site.ts'
import { ERROR_PROTOCOLS } from './protocols.ts'

/** Data that no client may see. */
export const CANARIES = {
  key: `sk-canary-${randomBytes(12).toString('hex')}`,
  channel: 'canary-channel-of-the-operator',
}

/**
 * Models whose provider fails with a status. Each has its own channel, so that the health of one does not affect
 * another.
 */
const FAILURES = {
  'upstream-401': { status: 401, mapping: '' },
  'upstream-429': { status: 429, mapping: '' },
  'upstream-500': { status: 500, mapping: '' },
  'upstream-hidden': { status: 500, mapping: '' },
  'upstream-mapped': { status: 500, mapping: '{"500":"503"}' },
}

export type FailureKind = keyof typeof FAILURES | 'upstream-away'
export const modelOf = (failure: FailureKind | 'fine', protocol: { name: string }) => `${failure}-${protocol.name}`

export interface ErrorSite {
  readonly userId: number
  readonly client: ApiClient
  readonly upstream: FakeUpstream
  readonly keys: Record<'good' | 'disabled' | 'expired' | 'limitedModels' | 'limitedCalls' | 'poor', string>
}

/** Nothing listens there. */
export const AWAY = { url: 'http://127.0.0.1:9' }

export async function openErrorSite(site: SharedSite): Promise<ErrorSite> {
  const upstream = await fakeUpstream()
  const { id: userId, client } = await site.addUser()
  await site.setOption('SensitiveWords', 'forbidden-word')
  await addChannels(site.admin, upstream)
  scriptFailures(upstream)
  const keys = {
    good: (await addToken(client)).secret,
    disabled: (await addToken(client, { name: 'disabled' })).secret,
    expired: (await addToken(client, { name: 'expired' })).secret,
    limitedModels: (await addToken(client, { model_limits_enabled: true, model_limits: '' })).secret,
    limitedCalls: (
      await addToken(client, {
        rate_limit_enabled: true,
        rate_limit_period: 600,
        rate_limit_count: 1,
        rate_limit_success: 1,
      })
    ).secret,
    poor: (await addToken(client, { unlimited_quota: false, remain_quota: 1 })).secret,
  }
  // Changed in the database, as time or an operator would; the keys were not used yet.
  await sql`update token set status = 2 where user_id = ${userId} and name = 'disabled'`.execute(site.db)
  await sql`
    update token set expires_at = now() - interval '1 day' where user_id = ${userId} and name = 'expired'`.execute(
    site.db,
  )
  return { userId, client, upstream, keys }
}

async function addChannels(client: ApiClient, upstream: FakeUpstream): Promise<void> {
  for (const protocol of ERROR_PROTOCOLS) {
    const add = async (failure: FailureKind | 'fine', provider: { url: string }, mapping = '') => {
      const model = modelOf(failure, protocol)
      await addChannel(client, provider, {
        type: protocol.channelType,
        name: `${CANARIES.channel}-${model}`,
        key: CANARIES.key,
        models: model,
        status_code_mapping: mapping,
      })
    }
    await add('fine', upstream)
    await add('upstream-away', AWAY)
    for (const [failure, { mapping }] of Object.entries(FAILURES)) {
      await add(failure as FailureKind, upstream, mapping)
    }
  }
}

/** Providers that repeat everything they know about us, in every field of an error. */
function scriptFailures(upstream: FakeUpstream): void {
  for (const protocol of ERROR_PROTOCOLS) {
    for (const [failure, { status }] of Object.entries(FAILURES)) {
      const model = modelOf(failure as FailureKind, protocol)
      upstream.when((request) => asks(request, model), failing(status, model, upstream))
    }
  }
}

/** A format from which every provider module reads an error. */
function failing(status: number, model: string, { url }: FakeUpstream): Script {
  const message = `the key ${CANARIES.key} of ${CANARIES.channel}-${model} is no good at ${url}/v1 or ${new URL(url).host}`
  const error = {
    message: message,
    type: 'provider_error_type',
    param: message,
    code: status,
    metadata: { raw: [message] },
  }
  return { status, body: { error } }
}

function asks({ path, rawBody }: ReceivedRequest, model: string): boolean {
  return path.includes(model) || rawBody.includes(model)
}
