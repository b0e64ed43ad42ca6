import type { GeminiContent, GeminiPart } from './request.ts'
import { demand, wordSet } from '../checks.ts'

/** Roles, parts, and calls that are answered by as many results as they are, in the turn after them. */
export function checkTurns(contents: readonly GeminiContent[]): void {
  contents.forEach(({ role, parts }, index) => {
    demand(role === undefined || ROLES.has(role), `contents[${index}]: Please use a valid role: user, model.`)
    demand(Array.isArray(parts) && parts.length > 0, `contents[${index}].parts must not be empty`)
    parts.forEach((part, at) => checkPart(part, `contents[${index}].parts[${at}]`))
  })
  checkCalls(mergeTurns(contents))
}

/** What one side says in several contents is one turn: so clients keep what they were streamed. */
export function mergeTurns(contents: readonly GeminiContent[]): GeminiContent[] {
  const turns: GeminiContent[] = []
  for (const { role, parts = [] } of contents) {
    const last = turns.at(-1)
    const isSame = last !== undefined && (last.role === 'model') === (role === 'model')
    if (isSame) turns[turns.length - 1] = { role, parts: [...(last.parts ?? []), ...parts] }
    else turns.push({ role, parts })
  }
  return turns
}

function checkCalls(turns: readonly GeminiContent[]): void {
  turns.forEach(({ role, parts = [] }, index) => {
    const calls = callsOf(turns[index - 1])
    const results = parts.flatMap(({ functionResponse: result }) => result ?? [])
    demand(calls.length === results.length, `contents[${index}]: as many function responses as calls, please`)
    demand(namesIn(calls) === namesIn(results), `contents[${index}]: the responses are of other functions`)
    for (const { id } of results) {
      const known = id === undefined || calls.some((call) => call.id === id)
      demand(known, `contents[${index}]: function response ${id} answers no call`)
    }
    const called = callsOf({ role, parts }).length > 0
    demand(!called || (role === 'model' && index > 0), 'a function call comes after a user turn or a function response')
  })
  demand(callsOf(turns.at(-1)).length === 0, 'contents: the last function calls have no responses')
}

function callsOf(content: GeminiContent | undefined) {
  return (content?.parts ?? []).flatMap(({ functionCall: call }) => call ?? [])
}

function namesIn(named: readonly { name?: string }[]): string {
  return named
    .map(({ name = '' }) => name)
    .toSorted((a, b) => a.localeCompare(b))
    .join()
}

/** A part is one thing, with remarks on it. */
export function checkPart(part: GeminiPart, path: string): void {
  for (const member of Object.keys(part)) {
    const known = DATA.has(member) || REMARKS.has(member)
    demand(known, `Invalid JSON payload received. Unknown name "${member}" at '${path}'`)
  }
  const data = Object.keys(part).filter((member) => DATA.has(member) && part[member] !== undefined)
  demand(data.length === 1, `${path}.data: required oneof field 'data' must have one initialized field`)
  if (part.inlineData !== undefined) checkBlob(part.inlineData, `${path}.inline_data`)
  if (part.fileData !== undefined) demand(part.fileData.fileUri, `${path}.file_data.file_uri: required`)
  if (part.functionCall !== undefined) {
    demand(part.functionCall.name, `${path}.function_call.name: Name cannot be empty.`)
    demand(isObjectOrMissing(part.functionCall.args), `${path}.function_call.args: must be an object`)
  }
  if (part.functionResponse === undefined) return
  const { name, response, parts = [] } = part.functionResponse
  demand(name, `${path}.function_response.name: Name cannot be empty.`)
  demand(response !== undefined && isObjectOrMissing(response), `${path}.function_response.response: must be an object`)
  parts.forEach((blob, index) => {
    demand(blob.inlineData, `${path}.function_response.parts[${index}]: only inline data`)
    checkBlob(blob.inlineData, `${path}.function_response.parts[${index}]`)
  })
}

function checkBlob({ mimeType, data }: { mimeType?: string; data?: string }, path: string): void {
  demand(/^[a-z]+\/[a-z0-9.+-]+$/.test(mimeType ?? ''), `${path}.mime_type: Unsupported MIME type: ${mimeType}`)
  demand(/^[A-Za-z0-9+/_-]+=*$/.test(data ?? ''), `${path}.data: not valid base64`)
}

function isObjectOrMissing(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))
}

const ROLES = wordSet('user model function')
const DATA = wordSet(`
  text inlineData fileData functionCall functionResponse executableCode codeExecutionResult toolCall
  toolResponse
`)
const REMARKS = wordSet('thought thoughtSignature videoMetadata mediaResolution partMetadata')
