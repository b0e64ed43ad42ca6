import type { ResponseContext, CanonicalResponse, Part, TextPart } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { UsageReport } from '@tidegate/contract'
import {
  callItem,
  callSignatureItem,
  imageItem,
  messageItem,
  annotationOf,
  refusalContent,
  searchItem,
  textContent,
  reasoningItem,
} from '../output-items.ts'
import { incompleteReason } from './finish-reason.ts'
import { echoRequest, finishedResponse } from './response-object.ts'
import { toolsByName } from '../tool-names.ts'
import { hasSignatureValue, reasoningItemId } from '../signatures.ts'

/** Whole response, identical to the one at the end of a stream. */
export function encodeResponse(response: CanonicalResponse, usage: UsageReport, context: ResponseContext): JsonObject {
  const reason = response.finish?.reason ?? 'stop'
  const output = encodeOutput(response.parts, context, incompleteReason(reason) !== undefined)
  return { ...finishedResponse(context, { reason, output, usage }), ...echoRequest(context) }
}

function encodeOutput(parts: readonly Part[], context: ResponseContext, isIncomplete: boolean): JsonObject[] {
  const tools = toolsByName(context.request.tools)
  const output: JsonObject[] = []
  let content: JsonObject[] = []
  const idOf = (prefix: string) => `${prefix}_${context.requestId}_${output.length}`
  const flushContent = (status: 'completed' | 'incomplete') => {
    if (content.length > 0) output.push(messageItem(idOf('msg'), content, status))
    content = []
  }

  for (const part of parts) {
    if (part.type === 'text' || part.type === 'refusal') {
      if (part.text !== '') content.push(part.type === 'text' ? citedContent(part) : refusalContent(part.text))
      continue
    }
    flushContent('completed')
    if (part.type === 'thinking') {
      const { text, signature } = part
      const hasContent = text !== '' || hasSignatureValue(signature)
      if (hasContent) output.push(reasoningItem(reasoningItemId(signature) ?? idOf('rs'), text, part))
    } else if (part.type === 'tool-call') {
      if (part.signature) output.push(callSignatureItem(idOf('rs'), part.id, part.signature))
      const tool = tools.get(part.name)
      const id = idOf(tool?.takesText === true ? 'ctc' : 'fc')
      output.push(callItem(id, { call: part, tool, text: part.arguments, status: 'completed' }))
    } else if (part.type === 'image' && part.source.kind === 'base64') {
      output.push(imageItem(idOf('ig'), part.source))
    } else if (part.type === 'native' && part.dialect === 'openai-responses') {
      output.push(part.value)
    } else if (part.type === 'native' && part.search) {
      output.push(searchItem(idOf('ws'), part.search, 'completed'))
    }
  }
  flushContent(isIncomplete ? 'incomplete' : 'completed')
  return output
}

function citedContent({ text, citations = [] }: TextPart): JsonObject {
  return textContent(
    text,
    citations.map((citation) => annotationOf(citation, text)),
  )
}
