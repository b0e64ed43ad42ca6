import { droppedNames } from '../../canonical/dropped.ts'
import type { CanonicalResponse, DecodeContext, Part } from '../../canonical/index.ts'
import { readError, errorStatus } from '../../openai-wire/errors.ts'
import { readResponsesUsage } from '../../openai-wire/usage.ts'
import type { WireError } from '../../canonical/errors.ts'
import {
  asCount,
  asList,
  asText,
  asJsonObject,
  asJsonObjects,
  parseJsonObject,
  type JsonObject,
} from '../../json/json-object.ts'
import { readFinish } from './finish-reason.ts'
import { readCitations } from '../../openai-wire/citations.ts'
import { decodeImageItem, droppedInItem, readSearch } from '../output-items.ts'
import { SECTION_SEPARATOR, readProviderSignature, readReasoningTexts } from '../signatures.ts'
import { wrapTextInput, flatName } from '../tool-names.ts'

export function decodeResponse(text: string, { newId }: DecodeContext): CanonicalResponse | undefined {
  const body = parseJsonObject(text)
  if (!body) return undefined
  const parts = asList(body.output).flatMap((item) => readItem(asJsonObject(item) ?? {}, newId))
  const created = asCount(body.created_at)
  const usage = asJsonObject(body.usage)
  const error = readError(body) ?? statusError(body.status)
  return {
    id: asText(body.id) || undefined,
    model: asText(body.model) || undefined,
    created: created > 0 ? created : undefined,
    parts,
    finish: decodeFinish(body, parts),
    usage: usage && readResponsesUsage(body, usage),
    dropped: droppedNames(...asJsonObjects(body.output).flatMap(droppedInItem)),
    ...(error && { error, errorStatus: errorStatus(error) }),
  }
}

/** A failed or unfinished response has no usage, so it cannot be billed. */
function statusError(status: unknown): WireError | undefined {
  if (status === 'failed' || status === 'cancelled') return { message: 'The upstream failed to respond.' }
  const isPending = status === 'queued' || status === 'in_progress'
  return isPending ? { message: 'The upstream did not finish the response.' } : undefined
}

function decodeFinish(body: JsonObject, parts: readonly Part[]) {
  if (!Array.isArray(body.output)) return undefined
  return readFinish(body, {
    isIncomplete: body.status === 'incomplete',
    hasCalls: parts.some(({ type }) => type === 'tool-call'),
  })
}

function readItem(item: JsonObject, newId: () => string): Part[] {
  switch (item.type) {
    case 'message':
      return asList(item.content).flatMap((part) => readContent(asJsonObject(part) ?? {}))
    case 'reasoning':
      return readReasoning(item)
    case 'function_call':
    case 'custom_tool_call':
      return [
        {
          type: 'tool-call',
          id: asText(item.call_id) || asText(item.id) || `call_${newId()}`,
          name: flatName(item.namespace, asText(item.name)),
          arguments: item.type === 'function_call' ? asText(item.arguments) : wrapTextInput(asText(item.input)),
        },
      ]
    case 'image_generation_call':
      return [decodeImageItem(item)]
    default:
      return [nativePart(item)]
  }
}

function readReasoning(item: JsonObject): Part[] {
  const text = readReasoningTexts(item).join(SECTION_SEPARATOR)
  const signature = readProviderSignature(item)
  return text === '' && signature.value === '' ? [] : [{ type: 'thinking', text, signature }]
}

function readContent(part: JsonObject): Part[] {
  if (part.type === 'refusal') return [{ type: 'refusal', text: asText(part.refusal) }]
  const text = asText(part.text)
  const citations = readCitations(part.annotations)
  return text === '' ? [] : [{ type: 'text', text, ...(citations.length > 0 && { citations }) }]
}

function nativePart(value: JsonObject): Part {
  const search = readSearch(value)
  return { type: 'native', dialect: 'openai-responses', value, ...(search && { search }) }
}
