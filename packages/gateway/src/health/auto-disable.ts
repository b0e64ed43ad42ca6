import type { Settings } from '@tidegate/contract'
import type { FailureClass, UpstreamFailure } from '@tidegate/providers'
import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import type { CatalogChannel } from '../ports/index.ts'
import { keyIdsOf } from './channel-keys.ts'

export interface FailedAttempt {
  readonly channel: Pick<CatalogChannel, 'id' | 'autoBan'>
  readonly key: string
  readonly outcome: FailureClass
  readonly failure: Pick<UpstreamFailure, 'kind' | 'status' | 'error'>
}

export interface AutoDisable {
  /** Why the key must be disabled until an operator enables it or a test passes; undefined when it stays enabled. */
  evaluate(settings: DisableSettings, attempt: FailedAttempt): { readonly reason: string } | undefined
}

type DisableSettings = Pick<Settings, 'AutomaticDisableChannelEnabled' | 'AutomaticDisableKeywords'>

const CODES = new Set<unknown>(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const TYPES = new Set<unknown>([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])
const SECOND_HIT_WITHIN_MS = 5 * 60_000
const MAX_HITS = 10_000
const MAX_REASON_LENGTH = 300

/** Decides by the provider's response which failures disable a channel's key. */
export function createAutoDisable({ now }: { now(): number }): AutoDisable {
  const hits = new LRUCache<string, number>(cacheLimit(MAX_HITS))

  /** An error may quote a user's prompt, so a keyword has to be seen twice. */
  function isSecondHit({ channel, key }: FailedAttempt, keyword: string): boolean {
    const id = `${channel.id} ${keyIdsOf([key])[0]} ${keyword}`
    const earlier = hits.get(id)
    hits.set(id, now())
    return earlier !== undefined && now() - earlier <= SECOND_HIT_WITHIN_MS
  }

  return {
    evaluate(settings, attempt) {
      const { channel, failure } = attempt
      if (!settings.AutomaticDisableChannelEnabled || !channel.autoBan || isLocal(failure)) return undefined
      if (isAccountError(attempt)) return { reason: reasonOf(attempt) }
      const keyword = findKeyword(settings.AutomaticDisableKeywords, failure.error.message)
      return keyword !== undefined && isSecondHit(attempt, keyword) ? { reason: reasonOf(attempt) } : undefined
    },
  }
}

/** There was no response: the network failed, or our timeout expired. */
function isLocal({ kind }: FailedAttempt['failure']): boolean {
  return kind !== 'status' && kind !== 'answer'
}

/** Whether the provider rejects the key, or its account. */
export function isAccountError({
  outcome,
  failure: { status, error },
}: Pick<FailedAttempt, 'outcome' | 'failure'>): boolean {
  // Some providers return 403 for a bad key, others for a request that they do not serve; the provider's error table
  // decides.
  return (
    status === 401 ||
    (status === 403 && outcome === 'auth') ||
    outcome === 'credit' ||
    CODES.has(error.code) ||
    TYPES.has(error.type)
  )
}

function findKeyword(keywords: readonly string[], message: string): string | undefined {
  const text = message.toLowerCase()
  return keywords.find((keyword) => keyword !== '' && text.includes(keyword.toLowerCase()))
}

/** For the operator, with the provider's message. A provider may quote the key, which must not be shown. */
function reasonOf({ key, failure: { status, error } }: FailedAttempt): string {
  const text = key === '' ? error.message : error.message.replaceAll(key, '***')
  return `status ${status}: ${text}`.slice(0, MAX_REASON_LENGTH)
}
