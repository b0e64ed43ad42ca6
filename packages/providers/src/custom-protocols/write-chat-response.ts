import { randomUUID } from 'node:crypto'
import type { Counts, Said, SaidCall } from './response-chunk.ts'

/** Writes answers as OpenAI's chat would have them. */
export interface ChatWriter {
  /** The chunks for one piece of a stream. */
  frames(said: Said): string
  /** The body for an answer that is all there. */
  body(said: readonly Said[]): string
}

export function createChatWriter(model: string): ChatWriter {
  let head: { id: string; created: number } | undefined
  let begun = false

  function headOf({ id, created }: Said) {
    return (head ??= {
      id: id || `chatcmpl-${randomUUID().replaceAll('-', '')}`,
      created: created ?? Math.floor(Date.now() / 1000),
    })
  }

  function frame(said: Said, rest: object): string {
    return `data: ${JSON.stringify({ ...headOf(said), object: 'chat.completion.chunk', model, ...rest })}\n\n`
  }

  return {
    frames(said) {
      const { text, thoughts, calls, finish, usage, isLast } = said
      let frames = ''
      if (text || thoughts || calls || finish) {
        const delta = {
          ...(!begun && { role: 'assistant' }),
          ...(thoughts && { reasoning_content: thoughts }),
          ...(text && { content: text }),
          ...(calls && { tool_calls: calls.map(chunkOf) }),
        }
        begun = true
        frames += frame(said, { choices: [{ index: 0, delta, finish_reason: finish ?? null }] })
      }
      if (usage) frames += frame(said, { choices: [], usage: written(usage) })
      return isLast ? `${frames}data: [DONE]\n\n` : frames
    },
    body(all) {
      const calls = all.flatMap((said) => said.calls ?? [])
      const thoughts = joined(all, 'thoughts')
      const text = joined(all, 'text')
      const usage = all.findLast((said) => said.usage)?.usage
      const message = {
        role: 'assistant',
        content: text === '' && calls.length > 0 ? null : text,
        ...(thoughts !== '' && { reasoning_content: thoughts }),
        ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
      }
      const finish = all.findLast((said) => said.finish)?.finish ?? 'stop'
      return JSON.stringify({
        ...headOf(all.find(({ id }) => id) ?? {}),
        object: 'chat.completion',
        model,
        choices: [{ index: 0, message, finish_reason: finish }],
        ...(usage && { usage: written(usage) }),
      })
    },
  }
}

function joined(all: readonly Said[], member: 'text' | 'thoughts'): string {
  return all.map((said) => said[member] ?? '').join('')
}

function chunkOf({ index, id, name, arguments: text }: SaidCall) {
  const called = { ...(name !== '' && { name }), arguments: text }
  return { index, ...(id !== '' && { id, type: 'function' }), function: called }
}

function callOf({ id, name, arguments: text }: SaidCall) {
  return { id, type: 'function', function: { name, arguments: text } }
}

function written({ prompt, completion }: Counts) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
