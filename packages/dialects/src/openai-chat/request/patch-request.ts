import type { BodyChanges, OwnedFields, RequestHead } from '../../canonical/index.ts'
import { asJsonObject } from '../../json/json-object.ts'
import { streamChanges } from '../../openai-wire/stream.ts'
import { withoutForeignSignatures } from '../signatures.ts'

/** Only what we own is changed, all else is sent as it was written. */
export function ownedChanges({ tree: body }: Pick<RequestHead, 'tree'>, owned: OwnedFields): BodyChanges {
  const changes = streamChanges(body, owned)
  if (body.model !== owned.model) changes.model = owned.model
  const messages = body.messages as unknown[]
  const cleaned = withoutForeignSignatures(messages)
  const instructed = owned.systemPrompt ? withSystemPrompt(cleaned, owned.systemPrompt) : cleaned
  if (instructed !== messages) changes.messages = instructed
  return changes
}

/** Puts an operator's words before those of the first system message, or makes them the first message. */
function withSystemPrompt(messages: readonly unknown[], prompt: string): unknown[] {
  const place = messages.findIndex(isInstruction)
  if (place === -1) return [{ role: 'system', content: prompt }, ...messages]
  return messages.map((message, index) => (index === place ? prefixed(message, prompt) : message))
}

/** `developer` is the newer word for it, and vendors refuse requests that use both. */
function isInstruction(message: unknown): boolean {
  const role = asJsonObject(message)?.role
  return role === 'system' || role === 'developer'
}

function prefixed(message: unknown, prompt: string): unknown {
  const system = asJsonObject(message) ?? {}
  const content = Array.isArray(system.content)
    ? [{ type: 'text', text: prompt }, ...(system.content as unknown[])]
    : typeof system.content === 'string' && system.content !== ''
      ? `${prompt}\n\n${system.content}`
      : prompt
  return { ...system, content }
}
