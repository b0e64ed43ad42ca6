import { asText, type JsonObject } from '@tidegate/dialects'
import { clamp } from '../../openai-compatible/adapt.ts'
import { mergeTurns } from '../../custom-protocols/merge-turns.ts'
import {
  type ChatMessage,
  readMessages,
  rejectImages,
  rejectOutputFormat,
  rejectTools,
} from '../../custom-protocols/read-chat-request.ts'
import type { EncodeContext } from '../../provider.ts'
import type { Target } from '../../target.ts'

const MAX_USER_LENGTH = 32
/** Greater than 0, at most 1. */
const TEMPERATURE = { min: 0.01, max: 1 }

/** The one message sent over the websocket. Tools are part of another API. */
export function encodeIflytek(
  body: JsonObject,
  { target, caller }: Pick<EncodeContext, 'target' | 'caller'>,
): JsonObject {
  const messages = readMessages(body)
  rejectTools(body, messages)
  rejectImages(messages)
  rejectOutputFormat(body)
  const version = versionOf(target)
  const limit = body.max_completion_tokens ?? body.max_tokens
  const temperature = clamp(body, 'temperature', TEMPERATURE).temperature ?? body.temperature
  return {
    header: { app_id: target.key.split('|')[0] ?? '', uid: (asText(body.user) || caller()).slice(0, MAX_USER_LENGTH) },
    parameter: {
      chat: {
        domain: domainOf(version),
        ...(typeof temperature === 'number' && { temperature }),
        ...(typeof limit === 'number' && { max_tokens: Math.max(1, limit) }),
      },
    },
    payload: { message: { text: encodeTexts(messages, supportsSystemMessages(version)) } },
  }
}

function encodeTexts(messages: readonly ChatMessage[], hasSystemRole: boolean): JsonObject[] {
  const { instructions, turns } = mergeTurns(messages)
  const texts = turns.map(({ role, text }) => ({ role, content: text }))
  if (instructions === '') return texts
  const [first, ...rest] = texts
  if (hasSystemRole) return [{ role: 'system', content: instructions }, ...texts]
  return first?.role === 'user'
    ? [{ role: 'user', content: `${instructions}\n\n${first.content}` }, ...rest]
    : [{ role: 'user', content: instructions }, ...texts]
}

const DEFAULT_VERSION = 'v2.1'

/** Every version has its own URL and a domain name that the request must repeat. */
const DOMAINS: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.5': 'generalv3.5',
  'v4.0': '4.0Ultra',
}

/** The version at the end of the model name, else that of the channel. */
export function versionOf({ model, other = '' }: Pick<Target, 'model' | 'other'>): string {
  return /-(v\d+\.\d+)$/i.exec(model)?.[1]?.toLowerCase() ?? (other.trim().toLowerCase() || DEFAULT_VERSION)
}

export function domainOf(version: string): string {
  return DOMAINS[version] ?? `general${version}`
}

/** Older versions have no system messages. */
function supportsSystemMessages(version: string): boolean {
  return Number(version.slice(1)) >= 3.5
}
