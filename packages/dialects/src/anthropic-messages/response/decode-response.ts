import type { CanonicalResponse, Part } from '../../canonical/index.ts'
import { asList, asText, asJsonObject, parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'
import { readError, errorStatus } from './errors.ts'
import { toolArguments, sliceResponseInputs, type ToolInputs } from '../tool-input.ts'
import { readFinish } from './finish-reason.ts'
import { readUsage } from './usage.ts'

export function decodeResponse(text: string): CanonicalResponse | undefined {
  const body = parseJsonObject(text)
  if (!body) return undefined
  const error = readError(body)
  if (error) return { parts: [], error, errorStatus: errorStatus(error) }
  if (!Array.isArray(body.content) && body.type !== 'message') return undefined
  const inputs = sliceResponseInputs(text, body)
  const usage = asJsonObject(body.usage)
  return {
    id: asText(body.id) || undefined,
    model: asText(body.model) || undefined,
    parts: asList(body.content).map((value) => decodeBlock(asJsonObject(value) ?? {}, inputs)),
    finish: readFinish(body.stop_reason, body.stop_sequence),
    usage: usage && readUsage(usage),
  }
}

/** Signatures in a provider's response are always its own. */
function decodeBlock(block: JsonObject, inputs: ToolInputs): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: asText(block.text) }
    case 'thinking':
      return {
        type: 'thinking',
        text: asText(block.thinking),
        signature: { dialect: DIALECT_ID, value: asText(block.signature) },
      }
    case 'redacted_thinking':
      return {
        type: 'thinking',
        text: '',
        signature: { dialect: DIALECT_ID, value: asText(block.data) },
        redacted: true,
      }
    case 'tool_use':
      return {
        type: 'tool-call',
        id: asText(block.id),
        name: asText(block.name),
        arguments: toolArguments(block, inputs),
      }
    default:
      return { type: 'native', dialect: DIALECT_ID, value: block }
  }
}
