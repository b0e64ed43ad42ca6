import { asText, type JsonObject } from '@tidegate/dialects'
import { clamp } from '../../clamp.ts'
import {
  messagesOf,
  refuseImages,
  refuseOutputFormat,
  refuseTools,
  type ChatMessage,
} from '../../custom-protocols/read-chat-request.ts'
import { takeTurns } from '../../custom-protocols/merge-turns.ts'
import type { EncodeContext } from '../../provider.ts'
import { domainOf, takesInstructions, versionOf } from './version.ts'

const LONGEST_USER = 32
/** Above 0, and at most 1. */
const TEMPERATURE = { min: 0.01, max: 1 }

/** The one message that is sent over the socket. Tools are left to another call of theirs. */
export function encodeIflytek(
  body: JsonObject,
  { target, caller }: Pick<EncodeContext, 'target' | 'caller'>,
): JsonObject {
  const messages = messagesOf(body)
  refuseTools(body, messages)
  refuseImages(messages)
  refuseOutputFormat(body)
  const version = versionOf(target)
  const limit = body.max_completion_tokens ?? body.max_tokens
  const temperature = clamp(body, 'temperature', TEMPERATURE).temperature ?? body.temperature
  return {
    header: { app_id: target.key.split('|')[0] ?? '', uid: (asText(body.user) || caller()).slice(0, LONGEST_USER) },
    parameter: {
      chat: {
        domain: domainOf(version),
        ...(typeof temperature === 'number' && { temperature }),
        ...(typeof limit === 'number' && { max_tokens: Math.max(1, limit) }),
      },
    },
    payload: { message: { text: textsOf(messages, takesInstructions(version)) } },
  }
}

function textsOf(messages: readonly ChatMessage[], mayInstruct: boolean): JsonObject[] {
  const { instructions, turns } = takeTurns(messages)
  const texts = turns.map(({ role, text }) => ({ role, content: text }))
  if (instructions === '') return texts
  const [first, ...rest] = texts
  if (mayInstruct) return [{ role: 'system', content: instructions }, ...texts]
  return first?.role === 'user'
    ? [{ role: 'user', content: `${instructions}\n\n${first.content}` }, ...rest]
    : [{ role: 'user', content: instructions }, ...texts]
}
