import { droppedNames } from '../../canonical/dropped.ts'
import type { CanonicalResponse, Part } from '../../canonical/index.ts'
import {
  asList,
  asText,
  asJsonObject,
  asJsonObjects,
  parseJsonObject,
  type JsonObject,
} from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'
import { readError, errorStatus } from './errors.ts'
import { toolArguments, sliceResponseInputs, type ToolInputs } from '../tool-input.ts'
import { createSearchReader, droppedInBlock, readCitation } from './searches.ts'
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
  const searches = createSearchReader()
  return {
    id: asText(body.id) || undefined,
    model: asText(body.model) || undefined,
    parts: asList(body.content).map((value) => decodeBlock(asJsonObject(value) ?? {}, inputs, searches)),
    finish: readFinish(body.stop_reason, body.stop_sequence),
    usage: usage && readUsage(usage),
    dropped: droppedNames(...asJsonObjects(body.content).flatMap(droppedInBlock)),
  }
}

/** Signatures in a provider's response are always its own. */
function decodeBlock(block: JsonObject, inputs: ToolInputs, searches: ReturnType<typeof createSearchReader>): Part {
  switch (block.type) {
    case 'text':
      return decodeText(block)
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
    default: {
      if (block.type === 'server_tool_use') searches.addCall(asText(block.id), block.input)
      const search = searches.read(block)
      return { type: 'native', dialect: DIALECT_ID, value: block, ...(search && { search }) }
    }
  }
}

function decodeText(block: JsonObject): Part {
  const citations = asList(block.citations).flatMap(readCitation)
  return { type: 'text', text: asText(block.text), ...(citations.length > 0 && { citations }) }
}
