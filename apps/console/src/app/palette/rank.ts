interface Searchable {
  title: string
  terms: readonly string[]
}

/** The items that match the query, best first. Equal matches keep their order. */
export function rank<Item extends Searchable>(items: readonly Item[], query: string): Item[] {
  return items
    .map((item) => ({ item, score: scoreOf(item, query) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item)
}

const PREFIX = 6
const WORD_PREFIX = 4
const SUBSTRING = 2
const ALL_WORDS = 1

/** A prefix scores higher than the prefix of a word, and that higher than a substring. The title scores higher than terms. */
function scoreOf({ title, terms }: Searchable, query: string): number {
  const wanted = normalize(query)
  const inTitle = matchScore(title, wanted)
  const best = Math.max(inTitle > 0 ? inTitle + 1 : 0, ...terms.map((term) => matchScore(term, wanted)))
  if (best > 0) return best
  const text = normalize([title, ...terms].join(' '))
  return wanted.split(' ').every((part) => text.includes(part)) ? ALL_WORDS : 0
}

function matchScore(text: string, wanted: string): number {
  const whole = normalize(text)
  if (whole.startsWith(wanted)) return PREFIX
  const at = whole.indexOf(wanted)
  if (at === -1) return 0
  const isWordPrefix = whole.split(/[\s\-_./:@]+/).some((word) => word.startsWith(wanted))
  return isWordPrefix || whole[at - 1] === ' ' ? WORD_PREFIX : SUBSTRING
}

const normalize = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
