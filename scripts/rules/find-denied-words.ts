import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface DeniedWord {
  /** Matched as a part of identifiers too: `troubledChannel`, `no-trouble`. */
  readonly word: string
  readonly instead: string
  /** Lines where the word belongs to a public contract or has its ordinary meaning. */
  readonly unless?: RegExp
}

/** Invented vocabulary. `docs/reference/glossary.md` has the terms to use. */
export const DENIED_WORDS: readonly DeniedWord[] = [
  { word: 'anew', instead: 'again' },
  { word: 'captain', instead: 'admin' },
  { word: 'cargo', instead: 'import model' },
  { word: 'coupon', instead: 'redemption code', unless: /\/admin\/coupons/ },
  { word: 'entrance', instead: 'authentication' },
  { word: 'furnish', instead: 'seed' },
  { word: 'journey', instead: 'request, run', unless: /mid_?journey/i },
  { word: 'knock', instead: 'request, re-authentication' },
  { word: 'monster', instead: 'oversized input' },
  { word: 'mould', instead: 'template' },
  { word: 'scribe', instead: 'stream writer', unless: /(de|tran|sub|pre)scribe/i },
  { word: 'somebody', instead: 'the user, the caller' },
  { word: 'trouble', instead: 'open circuit, failure', unless: /summary:/ },
  { word: 'whoever', instead: 'the user who' },
]

/** Sources that are not ours to word: recorded responses, translations, data, migrations that have shipped. */
const SKIPPED =
  /node_modules|\/dist\/|__fixtures__|\/migrations\/|\/golden\/|find-denied-words\.ts$|language-rule\.test\.ts$/

/** `path:line: word` for each denied word in sources and file names. Paths are relative to the root. */
export async function findDeniedWords(root: string, words: readonly DeniedWord[] = DENIED_WORDS): Promise<string[]> {
  const rules = words.map(({ word, unless }) => ({ unless, word, pattern: new RegExp(word, 'i') }))
  const found: string[] = []
  for await (const path of glob('{packages,apps/server,e2e,lab,scripts}/**/*.ts', {
    cwd: root,
    exclude: (name) => name.includes('node_modules') || name.includes('dist'),
  })) {
    if (SKIPPED.test(path)) continue
    const lines = [path, ...(await readFile(join(root, path), 'utf8')).split('\n')]
    for (const [number, line] of lines.entries()) {
      for (const { pattern, unless, word } of rules) {
        if (pattern.test(line) && !unless?.test(line)) found.push(`${path}:${number}: ${word}`)
      }
    }
  }
  return found.toSorted()
}
