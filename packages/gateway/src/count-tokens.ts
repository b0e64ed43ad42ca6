import { setImmediate as nextTurn } from 'node:timers/promises'

/** Tokenizers slow down with the square of an unbroken run; cut at this length the counts stay the same. */
const LONGEST_RUN = 256
const LONG_RUN = new RegExp(`\\S{${LONGEST_RUN}}|\\s{${LONGEST_RUN}}`, 'gu')
/** Counted in one go before other calls get their turn: some ten milliseconds of work. */
const SLICE_LENGTH = 64 * 1024
/** Beyond this the rest is taken to be like the beginning. */
const COUNTED_LENGTH = 1024 * 1024

/** Tokens of some texts as the model would see them. The vocabulary is loaded by the first call that needs it. */
export async function countTokens(model: string, texts: readonly string[]): Promise<number> {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length === 0) return 0
  const count = await tokenizerFor(model)
  let counted = 0
  let tokens = 0
  for (const slice of slices(texts)) {
    if (counted >= COUNTED_LENGTH) break
    tokens += runs(slice).reduce((sum, run) => sum + count(run), 0)
    counted += slice.length
    if (slice.length === SLICE_LENGTH) await nextTurn()
  }
  return Math.ceil((tokens * length) / counted)
}

function* slices(texts: readonly string[]): Generator<string> {
  for (const text of texts) {
    for (let at = 0; at < text.length; at += SLICE_LENGTH) yield text.slice(at, at + SLICE_LENGTH)
  }
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
  // Marks such as <|endoftext|> are plain text when a user writes them.
  const plain = { disallowedSpecial: new Set<string>() }
  return (text) => countTokens(text, plain)
}

function usesNewVocabulary(model: string): boolean {
  return /^(chatgpt-4o|gpt-4o|gpt-4\.[1-9]|gpt-[5-9]|gpt-oss|o\d)/.test(model)
}
