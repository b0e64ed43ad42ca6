import sanitizeHtml from 'sanitize-html'

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

/**
 * Takes out of HTML what could act in its reader's console. The first of two guards: the console sanitises again what
 * it renders, since only there it is known what a text became.
 */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html, RULES)
}

/** What may stay: whatever browsers learn to run next is not among it. */
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

/** Whether an address may stand in a link: one of the schemes above, or a place of this site. */
function isSafeAddress(address: string): boolean {
  if (/^[/\\]{2}/.test(address)) return false
  const scheme = /^([^/?#]*?):/.exec(address)?.[1]
  return scheme === undefined || SCHEMES.includes(scheme.toLowerCase())
}

interface MarkdownPart {
  text: string
  /** Shown as it stands: a fenced block, or words between backticks. */
  isCode: boolean
}

/** Takes Markdown apart into code and everything else; put together again the parts are the text. */
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
/** Between HTML and the next blank line Markdown means nothing, backticks included. */
const HTML_BLOCK =
  /^[\s>*+-]*<(?:\/?(?:[a-z][a-z0-9]*)[^>]*>?\s*$|\/?(?:address|blockquote|dd|details|div|dl|dt|fig\w+|h[1-6r]|li|ol|p|pre|summary|t\w+|ul)\b)/i

/** Line by line, since where a block ends depends on how it began. */
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

/** What is preformatted goes on over blank lines. */
function closesHtml(first: string): (line: string) => boolean {
  return /<pre\b/i.test(first) ? (line) => /<\/pre>/i.test(line) : (line) => line.trim() === ''
}

/** As many backticks as it began with end a span; a blank line ends the paragraph, and with it any span. */
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
