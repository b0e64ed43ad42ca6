import type { Signature } from '../canonical/index.ts'
import type { JsonObject } from '../json/json-object.ts'
import { summaryOf } from './reasoning-item.ts'
import { writeCallSeal, writeThoughtSeal } from './signatures.ts'
import { inputOf } from './text-tool-input.ts'
import type { NamedTool } from './tool-names.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export function messageItem(id: string, content: readonly JsonObject[], status: ItemStatus): JsonObject {
  return { type: 'message', id, status, role: 'assistant', content }
}

export function textContent(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

export function refusalContent(refusal: string): JsonObject {
  return { type: 'refusal', refusal }
}

export function thoughtItem(
  id: string,
  text: string,
  { signature, redacted }: { signature?: Signature; redacted?: boolean },
): JsonObject {
  const sealed = writeThoughtSeal(signature, { itemId: id, redacted })
  return { type: 'reasoning', id, summary: summaryOf(text), ...(sealed !== undefined && { encrypted_content: sealed }) }
}

/** The place of a call's signature: an item of no words before the call. */
export function callSignatureItem(id: string, callId: string, signature: Signature): JsonObject {
  return { type: 'reasoning', id, summary: [], encrypted_content: writeCallSeal(callId, signature) }
}

export interface AnsweredCall {
  readonly id: string
  readonly name: string
}

export function callItem(
  id: string,
  {
    call,
    tool,
    written,
    status,
  }: { call: AnsweredCall; tool: NamedTool | undefined; written: string; status: ItemStatus },
): JsonObject {
  const takesText = tool?.takesText === true
  return {
    type: takesText ? 'custom_tool_call' : 'function_call',
    id,
    status,
    call_id: call.id,
    name: tool?.name ?? call.name,
    ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
    ...(takesText ? { input: written === '' ? '' : inputOf(written) } : { arguments: written }),
  }
}
