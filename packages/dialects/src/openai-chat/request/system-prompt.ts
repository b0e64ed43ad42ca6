import { asJsonObject } from '../../json/json-object.ts'

/** Puts an operator's words before those of the first system message, or makes them the first message. */
export function withSystemPrompt(messages: readonly unknown[], prompt: string): unknown[] {
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
