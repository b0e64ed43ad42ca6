import sanitizeHtml from 'sanitize-html'

/**
 * Sanitizes HTML in Markdown without changing code samples. Sanitizing the whole text would escape every `<` and `&` in
 * samples, so only tags outside code are handled: allowed tags are cleaned, others are shown as text. Renderers differ
 * in where code starts, so the rendered HTML is sanitized again.
 */
export function cleanMarkdown(markdown: string): string {
  return partsOf(markdown)
    .map(({ text, isCode }) => (isCode ? text : cleanTags(cleanLinks(text))))
    .join('')
}

/** Longer tags are shown as text; searching their end could take quadratic time. */
const MAX_TAG_LENGTH = 4096

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

/** Position after the first `>` outside quotes. */
function endOfTag(text: string, start: number): number | undefined {
  let quote: string | undefined
  for (let index = start + 1; index < Math.min(text.length, start + MAX_TAG_LENGTH); index++) {
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

/** `<https://…>` and `<name@host>`, which Markdown turns into links. */
function isAutolink(tag: string): boolean {
  return /^<(?:https?:\/\/|mailto:)[^\s<>"'`]*>$/i.test(tag) || /^<[\w.+-]+@[\w-]+(?:\.[\w-]+)+>$/.test(tag)
}

/** Link destinations: `[…](here` and `[…]: here`, with or without angle brackets. */
const DESTINATION = /(\]\(\s*|^[ \t>*+-]*\[[^[\]\n]+\]:\s*)(<[^<>\n]*>|[^\s<>)]+)/gm

function cleanLinks(text: string): string {
  return text.replace(DESTINATION, (whole: string, before: string, address: string) =>
    isSafeDestination(address) ? whole : `${before}#`,
  )
}

/** Normalizes the destination like a renderer. Rejects schemes written with entities. */
function isSafeDestination(destination: string): boolean {
  const address = destination
    .replace(/^<|>$/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[\s\p{Cc}]/gu, '')
  return !/^[^/?#]*&/.test(address) && isSafeAddress(address)
}

/** Removes active content from HTML. The console sanitizes the rendered result again. */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html, RULES)
}

/** Allow list, so that new browser features are excluded. */
export const ALLOWED_TAGS: ReadonlySet<string> = new Set(
  [
    'h1 h2 h3 h4 h5 h6 p br hr div span blockquote pre code kbd samp',
    'b strong i em u s del ins mark small sub sup abbr q cite',
    'ul ol li dl dt dd a img figure figcaption details summary',
    'table caption thead tbody tfoot tr th td',
  ].flatMap((names) => names.split(' ')),
)

const SCHEMES = ['http', 'https', 'mailto']

const RULES: sanitizeHtml.IOptions = {
  allowedTags: [...ALLOWED_TAGS],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    abbr: ['title'],
    ol: ['start'],
    details: ['open'],
    th: ['colspan', 'rowspan', 'align'],
    td: ['colspan', 'rowspan', 'align'],
  },
  allowedSchemes: SCHEMES,
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener nofollow' } }),
  },
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'iframe', 'object', 'svg', 'math'],
}

/** Whether a link destination is allowed: one of the schemes above, or a relative address. */
function isSafeAddress(address: string): boolean {
  if (/^[/\\]{2}/.test(address)) return false
  const scheme = /^([^/?#]*?):/.exec(address)?.[1]
  return scheme === undefined || SCHEMES.includes(scheme.toLowerCase())
}

interface MarkdownPart {
  text: string
  /** A fenced block or inline code, shown literally. */
  isCode: boolean
}

/** Splits Markdown into code and other text; joined parts equal the input. */
function partsOf(markdown: string): MarkdownPart[] {
  return blocksOf(markdown).flatMap(({ kind, text }) =>
    kind === 'prose' ? splitSpans(text) : [{ text, isCode: kind === 'fence' }],
  )
}

interface Block {
  kind: 'prose' | 'fence' | 'html'
  text: string
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
/** From HTML to the next blank line, Markdown is not parsed. */
const HTML_BLOCK =
  /^[\s>*+-]*<(?:\/?(?:[a-z][a-z0-9]*)[^>]*>?\s*$|\/?(?:address|blockquote|dd|details|div|dl|dt|fig\w+|h[1-6r]|li|ol|p|pre|summary|t\w+|ul)\b)/i

/** Line by line, because the end of a block depends on its start. */
function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: Block = { kind: 'prose', text: '' }
  let ends: (line: string) => boolean = () => false
  const begin = (kind: Block['kind'], until: (line: string) => boolean) => {
    if (open.text !== '') blocks.push(open)
    open = { kind, text: '' }
    ends = until
  }
  for (const line of markdown.split(/(?<=\n)/)) {
    const fence = FENCE.exec(line.trimEnd())?.[1]
    if (open.kind === 'prose' && fence !== undefined) begin('fence', closesFence(fence))
    else if (open.kind === 'prose' && HTML_BLOCK.test(line)) begin('html', closesHtml(line))
    else if (ends(line)) {
      open.text += line
      begin('prose', () => false)
      continue
    }
    open.text += line
  }
  return [...blocks, open]
}

function closesFence(fence: string): (line: string) => boolean {
  return (line) => {
    const text = line.trim()
    return /^ {0,3}[`~]/.test(line) && text.length >= fence.length && text === fence[0]!.repeat(text.length)
  }
}

/** Preformatted blocks continue over blank lines. */
function closesHtml(first: string): (line: string) => boolean {
  return /<pre\b/i.test(first) ? (line) => /<\/pre>/i.test(line) : (line) => line.trim() === ''
}

/** A span ends with the same number of backticks; a blank line ends the paragraph. */
const SPAN = /(?<![\\`])(`+)(?!`)(?:(?!\n[ \t]*\n)[^])*?(?<!`)\1(?!`)/g

function splitSpans(prose: string): MarkdownPart[] {
  const parts: MarkdownPart[] = []
  let end = 0
  for (const { 0: text, index } of prose.matchAll(SPAN)) {
    parts.push({ text: prose.slice(end, index), isCode: false }, { text, isCode: true })
    end = index + text.length
  }
  return [...parts, { text: prose.slice(end), isCode: false }]
}
