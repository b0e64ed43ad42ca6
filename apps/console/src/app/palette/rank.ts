interface Named {
  title: string
  words: readonly string[]
}

/** Those that fit what was typed, best first; the order of equals stays. */
export function rank<Item extends Named>(items: readonly Item[], typed: string): Item[] {
  return items
    .map((item) => ({ item, fit: fitOf(item, typed) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ item }) => item)
}

const BEGINS = 6
const WORD_BEGINS = 4
const HOLDS = 2
const SCATTERED = 1

/** A beginning is worth more than the beginning of a word, that more than any part; the title more than other words. */
function fitOf({ title, words }: Named, typed: string): number {
  const wanted = plain(typed)
  const inTitle = fitIn(title, wanted)
  const best = Math.max(inTitle > 0 ? inTitle + 1 : 0, ...words.map((word) => fitIn(word, wanted)))
  if (best > 0) return best
  const everything = plain([title, ...words].join(' '))
  return wanted.split(' ').every((part) => everything.includes(part)) ? SCATTERED : 0
}

function fitIn(text: string, wanted: string): number {
  const whole = plain(text)
  if (whole.startsWith(wanted)) return BEGINS
  const at = whole.indexOf(wanted)
  if (at === -1) return 0
  const wordBegins = whole.split(/[\s\-_./:@]+/).some((word) => word.startsWith(wanted))
  return wordBegins || whole[at - 1] === ' ' ? WORD_BEGINS : HOLDS
}

const plain = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
