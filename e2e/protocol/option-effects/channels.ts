import { api } from '@tidegate/contract'
import { addChannel, type ApiClient, type FakeUpstream, type ReceivedRequest, type Script } from '@tidegate/testing'

export const GROUPS = ['default', 'vip', 'bulk-ok', 'nsfw-ok'] as const

export const PLAIN = 'm-plain'
export const UNPRICED = 'm-unpriced'
export const CACHED = 'm-cached'
export const ALIAS = 'm-alias'
export const FAILING = 'm-failing'
export const TIERED = 'm-tiered'
export const OVERRIDDEN = 'm-overridden'
export const COMPLAINING = 'm-complaining'
export const STALLING = 'm-stalling'
export const CLAUDE = 'claude-3-7-sonnet-20250219'
export const GEMINI = 'gemini-2.5-pro'
export const OTHER_GEMINI = 'gemini-2.0-flash'
/** The model that ALIAS is mapped to. */
const TARGET = 'm-target'

export const COMPLAINT = 'The reef is closed.'
/** The usage of a PLAIN request, whatever its text. */
export const COUNTED = { prompt_tokens: 100, completion_tokens: 10 }
export const CACHED_TOKENS = 40
const STALL_MS = 1_300

const SCRIPTS: Record<string, Script> = {
  [PLAIN]: { usage: COUNTED },
  [UNPRICED]: { usage: COUNTED },
  [TARGET]: { usage: COUNTED },
  [CACHED]: { usage: { ...COUNTED, prompt_tokens_details: { cached_tokens: CACHED_TOKENS } } },
  [FAILING]: { status: 404 }, // no breaker opens for it, and it is retried where retries are on
  [COMPLAINING]: { status: 400, body: { error: { message: COMPLAINT, type: 'invalid_request_error' } } },
  [STALLING]: { firstEventAfterMs: STALL_MS },
  [TIERED]: { status: 404 },
}

/** Every model name that a channel serves or sends. */
export const CHANNEL_MODELS = [
  ...Object.keys(SCRIPTS),
  ALIAS,
  OVERRIDDEN,
  ...[CLAUDE, GEMINI, OTHER_GEMINI].flatMap((model) => [model, `${model}-thinking`]),
]

/** Channels to one upstream, which distinguishes models and keys. The test of all channels disables none of them. */
export async function addChannels(root: ApiClient, upstream: FakeUpstream): Promise<void> {
  for (const [model, script] of Object.entries(SCRIPTS)) {
    upstream.when((request) => modelOf(request) === model, script)
  }
  const common = { group: GROUPS.join(), auto_ban: 0 } as const
  const plain = [PLAIN, UNPRICED, CACHED, FAILING, COMPLAINING, STALLING]
  await addChannel(root, upstream, { ...common, models: plain.join() })
  await addChannel(root, upstream, { ...common, models: ALIAS, model_mapping: JSON.stringify({ [ALIAS]: TARGET }) })
  await addChannel(root, upstream, { ...common, models: OVERRIDDEN, param_override: '{"temperature":0.125}' })
  await addChannel(root, upstream, { ...common, type: 14, models: `${CLAUDE},${CLAUDE}-thinking` })
  const geminis = [GEMINI, OTHER_GEMINI].flatMap((model) => [model, `${model}-thinking`])
  await addChannel(root, upstream, { ...common, type: 24, models: geminis.join() })
  for (const [key, priority] of Object.entries(TIERS)) {
    await addChannel(root, upstream, { ...common, models: TIERED, key, priority })
  }
}

/** Keys of the TIERED channels by priority. */
const TIERS = { 'key-of-tier-one': 30, 'key-of-tier-two': 20, 'key-of-tier-three': 10 }

export function modelOf({ path, body }: Pick<ReceivedRequest, 'path' | 'body'>): string {
  const named = (body as { model?: unknown } | undefined)?.model
  return typeof named === 'string' ? named : (/models\/([^:]+):/.exec(path)?.[1] ?? '')
}

/** A channel that the test of all channels may disable. */
export async function addPatient(root: ApiClient, upstream: FakeUpstream, script: Script): Promise<api.Channel> {
  const model = `m-patient-${(patients += 1)}`
  upstream.when((request) => modelOf(request) === model, script)
  return await addChannel(root, upstream, { models: model, auto_ban: 1 })
}

let patients = 0
