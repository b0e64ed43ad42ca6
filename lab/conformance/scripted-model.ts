import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Script, ScriptedToolCall } from '@tidegate/testing'
import type { Feature } from './features.ts'
import type { OfferedTool, ProviderRequest } from './read-request.ts'

/** The model asks the client for this. Without the tool, the client uses its shell. */
type Action = { read: string } | { write: string; content: string } | { shell: string }
/** The calls of one turn. They depend on the word that the model read. */
type Turn = (word: string) => readonly Action[]

export const IMAGE_FILE = 'tide.png'
export const NOTES_FILE = 'notes.txt'
/** Only in the file, so that the model learns it from a tool result alone. */
export const newWord = () => `tide-${randomBytes(6).toString('hex')}`
const WORD = /tide-[0-9a-f]{12}/
export const THOUGHT = 'The gauge stands in the notes, so read them first.'
export const LONG_TEXT = Array.from({ length: 60 }, (_, hour) => `Hour ${hour}: the gate is open.`).join(' ')
export const PLAIN_TEXT = 'The tide turns at noon.'
export const finalText = (word: string) => `All steps are done: ${word}.`

const append = (line: number): Action => ({ shell: `echo line-${line} >> log.txt && wc -l < log.txt` })

/** Ten turns: each needs the result of an earlier one, or changes a file that the check reads. */
const SESSION: readonly Turn[] = [
  () => [{ read: NOTES_FILE }],
  (word) => [{ write: 'copy.txt', content: `${word}\n` }],
  () => [append(3)],
  () => [{ read: 'copy.txt' }],
  () => [append(5)],
  (word) => [{ write: 'report.txt', content: `first ${word}\n` }],
  () => [append(7)],
  () => [{ read: 'report.txt' }],
  () => [append(9)],
  () => [{ shell: 'cat copy.txt log.txt' }],
]
const PLANS: Partial<Record<Feature, readonly Turn[]>> = {
  session: SESSION,
  affinity: SESSION,
  // Both calls in one response.
  tools: [() => [{ read: NOTES_FILE }, append(1)]],
  thinking: [() => [{ read: NOTES_FILE }], () => [append(2)]],
}
/** What clients ask for when they compact a conversation. */
const COMPACTION =
  /CONTEXT CHECKPOINT COMPACTION|detailed summary of the conversation|state_snapshot|continuing (our|the) conversation|anchored summary/i
const summaryOf = (word: string) => `The summary of the session: the gauge shows ${word}.`
const SUMMARY = /The summary of the session:/
export const isCompaction = ({ lastMessage }: ProviderRequest) =>
  COMPACTION.test(lastMessage) && !SUMMARY.test(lastMessage)

export const turnsOf = (feature: Feature) => PLANS[feature]?.length ?? 0
/** Files that exist after the run, with their content. */
export const expectedFiles = (feature: Feature, word: string): Readonly<Record<string, string>> =>
  feature === 'session' || feature === 'affinity'
    ? { 'copy.txt': `${word}\n`, 'report.txt': `first ${word}\n`, 'log.txt': 'line-3\nline-5\nline-7\nline-9\n' }
    : feature === 'tools'
      ? { 'log.txt': 'line-1\n' }
      : feature === 'thinking'
        ? { 'log.txt': 'line-2\n' }
        : {}

/**
 * What the model responds to a request of this run. It has no memory: like a real model, it sees what it did in the
 * request. Side requests, such as one for a title, offer no tools.
 */
export function respond(feature: Feature, directory: string, request: ProviderRequest, window: ContextWindow): Script {
  const { tools, results, hasImage } = request
  if (feature === 'compaction') return compactionScript(request, directory, window)
  const plan = PLANS[feature] ?? []
  const reasoning = feature === 'thinking' ? { reasoning: THOUGHT } : {}
  if (feature === 'image') return imageScript({ tools, results, hasImage }, directory)
  if (plan.length === 0) return { text: feature === 'stream' ? LONG_TEXT : PLAIN_TEXT }
  if (tools.length === 0) return { text: PLAIN_TEXT }

  const word = results.map((text) => WORD.exec(text)?.[0]).findLast((found) => found !== undefined) ?? 'tide-unknown'
  let done = results.length
  for (const turn of plan) {
    const actions = turn(word)
    if (done < actions.length)
      return { ...reasoning, toolCalls: actions.map((action) => callFor(action, tools, directory)) }
    done -= actions.length
  }
  return { ...reasoning, text: finalText(word) }
}

/** Shares of the context window that the provider reports. Clients may compact after the second one, not before. */
const FILLS = [0.4, 0.97]

/** The context of a run: its size, and the error of the provider for a longer prompt. */
export interface ContextWindow {
  readonly tokens: number
  readonly error: object
}

/** Two tool calls fill the context. Then the client must compact, by itself or after the error, and keep the word. */
function compactionScript(request: ProviderRequest, directory: string, window: ContextWindow): Script {
  const { tools, results, text, mustThink } = request
  const word = WORD.exec(text)?.[0] ?? 'tide-unknown'
  if (isCompaction(request)) return { text: summaryOf(word) }
  if (tools.length === 0) return { text: PLAIN_TEXT }
  // After a compaction the results are gone, and the summary has the word.
  if (SUMMARY.test(text)) return { text: finalText(word) }
  const fill = FILLS[results.length]
  if (fill === undefined) return { status: 400, body: window.error }
  const action = results.length === 0 ? { read: NOTES_FILE } : append(1)
  return {
    ...(mustThink && { reasoning: THOUGHT }),
    toolCalls: [callFor(action, tools, directory)],
    usage: { prompt_tokens: Math.floor(window.tokens * fill), completion_tokens: 40 },
  }
}

/** Clients that cannot attach an image read it with a tool. */
function imageScript(
  { tools, results, hasImage }: Pick<ProviderRequest, 'tools' | 'results' | 'hasImage'>,
  directory: string,
): Script {
  const reader = tools.find(({ name }) => READ.test(name))
  if (hasImage || results.length > 0 || reader === undefined) return { text: PLAIN_TEXT }
  return { toolCalls: [callFor({ read: IMAGE_FILE }, tools, directory)] }
}

const READ = /^read(_?file)?$/i
const WRITE = /^write(_?file)?$/i
const SHELL = /^(bash|shell|shell_command|exec_command|run_shell_command|run_command)$/i
/** Codex gives its newer models one tool that runs a program, which calls the others. */
const PROGRAM = /^exec$/
const programFor = (command: string) =>
  `const result = await tools.exec_command({ cmd: ${JSON.stringify(command)} })\ntext(result)`

function callFor(action: Action, tools: readonly OfferedTool[], directory: string): ScriptedToolCall {
  const toolFor = (pattern: RegExp) => tools.find(({ name }) => pattern.test(name))
  if ('read' in action) {
    const path = join(directory, action.read)
    const tool = toolFor(READ)
    return tool ? callTo(tool, { path }) : callFor({ shell: `cat '${path}'` }, tools, directory)
  }
  if ('write' in action) {
    const path = join(directory, action.write)
    const tool = toolFor(WRITE)
    if (tool) return callTo(tool, { path, content: action.content })
    return callFor({ shell: `printf '%s\\n' '${action.content.trimEnd()}' > '${path}'` }, tools, directory)
  }
  const command = `cd '${directory}' && ${action.shell}`
  const program = toolFor(PROGRAM)
  if (program) return callTo(program, { command })
  const shell = toolFor(SHELL)
  if (!shell) throw new Error(`the client offers no shell, but ${tools.map(({ name }) => name).join(', ')}`)
  return callTo(shell, { command })
}

interface Values {
  readonly path?: string
  readonly content?: string
  readonly command?: string
}

/** Fills the properties of the client's own schema: each client names them differently. */
function callTo(tool: OfferedTool, values: Values): ScriptedToolCall {
  const filled = Object.entries(tool.properties).flatMap(([name, { type }]) => {
    const value = valueFor(name, type, values) ?? (tool.required.includes(name) ? DEFAULTS[String(type)] : undefined)
    return value === undefined ? [] : [[name, value] as const]
  })
  const id = `call_${randomBytes(9).toString('hex')}`
  if (tool.takesText) return { id, name: tool.name, arguments: programFor(values.command ?? '') }
  // Across protocols, the text is the only property.
  if (PROGRAM.test(tool.name)) {
    const [property = 'input'] = tool.required
    return { id, name: tool.name, arguments: JSON.stringify({ [property]: programFor(values.command ?? '') }) }
  }
  return { id, name: tool.name, arguments: JSON.stringify(Object.fromEntries(filled)) }
}

function valueFor(name: string, type: unknown, { path, content, command }: Values): unknown {
  if (/^(file_?path|absolute_path|path)$/i.test(name)) return path
  if (name === 'content') return content
  if (name === 'command' || name === 'cmd') return type === 'array' ? ['bash', '-c', command] : command
  if (name === 'description') return 'Runs one step'
  return undefined
}

const DEFAULTS: Readonly<Record<string, unknown>> = {
  string: 'step',
  number: 1,
  integer: 1,
  boolean: false,
  array: [],
  object: {},
}
