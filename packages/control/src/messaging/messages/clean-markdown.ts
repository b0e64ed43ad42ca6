import { ALLOWED_TAGS, cleanHtml, isSafeAddress } from './clean-html.ts'
import { partsOf } from './markdown-parts.ts'

/**
 * Makes HTML in Markdown harmless without touching what people write about code. Sanitising the whole text as HTML
 * would turn every `<` and `&` of a sample into an entity, so only what looks like a tag outside of code is looked at:
 * tags that may stay are written out clean, any other is shown as text. Where code begins and ends is read a little
 * more strictly than renderers do it, but they differ: that is why what is rendered is sanitised again.
 */
export function cleanMarkdown(markdown: string): string {
  return partsOf(markdown)
    .map(({ text, isCode }) => (isCode ? text : cleanTags(cleanLinks(text))))
    .join('')
}

/** Longer ones are shown as text: looking for their ends from each beginning would take a crafted text for ever. */
const LONGEST_TAG = 4096

function cleanTags(text: string): string {
  let cleaned = ''
  let at = 0
  for (const { index } of text.matchAll(/<(?=[a-z/!?])/gi)) {
    if (index < at) continue
    const end = endOfTag(text, index)
    cleaned += text.slice(at, index) + (end === undefined ? '&lt;' : cleanTag(text.slice(index, end)))
    at = end ?? index + 1
  }
  return cleaned + text.slice(at)
}

/** After the first `>` outside of quotes. */
function endOfTag(text: string, start: number): number | undefined {
  let quote: string | undefined
  for (let index = start + 1; index < Math.min(text.length, start + LONGEST_TAG); index++) {
    const character = text[index]!
    if (quote !== undefined) quote = character === quote ? undefined : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return index + 1
    else if (character === '<') return undefined
  }
  return undefined
}

function cleanTag(tag: string): string {
  if (isAutolink(tag)) return tag
  const [, name = '', rest = ''] = /^<\/?([a-z][a-z0-9]*)([^]*)>$/i.exec(tag) ?? []
  if (!ALLOWED_TAGS.has(name.toLowerCase())) return tag.replaceAll('<', '&lt;')
  const isPlain = /^\s*\/?$/.test(rest)
  if (isPlain) return tag
  if (tag.startsWith('</') || !/^[\s/]/.test(rest)) return tag.replaceAll('<', '&lt;')
  return cleanHtml(tag).replace(/<\/[a-z0-9]+>$/i, '')
}

/** `<https://…>` and `<name@host>`, which Markdown makes links of. */
function isAutolink(tag: string): boolean {
  return /^<(?:https?:\/\/|mailto:)[^\s<>"'`]*>$/i.test(tag) || /^<[\w.+-]+@[\w-]+(?:\.[\w-]+)+>$/.test(tag)
}

/** Where a link leads: `[…](here` and `[…]: here`, bare or between angle brackets. */
const DESTINATION = /(\]\(\s*|^[ \t>*+-]*\[[^[\]\n]+\]:\s*)(<[^<>\n]*>|[^\s<>)]+)/gm

function cleanLinks(text: string): string {
  return text.replace(DESTINATION, (whole: string, before: string, address: string) =>
    isSafeDestination(address) ? whole : `${before}#`,
  )
}

/** As it will be read: without brackets, backslashes and what browsers skip. A scheme written with entities hides. */
function isSafeDestination(destination: string): boolean {
  const address = destination
    .replace(/^<|>$/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[\s\p{Cc}]/gu, '')
  return !/^[^/?#]*&/.test(address) && isSafeAddress(address)
}
