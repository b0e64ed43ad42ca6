import type { Message, Part } from '../../canonical/index.ts'
import { DialectError } from '../../dialect-error.ts'
import { asJsonObject } from '../../json/json-object.ts'
import { decodePart } from './decode-part.ts'
import { createCallMatcher } from './match-calls.ts'
import { partsOf } from './prompt-parts.ts'

const ROLES: Readonly<Record<string, Message['role']>> = {
  user: 'user',
  model: 'assistant',
  function: 'user',
  tool: 'user',
  system: 'system',
}

interface OpenMessage {
  readonly role: Message['role']
  readonly parts: Part[]
}

/**
 * The turns of a conversation. SDKs keep a streamed answer as one content per chunk, so what the model said without a
 * break becomes one message again; results of several calls belong into one message, however they are sent.
 */
export function decodeContents(contents: readonly unknown[]): Message[] {
  const messages: OpenMessage[] = []
  const calls = createCallMatcher()
  for (const content of contents) {
    const role = roleOf(content)
    let message = messages.at(-1)
    if (!message || message.role !== role || !isContinued(message, content)) {
      message = { role, parts: [] }
      messages.push(message)
    }
    for (const part of partsOf(content)) {
      decodePart(part, { parts: message.parts, role, turn: messages.length - 1, calls })
    }
  }
  return messages.filter(({ parts }) => parts.length > 0)
}

function roleOf(content: unknown): Message['role'] {
  const name = asJsonObject(content)?.role ?? 'user'
  const role = typeof name === 'string' && Object.hasOwn(ROLES, name) ? ROLES[name] : undefined
  if (!role) throw new DialectError('invalid_request', 'the role of a content must be user or model')
  return role
}

function isContinued({ role, parts }: OpenMessage, content: unknown): boolean {
  if (role !== 'user') return true
  return parts.some(({ type }) => type === 'tool-result') && partsOf(content).some(isResult)
}

function isResult(part: unknown): boolean {
  const tree = asJsonObject(part)
  return (tree?.functionResponse ?? tree?.function_response) !== undefined
}
