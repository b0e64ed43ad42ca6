/** Tokenizers slow down with the square of an unbroken run; cut at this length the counts stay the same. */
const LONGEST_RUN = 256
const LONG_RUN = new RegExp(`\\S{${LONGEST_RUN}}|\\s{${LONGEST_RUN}}`, 'gu')
/** Beyond this the rest is taken to be like the beginning. */
const COUNTED_LENGTH = 1024 * 1024

/** Tokens of some texts as the model would see them. The vocabulary is loaded by the first call that needs it. */
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
  // Marks such as <|endoftext|> are plain text when a user writes them.
  const plain = { disallowedSpecial: new Set<string>() }
  return (text) => countTokens(text, plain)
}

function usesNewVocabulary(model: string): boolean {
  return /^(chatgpt-4o|gpt-4o|gpt-4\.[1-9]|gpt-[5-9]|gpt-oss|o\d)/.test(model)
}
