import { Worker } from 'node:worker_threads'

/**
 * Counts tokens as the model does, in a worker thread: loading a vocabulary takes a quarter of a second, a long prompt
 * takes as long to count, and other streams must not wait.
 */
export async function countTokens(model: string, texts: readonly string[]): Promise<number> {
  const nonEmpty = texts.filter((text) => text !== '')
  return nonEmpty.length === 0 ? 0 : countOnThread(model, nonEmpty)
}

/** Tokenizers are quadratic in runs without spaces. Cutting them at this length does not change the count. */
const MAX_RUN_LENGTH = 256
const LONG_RUN = new RegExp(`\\S{${MAX_RUN_LENGTH}}|\\s{${MAX_RUN_LENGTH}}`, 'gu')
/** Beyond this length, the count is extrapolated from the beginning. */
const COUNTED_LENGTH = 1024 * 1024

/** Counts tokens as the model does. The vocabulary is loaded on first use. */
export async function countWithVocabulary(model: string, texts: readonly string[]): Promise<number> {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const count = await tokenizerFor(model)
  let counted = 0
  let tokens = 0
  for (const text of texts) {
    if (counted >= COUNTED_LENGTH) break
    const part = text.slice(0, COUNTED_LENGTH - counted)
    tokens += runs(part).reduce((sum, run) => sum + count(run), 0)
    counted += part.length
  }
  return Math.ceil((tokens * length) / counted)
}

function runs(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  for (const match of text.matchAll(LONG_RUN)) {
    const end = match.index + match[0].length
    pieces.push(text.slice(start, end))
    start = end
  }
  pieces.push(text.slice(start))
  return pieces
}

type CountText = (text: string) => number

async function tokenizerFor(model: string): Promise<CountText> {
  const { countTokens } = await (usesNewVocabulary(model)
    ? import('gpt-tokenizer/encoding/o200k_base')
    : import('gpt-tokenizer/encoding/cl100k_base'))
  // Special tokens such as <|endoftext|> are plain text when a user writes them.
  const plain = { disallowedSpecial: new Set<string>() }
  return (text) => countTokens(text, plain)
}

function usesNewVocabulary(model: string): boolean {
  return /^(chatgpt-4o|gpt-4o|gpt-4\.[1-9]|gpt-[5-9]|gpt-oss|o\d)/.test(model)
}

export interface CountRequest {
  readonly id: number
  readonly model: string
  readonly texts: readonly string[]
}

export type CountResult =
  | { readonly id: number; readonly tokens: number }
  | { readonly id: number; readonly error: unknown }

interface PendingCount {
  resolve(tokens: number): void
  reject(error: unknown): void
}

/** The vocabularies take some hundred megabytes, which are freed when a process rarely counts. */
const IDLE_MS = 5 * 60_000

let thread: { worker: Worker; waiting: Map<number, PendingCount>; idle: NodeJS.Timeout } | undefined
let lastId = 0

/** Counts in one worker thread, which starts on first use and ends when idle. */
function countOnThread(model: string, texts: readonly string[]): Promise<number> {
  const { worker, waiting, idle } = (thread ??= start())
  const id = (lastId += 1)
  idle.refresh()
  worker.ref() // the process must not exit while a count is pending
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, model, texts } satisfies CountRequest)
  })
}

function start(): NonNullable<typeof thread> {
  const worker = new Worker(new URL('./count-worker.ts', import.meta.url))
  const waiting = new Map<number, PendingCount>()
  worker.on('message', (result: CountResult) => {
    const pending = waiting.get(result.id)
    waiting.delete(result.id)
    if (waiting.size === 0) worker.unref()
    if ('tokens' in result) pending?.resolve(result.tokens)
    else pending?.reject(result.error)
  })
  const fail = (error: unknown) => {
    if (thread?.worker === worker) thread = undefined
    clearTimeout(idle)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the counting thread ended')))
  const idle = setTimeout(() => {
    if (waiting.size > 0) idle.refresh()
    else void worker.terminate()
  }, IDLE_MS)
  idle.unref()
  return { worker, waiting, idle }
}
