import type { CanonicalAnswer, Part } from '../../canonical/index.ts'
import { asList, asText, asJsonObject, parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import { OWN } from '../ids.ts'
import { errorIn, statusOf } from './errors.ts'
import { argumentsOf, inputsOfAnswer, type InputTexts } from '../tool-input.ts'
import { readFinish } from './finish-reason.ts'
import { readUsage } from './usage.ts'

export function decodeAnswer(text: string): CanonicalAnswer | undefined {
  const body = parseJsonObject(text)
  if (!body) return undefined
  const error = errorIn(body)
  if (error) return { parts: [], error, errorStatus: statusOf(error) }
  if (!Array.isArray(body.content) && body.type !== 'message') return undefined
  const inputs = inputsOfAnswer(text, body)
  const usage = asJsonObject(body.usage)
  return {
    id: asText(body.id) || undefined,
    model: asText(body.model) || undefined,
    parts: asList(body.content).map((value) => decodeBlock(asJsonObject(value) ?? {}, inputs)),
    finish: readFinish(body.stop_reason, body.stop_sequence),
    usage: usage && readUsage(usage),
  }
}

/** From a vendor: its signatures are its own, whatever they look like. */
function decodeBlock(block: JsonObject, inputs: InputTexts): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: asText(block.text) }
    case 'thinking':
      return {
        type: 'thinking',
        text: asText(block.thinking),
        signature: { dialect: OWN, value: asText(block.signature) },
      }
    case 'redacted_thinking':
      return { type: 'thinking', text: '', signature: { dialect: OWN, value: asText(block.data) }, redacted: true }
    case 'tool_use':
      return {
        type: 'tool-call',
        id: asText(block.id),
        name: asText(block.name),
        arguments: argumentsOf(block, inputs),
      }
    default:
      return { type: 'native', dialect: OWN, value: block }
  }
}
