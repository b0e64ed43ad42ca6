import type { Answer, Vendor } from '../types.ts'

export type OutputItem = ReasoningItem | MessageItem | CallItem | TextCallItem

export interface ReasoningItem {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
  encrypted_content?: string
}

export interface MessageItem {
  type: 'message'
  id: string
  status: string
  role: 'assistant'
  content: MessagePart[]
}

export type MessagePart =
  | { type: 'output_text'; text: string; annotations: never[]; logprobs: never[] }
  | { type: 'refusal'; refusal: string }

export interface CallItem {
  type: 'function_call'
  id: string
  status: string
  call_id: string
  name: string
  arguments: string
}

export interface TextCallItem {
  type: 'custom_tool_call'
  id: string
  status: string
  call_id: string
  name: string
  input: string
}

/** What the model made, item by item. Its thoughts are shown as a summary and sealed only for callers that asked. */
export function outputOf(answer: Answer, vendor: Vendor): OutputItem[] {
  const { sequence, text, refusal, toolCalls } = answer
  const content: MessagePart[] = [
    ...(text === '' ? [] : [{ type: 'output_text' as const, text, annotations: [], logprobs: [] }]),
    ...(refusal === '' ? [] : [{ type: 'refusal' as const, refusal }]),
  ]
  const status = answer.finish === 'length' ? 'incomplete' : 'completed'
  return [
    ...reasoningOf(answer, vendor),
    ...(content.length === 0
      ? []
      : [{ type: 'message' as const, id: `msg_fake_${sequence}`, status, role: 'assistant' as const, content }]),
    ...toolCalls.map((call, index): CallItem | TextCallItem => {
      const made = { status: 'completed', call_id: call.id, name: call.name }
      return answer.asked.textTools?.has(call.name)
        ? { type: 'custom_tool_call', id: `ctc_fake_${sequence}_${index}`, ...made, input: call.arguments }
        : { type: 'function_call', id: `fc_fake_${sequence}_${index}`, ...made, arguments: call.arguments }
    }),
  ]
}

function reasoningOf({ reasoning, sequence, asked, signature }: Answer, { signatures }: Vendor): ReasoningItem[] {
  if (reasoning === '') return []
  const id = `rs_fake_${sequence}`
  return [
    {
      type: 'reasoning',
      id,
      summary: asked.showThoughts ? [{ type: 'summary_text', text: reasoning }] : [],
      ...(asked.sealThoughts && { encrypted_content: signatures.issue('openai-responses', id, signature) }),
    },
  ]
}
