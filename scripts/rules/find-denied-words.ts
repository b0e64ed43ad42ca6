import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface DeniedWord {
  readonly word: string
  readonly instead: string
  /** By default the word anywhere, in any case, also inside identifiers: `troubledChannel`, `no-trouble`. */
  readonly pattern?: RegExp
  /** Parts of a line where the word is a public contract or has its ordinary meaning. */
  readonly allowed?: RegExp
  /** Files where the word is a term of a provider's protocol. */
  readonly except?: RegExp
}

/** Invented vocabulary. `docs/reference/glossary.md` has the terms to use. */
export const DENIED_WORDS: readonly DeniedWord[] = [
  { word: 'anew', instead: 'again' },
  {
    word: 'answer',
    instead: 'response, reply',
    // Public or stored names, and texts of chat messages.
    allowed:
      /['"`^(|]answer['"`:|)]|SignInAnswer|idempotent-answer|The answer is|Answer my questions|Answer with one JSON|EnhancedCivicAnswers|empty answer|(?:content|text|input|prompt|system|name)['"]?\s*[:=]\s*(['"`]).*?\1/gi,
    // A field of Dify's protocol.
    except: /\/providers\/dify\/|custom-protocols/,
  },
  // The names of lines in the journal file.
  { word: 'booking', instead: 'settlement', except: /ledger\/(src\/journal\/|test\/journal-)/ },
  { word: 'captain', instead: 'admin' },
  { word: 'cargo', instead: 'import model' },
  { word: 'coupon', instead: 'redemption code', allowed: /\/admin\/coupons/g },
  { word: 'entrance', instead: 'authentication' },
  {
    word: 'figures',
    instead: 'metrics, amounts',
    // Names in the API document, and a column.
    allowed: /(Live|Model)Figures|\/api\/pricing\/figures/g,
    except: /node-metrics\.ts$|schema\/usage\.ts$/,
  },
  { word: 'furnish', instead: 'seed' },
  { word: 'heal', instead: 'close a circuit breaker', pattern: /heal(?!th)/i },
  { word: 'journey', instead: 'request, run', allowed: /mid_?journey|journeys?\.md/gi },
  { word: 'judge', instead: 'route plan, evaluate' },
  { word: 'knock', instead: 'request, re-authentication' },
  { word: 'mend', instead: 'fix', pattern: /\bmend/i },
  { word: 'monster', instead: 'oversized input' },
  { word: 'mould', instead: 'template' },
  {
    word: 'notice',
    instead: 'announcement, message, alert, change notification; detect',
    // The announcement has this name in the API and in options; a job and a limit are stored under theirs.
    allowed:
      /\/api\/notice|getNotice|testNotice|NoticeTest|['"`.]Notice\b|\bNotice\b|'notice'|\bnotice:|message-notice|(send|deliver)-notices?|for notices/g,
  },
  {
    word: 'refuse',
    instead: 'reject',
    pattern: /refus(e|ing)/i,
    // Connections, and the stored outcome of a request.
    allowed: /ECONNREFUSED|connectionrefused|refused connection|['"`.-]refused\b|\brefused[:,]/g,
  },
  {
    word: 'refusal',
    instead: 'ApiError, rejection',
    pattern: /refusal/i,
    allowed: /['"`.]refusal\b|\brefusal\??:|\{[^}]*\brefusal\b/g,
    // Refusals of a model in the protocols of providers, and the column of shadow requests.
    except: /packages\/dialects\/|fake-upstream\/|e2e\/protocol\/matrix\/|shadow|docs\/.*protocols?\.md/,
  },
  { word: 'scribe', instead: 'stream writer', allowed: /(de|tran|sub|pre)scribe/gi },
  { word: 'somebody', instead: 'the user, the caller' },
  { word: 'speaks', instead: 'uses the protocol' },
  { word: 'stranger', instead: 'anonymous user, another user' },
  { word: 'tally', instead: 'count', pattern: /\btall(y|ies)|Tally/ },
  { word: 'trouble', instead: 'open circuit, failure', allowed: /troubleshoot/gi },
  { word: 'vendor', instead: 'provider', allowed: /'Model or vendor'|\{\{vendor\}\}/g },
  // The access level of endpoints, and a label of keyed hashes.
  { word: 'visitor', instead: 'anonymous user', allowed: /['"`\\]visitor['"`\\:]|\bvisitor:/g },
  { word: 'whoever', instead: 'the user who' },
]

/** Snake case is used for stored and public names only: JSON fields, columns, error codes, metrics. */
const PUBLIC_NAMES = /\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g

/**
 * Sources whose wording is not ours: recorded responses, translations, data, migrations that have shipped. Reports quote
 * old names. Pages of endpoints are generated from the contract.
 */
const SKIPPED =
  /node_modules|docs\/reports\/|docs\/(?:zh\/)?reference\/(?:api|errors|options)(?:\/|\.md)|\/dist\/|__fixtures__|\/migrations\/|\/golden\/|find-denied-words\.ts$|language-rule\.test\.ts$/

/** Sources, deployment files, documents and the English texts of the console. */
const CHECKED = [
  '{packages,apps/server,e2e,lab,scripts}/**/*.{ts,cjs,mjs,sh}',
  '{*,.*}.{cjs,mjs,sh}',
  'deploy/**/*.{yml,yaml}',
  '*.md',
  'docs/**/*.md',
  'apps/console/src/locales/en/*.json',
]

/** Keys of texts are names in code. */
const TEXT_KEY = /^\s*"[^"]*":\s*/

/** `path:line: word` for each denied word in files and file names. Paths are relative to the root. */
export async function findDeniedWords(root: string, words: readonly DeniedWord[] = DENIED_WORDS): Promise<string[]> {
  const rules = words.map((denied) => ({ ...denied, pattern: denied.pattern ?? new RegExp(denied.word, 'i') }))
  const found: string[] = []
  for await (const path of glob(CHECKED, {
    cwd: root,
    exclude: (name) => name.includes('node_modules') || name.includes('dist'),
  })) {
    if (SKIPPED.test(path)) continue
    const applying = rules.filter(({ except }) => !except?.test(path))
    const lines = [path, ...(await readFile(join(root, path), 'utf8')).split('\n')].map((line) =>
      path.endsWith('.json') ? line.replace(TEXT_KEY, '') : line,
    )
    for (const [number, line] of lines.entries()) {
      for (const rule of applying) if (isDenied(line, rule)) found.push(`${path}:${number}: ${rule.word}`)
    }
  }
  return found.toSorted()
}

function isDenied(line: string, { pattern, allowed }: Pick<DeniedWord, 'allowed'> & { pattern: RegExp }): boolean {
  if (!pattern.test(line)) return false
  const prose = line.replaceAll(PUBLIC_NAMES, '')
  return pattern.test(allowed ? prose.replaceAll(allowed, '') : prose)
}
