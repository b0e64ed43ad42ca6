import type { Message, Part, ToolResultPart } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { encodeAssistant } from './encode-assistant.ts'
import { createCallIds } from './call-ids.ts'
import { encodeContent, isWritten, joinTexts, mediaPart } from './encode-content.ts'

/**
 * The conversation for a vendor. Vendors of this dialect take only text as the result of a tool, and only from users
 * anything else. So what a tool showed follows in a user message that names the call, and likewise what a model drew.
 * It waits until all results of the turn are told: nothing may stand between a call and them.
 */
export function encodeMessages(messages: readonly Message[]): JsonObject[] {
  const encoded: JsonObject[] = []
  const idOf = createCallIds()
  let waiting: JsonObject[] = []

  const addUser = (parts: readonly Part[]) => {
    const content = encodeContent(parts, waiting)
    waiting = []
    if (content.length > 0) encoded.push({ role: 'user', content })
  }

  for (const { role, parts } of messages) {
    const results = parts.filter((part) => part.type === 'tool-result')
    for (const result of results) {
      const id = idOf(result.callId)
      const media = result.content.flatMap((part) => mediaPart(part))
      encoded.push({ role: 'tool', tool_call_id: id, content: resultText(result, media.length > 0) })
      waiting.push(...labelled(`Shown by the tool call ${id}:`, media))
    }
    const rest = parts.filter((part) => part.type !== 'tool-result' && isWritten(part))
    if (rest.length === 0) continue
    if (role === 'user') {
      addUser(rest)
      continue
    }
    addUser([])
    if (role === 'system') encoded.push({ role, content: encodeContent(rest) })
    else encoded.push(...encodeAssistant(rest, idOf))
    if (role === 'assistant') waiting.push(...drawn(rest))
  }
  addUser([])
  return encoded
}

function resultText({ content, isError }: ToolResultPart, isShown: boolean): string {
  const text = joinTexts(content)
  if (text !== '') return text
  if (isShown) return 'The result is shown in the next user message.'
  return isError ? 'The tool failed without a message.' : ''
}

function drawn(parts: readonly Part[]): JsonObject[] {
  const media = parts.filter((part) => part.type === 'image').flatMap((part) => mediaPart(part))
  return labelled('Shown by the assistant in the message above:', media)
}

function labelled(text: string, media: readonly JsonObject[]): JsonObject[] {
  return media.length > 0 ? [{ type: 'text', text }, ...media] : []
}
