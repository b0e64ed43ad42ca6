import type { Part, ThinkingPart, ToolResultPart } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { type Block, writeCacheMark } from './cache-control.ts'
import { OWN } from '../ids.ts'
import { encodeDocument, encodeImage } from './encode-media.ts'

/** Calls and results are put together turn by turn, elsewhere. */
export type PlainPart = Exclude<Part, { readonly type: 'tool-call' | 'tool-result' }>

/** The block for a part; none for what this vendor would refuse and no reader would miss. */
export function encodePart(part: PlainPart, role: 'user' | 'assistant'): Block[] {
  switch (part.type) {
    case 'text':
      // Blank text is refused, and says nothing.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...writeCacheMark(part.cache) }]
    case 'refusal':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
    case 'document':
      if (role === 'assistant') throw new DialectError('cannot_express', `${part.type} in an assistant message`)
      return [part.type === 'image' ? encodeImage(part) : encodeDocument(part)]
    case 'audio':
      throw new DialectError('cannot_express', 'audio')
    case 'thinking':
      return encodeThinking(part)
    case 'native':
      return part.dialect === OWN ? [{ ...part.value }] : []
  }
}

/** Only thoughts this vendor knows for its own: any other it refuses. */
function encodeThinking({ text, signature, redacted }: ThinkingPart): Block[] {
  if (signature?.dialect !== OWN) return []
  if (redacted) return [{ type: 'redacted_thinking', data: signature.value }]
  return [{ type: 'thinking', thinking: text, signature: signature.value }]
}

export function encodeToolResult(part: ToolResultPart, callId: string): Block {
  const content = part.content.flatMap((item) => encodePart(item, 'user'))
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(content.length > 0 && { content }),
    ...(part.isError && { is_error: true }),
    ...writeCacheMark(part.cache),
  }
}

/** A result nobody asked for would be refused as one, so it is told as what it is: something the client says. */
export function encodeStrayResult(part: ToolResultPart): Block[] {
  const content = part.content.flatMap((item) => encodePart(item, 'user'))
  return [{ type: 'text', text: `Result of the tool call ${part.name ?? part.callId}:` }, ...content]
}
