import type { Signature } from '../../canonical/index.ts'
import { type AnsweredCall, callItem, callSignatureItem } from '../output-items.ts'
import type { BlockWriter } from './block-writer.ts'
import { membersOf } from '../../sse/write-frame.ts'
import type { Scribe } from './stream-writer.ts'
import type { NamedTool } from '../tool-names.ts'

/** Writes a call. That of a text tool is known only when its JSON is whole, so its text comes in one piece at the end. */
export function openCall(
  scribe: Scribe,
  call: AnsweredCall & { readonly signature?: Signature },
  tool: NamedTool | undefined,
): BlockWriter {
  if (call.signature) writeSignature(scribe, call.id, call.signature)
  const takesText = tool?.takesText === true
  const { id, index } = scribe.place(takesText ? 'ctc' : 'fc')
  const at = { item_id: id, output_index: index }
  const deltaAt = membersOf(at)
  let written = ''
  scribe.added(index, callItem(id, { call, tool, written, status: 'in_progress' }))

  return {
    write(piece): void {
      written += piece
      if (!takesText) scribe.delta('response.function_call_arguments.delta', deltaAt, piece)
    },
    end({ status = 'completed' }): void {
      const item = callItem(id, { call, tool, written, status })
      if (takesText) {
        const input = item.input as string
        if (input !== '') scribe.delta('response.custom_tool_call_input.delta', deltaAt, input)
        scribe.frame('response.custom_tool_call_input.done', { ...at, input })
      } else {
        scribe.frame('response.function_call_arguments.done', { ...at, name: item.name, arguments: written })
      }
      scribe.done(index, item)
    },
  }
}

function writeSignature(scribe: Scribe, callId: string, signature: Signature): void {
  const { id, index } = scribe.place('rs')
  const item = callSignatureItem(id, callId, signature)
  scribe.added(index, item)
  scribe.done(index, item)
}
