import sanitizeHtml from 'sanitize-html'

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
export function isSafeAddress(address: string): boolean {
  if (/^[/\\]{2}/.test(address)) return false
  const scheme = /^([^/?#]*?):/.exec(address)?.[1]
  return scheme === undefined || SCHEMES.includes(scheme.toLowerCase())
}
