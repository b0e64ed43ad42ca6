import type { Message, ToolCallPart, ToolResultPart } from '../../canonical/index.ts'
import { type Block, writeCacheControl } from './cache-control.ts'
import { createCallIds, createPendingCalls } from '../ids.ts'
import { encodeInput } from '../tool-input.ts'
import { encodePart, encodeUnmatchedResult, encodeToolResult } from './encode-content.ts'

/** Text of an otherwise empty turn, which the provider requires in some positions. */
const PLACEHOLDER = '...'

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly blocks: Block[]
  readonly calls: Call[]
}

interface Call {
  readonly wireId: string
  result?: Block
}

/**
 * Arranges messages as the provider requires: user and assistant alternate, a user turn is first, and the results of
 * all calls of a turn start the next turn. Consecutive messages of one role become one turn.
 */
export function arrangeTurns(messages: readonly Message[], textTools: ReadonlySet<string>): Block[] {
  const turns: Turn[] = []
  const newCallId = createCallIds()
  const pending = createPendingCalls<Call>()

  function turnOf(role: Turn['role']): Turn {
    const last = turns.at(-1)
    if (last?.role === role) return last
    const turn: Turn = { role, blocks: [], calls: [] }
    turns.push(turn)
    return turn
  }

  function addCall(part: ToolCallPart): void {
    const { id, name, cache } = part
    const call: Call = { wireId: newCallId(id) }
    const input = encodeInput(part, textTools.has(name))
    const turn = turnOf('assistant')
    turn.calls.push(call)
    pending.add(id, turn, call)
    turn.blocks.push({ type: 'tool_use', id: call.wireId, name, input, ...writeCacheControl(cache) })
  }

  function addResult(part: ToolResultPart): void {
    const turn = turnOf('user')
    const call = pending.take(part.callId)
    if (call) call.result = encodeToolResult(part, call.wireId)
    else turn.blocks.push(...encodeUnmatchedResult(part))
  }

  for (const { role, parts } of messages) {
    if (role === 'system') continue
    for (const part of parts) {
      if (part.type === 'tool-call') addCall(part)
      else if (part.type === 'tool-result') addResult(part)
      else {
        const blocks = encodePart(part, role)
        if (blocks.length > 0) turnOf(role).blocks.push(...blocks)
      }
    }
  }
  return completeTurns(turns).map(({ role, blocks }, index, all) => {
    const results = (all[index - 1]?.calls ?? []).map(resultBlock)
    const content = [...results, ...blocks]
    return { role, content: content.length > 0 ? content : [{ type: 'text', text: PLACEHOLDER }] }
  })
}

/** Adds missing turns at the start and the end. Turns already alternate. */
function completeTurns(turns: readonly Turn[]): readonly Turn[] {
  const emptyTurn: Turn = { role: 'user', blocks: [], calls: [] }
  const whole = turns[0]?.role === 'user' ? turns : [emptyTurn, ...turns]
  const last = whole.at(-1)
  if (last?.role !== 'assistant') return whole
  if (last.calls.length > 0) return [...whole, emptyTurn]
  // The provider continues the assistant's text and rejects trailing whitespace.
  const end = last.blocks.at(-1)
  if (end?.type === 'text') end.text = String(end.text).trimEnd()
  return whole
}

/**
 * The provider rejects a request in which a call has no result. Clients omit results of aborted runs, so the model gets
 * an error result instead.
 */
function resultBlock({ wireId, result }: Call): Block {
  return (
    result ?? {
      type: 'tool_result',
      tool_use_id: wireId,
      content: [{ type: 'text', text: '(no result was given)' }],
      is_error: true,
    }
  )
}
