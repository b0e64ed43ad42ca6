import type { UsageReport } from '@tidegate/contract'
import {
  type ResponseContext,
  type CanonicalResponse,
  type MediaSource,
  type Part,
  type ThinkingPart,
  writeSignature,
} from '../../canonical/index.ts'
import { splitAtCitations } from '../../canonical/citations.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'
import { writeCallSignature } from '../signatures.ts'
import { encodeInput } from '../tool-input.ts'
import { searchBlocks, writeCitation } from './searches.ts'
import { writeFinish } from './finish-reason.ts'
import { writeUsage } from './usage.ts'

export function encodeResponse(response: CanonicalResponse, usage: UsageReport, context: ResponseContext): JsonObject {
  const hasCalls = response.parts.some(({ type }) => type === 'tool-call')
  return {
    id: `msg_${context.requestId}`,
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: response.parts.flatMap((part, index) => encodePart(part, `${context.requestId}_${index}`)),
    ...writeFinish(response.finish, hasCalls),
    usage: writeUsage(usage),
  }
}

function encodePart(part: Part, suffix: string): JsonObject[] {
  switch (part.type) {
    case 'text':
      return splitAtCitations(part).flatMap(({ text, citations = [] }) =>
        textBlocks(text).map((block) =>
          citations.length > 0 ? { ...block, citations: citations.map(writeCitation) } : block,
        ),
      )
    case 'refusal':
      return textBlocks(part.text)
    case 'thinking':
      return thinkingBlocks(part)
    case 'tool-call': {
      const signature = part.signature && writeCallSignature(part.signature)
      const call = { type: 'tool_use', id: part.id, name: part.name, input: encodeInput(part) }
      return signature ? [signature, call] : [call]
    }
    case 'image':
      return part.source.kind === 'file' ? [] : textBlocks(markdownImage(part.source))
    case 'native':
      if (part.dialect === DIALECT_ID) return [part.value]
      return part.search ? searchBlocks(part.search, suffix) : []
    default:
      return []
  }
}

/** Clients send blocks back, and the provider rejects empty text. */
function textBlocks(text: string): JsonObject[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function thinkingBlocks({ text, signature, redacted }: ThinkingPart): JsonObject[] {
  const signatureText = signature ? writeSignature(signature, DIALECT_ID) : ''
  if (text === '' && signatureText === '') return []
  return redacted
    ? [
        ...(text === '' ? [] : [{ type: 'thinking', thinking: text, signature: '' }]),
        { type: 'redacted_thinking', data: signatureText },
      ]
    : [{ type: 'thinking', thinking: text, signature: signatureText }]
}

/** Responses of this protocol contain no images, so an image becomes markdown. */
export function markdownImage(source: Exclude<MediaSource, { readonly kind: 'file' }>): string {
  return `![image](${source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`})`
}
