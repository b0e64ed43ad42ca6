import type { Part, ToolCallPart } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { decodeContent } from './decode-content.ts'
import { splitImages } from '../markdown-image.ts'
import { decodeThoughts, placeThoughts } from '../reasoning-details.ts'
import { clientCallSignature } from '../signatures.ts'

/** What an assistant message says, in the order it was said as far as the message tells. */
export function decodeAssistant(message: JsonObject, place: number): Part[] {
  if (asJsonObject(message.audio))
    throw new DialectError('cannot_express', 'audio of an earlier answer, kept by its vendor')
  const said: Part[] = decodeContent(message.content).flatMap((part) =>
    part.type === 'text' && !part.cache ? splitImages(part.text) : [part],
  )
  if (asText(message.refusal) !== '') said.push({ type: 'refusal', text: asText(message.refusal) })
  for (const call of asList(message.tool_calls)) said.push(decodeCall(asJsonObject(call) ?? {}))
  const legacy = asJsonObject(message.function_call)
  // These calls had no id. The place in the conversation makes one that is the same in every turn.
  if (legacy) said.push(decodeCall({ id: `call_${place}`, function: legacy }))
  return placeThoughts(decodeThoughts(message), said)
}

function decodeCall(call: JsonObject): ToolCallPart {
  const custom = asJsonObject(call.custom)
  const called = custom ?? asJsonObject(call.function) ?? {}
  const id = asText(call.id)
  const name = asText(called.name)
  if (id === '' || name === '') throw new DialectError('invalid_request', 'a tool call needs an id and a name')
  const signature = clientCallSignature(call)
  return {
    type: 'tool-call',
    id,
    name,
    // A tool of plain text is a function of one text in every other dialect.
    arguments: custom ? JSON.stringify({ input: asText(custom.input) }) : asText(called.arguments),
    ...(signature && { signature }),
  }
}
