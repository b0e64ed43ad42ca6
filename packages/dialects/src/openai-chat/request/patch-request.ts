import type { BodyChanges, RequestOverrides, RequestHead } from '../../canonical/index.ts'
import { asJsonObject } from '../../json/json-object.ts'
import { streamChanges } from '../../openai-wire/stream.ts'
import { withoutForeignSignatures, withoutSignatures } from '../signatures.ts'

/** Changes only the fields that the gateway sets. Everything else is forwarded unchanged. */
export function passThroughChanges({ body }: Pick<RequestHead, 'body'>, overrides: RequestOverrides): BodyChanges {
  const changes = streamChanges(body, overrides)
  if (body.model !== overrides.model) changes.model = overrides.model
  const messages = body.messages as unknown[]
  const sent = overrides.withoutThinking ? withoutSignatures(messages) : withoutForeignSignatures(messages)
  const patched = overrides.systemPrompt ? withSystemPrompt(sent, overrides.systemPrompt) : sent
  if (patched !== messages) changes.messages = patched
  return changes
}

/** Puts the operator's prompt before the first system message, or adds it as the first message. */
function withSystemPrompt(messages: readonly unknown[], prompt: string): unknown[] {
  const position = messages.findIndex(isSystemMessage)
  if (position === -1) return [{ role: 'system', content: prompt }, ...messages]
  return messages.map((message, index) => (index === position ? prefixMessage(message, prompt) : message))
}

/** `developer` is the newer role name. Providers reject requests that use both. */
function isSystemMessage(message: unknown): boolean {
  const role = asJsonObject(message)?.role
  return role === 'system' || role === 'developer'
}

function prefixMessage(message: unknown, prompt: string): unknown {
  const system = asJsonObject(message) ?? {}
  const content = Array.isArray(system.content)
    ? [{ type: 'text', text: prompt }, ...(system.content as unknown[])]
    : typeof system.content === 'string' && system.content !== ''
      ? `${prompt}\n\n${system.content}`
      : prompt
  return { ...system, content }
}
