/** The tokenizers that models are counted with. Apart from the catalogue, which the worker thread does not need. */
export type Vocabulary = 'o200k' | 'cl100k'

export interface CountRequest {
  readonly id: number
  readonly vocabulary: Vocabulary
  readonly texts: readonly string[]
}

export type CountResult =
  | { readonly id: number; readonly tokens: number }
  | { readonly id: number; readonly error: unknown }

/** Tokenizers are quadratic in runs without spaces. Cutting them at this length does not change the count. */
const MAX_RUN_LENGTH = 256
const LONG_RUN = new RegExp(`\\S{${MAX_RUN_LENGTH}}|\\s{${MAX_RUN_LENGTH}}`, 'gu')
/** Beyond this length, the count is extrapolated from the beginning. */
const COUNTED_LENGTH = 1024 * 1024

/** Counts tokens. The vocabulary is loaded on first use. */
export async function countWithVocabulary(vocabulary: Vocabulary, texts: readonly string[]): Promise<number> {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const count = await tokenizerFor(vocabulary)
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

async function tokenizerFor(vocabulary: Vocabulary): Promise<CountText> {
  const { countTokens } = await (vocabulary === 'o200k'
    ? import('gpt-tokenizer/encoding/o200k_base')
    : import('gpt-tokenizer/encoding/cl100k_base'))
  // Special tokens such as <|endoftext|> are plain text when a user writes them.
  const plain = { disallowedSpecial: new Set<string>() }
  return (text) => countTokens(text, plain)
}
