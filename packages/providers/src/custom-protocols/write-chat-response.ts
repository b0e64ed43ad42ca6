import { randomUUID } from 'node:crypto'
import type { PromptAndCompletionTokens, ResponseChunk, ToolCallDelta } from './response-chunk.ts'

/** Writes responses in OpenAI's chat format. */
export interface ChatWriter {
  /** The SSE frames for one chunk. */
  frames(chunk: ResponseChunk): string
  /** The body for a complete response. */
  body(chunks: readonly ResponseChunk[]): string
}

export function createChatWriter(model: string): ChatWriter {
  let head: { id: string; created: number } | undefined
  let begun = false

  function headOf({ id, created }: ResponseChunk) {
    return (head ??= {
      id: id || `chatcmpl-${randomUUID().replaceAll('-', '')}`,
      created: created ?? Math.floor(Date.now() / 1000),
    })
  }

  function frame(chunk: ResponseChunk, rest: object): string {
    return `data: ${JSON.stringify({ ...headOf(chunk), object: 'chat.completion.chunk', model, ...rest })}\n\n`
  }

  return {
    frames(chunk) {
      const { text, reasoning, toolCalls, finishReason, usage, isLast } = chunk
      let frames = ''
      if (text || reasoning || toolCalls || finishReason) {
        const delta = {
          ...(!begun && { role: 'assistant' }),
          ...(reasoning && { reasoning_content: reasoning }),
          ...(text && { content: text }),
          ...(toolCalls && { tool_calls: toolCalls.map(writeToolCallDelta) }),
        }
        begun = true
        frames += frame(chunk, { choices: [{ index: 0, delta, finish_reason: finishReason ?? null }] })
      }
      if (usage) frames += frame(chunk, { choices: [], usage: writeUsage(usage) })
      return isLast ? `${frames}data: [DONE]\n\n` : frames
    },
    body(chunks) {
      const toolCalls = chunks.flatMap((chunk) => chunk.toolCalls ?? [])
      const reasoning = joinField(chunks, 'reasoning')
      const text = joinField(chunks, 'text')
      const usage = chunks.findLast((chunk) => chunk.usage)?.usage
      const message = {
        role: 'assistant',
        content: text === '' && toolCalls.length > 0 ? null : text,
        ...(reasoning !== '' && { reasoning_content: reasoning }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(writeToolCall) }),
      }
      const finishReason = chunks.findLast((chunk) => chunk.finishReason)?.finishReason ?? 'stop'
      return JSON.stringify({
        ...headOf(chunks.find(({ id }) => id) ?? {}),
        object: 'chat.completion',
        model,
        choices: [{ index: 0, message, finish_reason: finishReason }],
        ...(usage && { usage: writeUsage(usage) }),
      })
    },
  }
}

function joinField(chunks: readonly ResponseChunk[], field: 'text' | 'reasoning'): string {
  return chunks.map((chunk) => chunk[field] ?? '').join('')
}

function writeToolCallDelta({ index, id, name, arguments: text }: ToolCallDelta) {
  const fn = { ...(name !== '' && { name }), arguments: text }
  return { index, ...(id !== '' && { id, type: 'function' }), function: fn }
}

function writeToolCall({ id, name, arguments: text }: ToolCallDelta) {
  return { id, type: 'function', function: { name, arguments: text } }
}

function writeUsage({ prompt, completion }: PromptAndCompletionTokens) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
