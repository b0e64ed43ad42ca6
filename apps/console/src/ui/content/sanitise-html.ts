import createPurifier, { type Config } from 'dompurify'
import { stripHandlers } from './strip-handlers.ts'

const purifier = createPurifier(window)

/**
 * Sanitises untrusted HTML of operators and models. Returns nodes instead of text, because HTML that is parsed twice can
 * change its meaning (mutation XSS).
 */
export function sanitiseHtml(html: string): DocumentFragment {
  return purifier.sanitize(stripHandlers(html), { ...ALLOW_LIST, RETURN_DOM_FRAGMENT: true })
}

/** Sanitises the HTML of rendered Markdown. The component takes text and renders it element by element. */
export function sanitiseMarkdown(html: string): string {
  return purifier.sanitize(stripHandlers(html), { ...ALLOW_LIST, ADD_TAGS: [MATH_TAG] })
}

purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  if (attribute.attrName === 'style') attribute.attrValue = cleanStyle(attribute.attrValue)
  // Classes of the console or of Ant Design could overlay the whole page.
  if (attribute.attrName === 'class') attribute.keepAttr = isCodeLanguage(element, attribute.attrValue)
})

purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.getAttribute('style') === '') element.removeAttribute('style')
  if (element.tagName === 'A') checkLink(element)
  else removeAttributes(element, ['href', 'target', 'rel'])
  if (element.tagName === 'IMG') checkPicture(element)
  else removeAttributes(element, ['src', 'loading', 'decoding', 'referrerpolicy'])
})

function isCodeLanguage(element: Element, value: string): boolean {
  return element.tagName === 'CODE' && /^language-[\w+#.-]{1,40}$/.test(value)
}

/** Links open in a new tab without a reference to this page. */
function checkLink(link: Element): void {
  const isAllowed = hasScheme(link.getAttribute('href'), ['http:', 'https:', 'mailto:'])
  if (!isAllowed) return removeAttributes(link, ['href', 'target', 'rel'])
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener noreferrer nofollow')
}

function checkPicture(picture: Element): void {
  const url = picture.getAttribute('src') ?? ''
  const isAllowed = hasScheme(url, ['http:', 'https:']) || INLINE_PICTURE.test(url)
  if (!isAllowed) return picture.remove()
  picture.setAttribute('loading', 'lazy')
  picture.setAttribute('decoding', 'async')
  picture.setAttribute('referrerpolicy', 'no-referrer')
  if (!picture.hasAttribute('alt')) picture.setAttribute('alt', '')
}

/** Without SVG, which can contain scripts. */
const INLINE_PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[a-z0-9+/=\s]+$/i

/** Parses the URL as browsers do, so that unusual spellings do not matter. */
function hasScheme(url: string | null, schemes: readonly string[]): boolean {
  if (url === null || url.trim() === '') return false
  const parsed = URL.parse(url, document.baseURI)
  return parsed !== null && schemes.includes(parsed.protocol)
}

function removeAttributes(element: Element, names: readonly string[]): void {
  for (const name of names) element.removeAttribute(name)
}

/** Elements of untrusted text. None of them runs code, loads a page, takes input or overlays the page. */
const ALLOWED_TAGS = list(`
  a abbr address article b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark ol p pre q rp rt ruby s samp section small
  span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr
`)

/** The element of a formula in Markdown, which is rendered later. */
export const MATH_TAG = 'math-text'

/** Without `id` and `name`, which would define global variables (DOM clobbering). */
const ALLOWED_ATTRIBUTES = list(`
  href src alt title width height align style class lang dir open datetime
  start reversed value colspan rowspan span scope aria-label aria-hidden
`)

/** Set on every link and picture, replacing existing values. */
const OWN_ATTRIBUTES = list('target rel loading decoding referrerpolicy')

/** Set by the Markdown component on code blocks and formulas. */
const MARKDOWN_ATTRIBUTES = list('data-block data-state data-lang data-tex data-display')

/** Elements that are removed with their content. */
const REMOVED_WITH_CONTENT = list(`
  annotation-xml audio embed frameset head iframe math noembed noframes noscript object plaintext script
  style svg template textarea title video xmp
`)

/** Web pages, mail, and relative URLs. */
const ALLOWED_ADDRESS = /^(?:https?:|mailto:|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i

export const ALLOW_LIST: Config = {
  ALLOWED_TAGS,
  ALLOWED_ATTR: [...ALLOWED_ATTRIBUTES, ...OWN_ATTRIBUTES, ...MARKDOWN_ATTRIBUTES],
  ALLOWED_URI_REGEXP: ALLOWED_ADDRESS,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  FORBID_CONTENTS: REMOVED_WITH_CONTENT,
}

function list(names: string): string[] {
  return names.trim().split(/\s+/)
}

/** Text and box styles, without those that leave the flow (`position`, `z-index`, `float`) or load URLs. */
const ALLOWED_PROPERTIES = new RegExp(
  `^(?:${[
    'color|opacity|background-color|background-image',
    'font-(?:size|style|weight|family|variant.*)|line-height|letter-spacing|word-spacing',
    'text-(?:align|align-last|indent|transform|wrap.*|decoration.*)|white-space.*|word-break|overflow-wrap',
    'vertical-align|list-style-(?:type|position)|direction',
    '(?:margin|padding)-(?:top|right|bottom|left|block.*|inline.*)',
    'border-(?:top|right|bottom|left)-(?:width|style|color|left-radius|right-radius)|border-(?:collapse|spacing)',
    '(?:min-|max-)?(?:width|height)|aspect-ratio|box-sizing|object-fit',
    'display|flex-(?:direction|wrap|grow|shrink|basis)|order|(?:row-|column-)gap',
    '(?:justify|align)-(?:content|items|self)|grid-(?:template-columns|template-rows|auto-flow)|column-count',
  ].join('|')})$`,
)

const GRADIENT = /^(?:repeating-)?(?:linear|radial|conic)-gradient\(/

/** The allowed declarations of a `style` attribute, parsed and serialized by the browser. */
function cleanStyle(text: string): string {
  const { style } = document.implementation.createHTMLDocument('').createElement('p')
  style.cssText = text
  return [...style]
    .map((property) => [property, style.getPropertyValue(property)] as const)
    .filter(([property, value]) => ALLOWED_PROPERTIES.test(property) && isHarmless(property, value))
    .map(([property, value]) => `${property}: ${value}`)
    .join('; ')
}

function isHarmless(property: string, value: string): boolean {
  if (value === '' || /url\(|image-set\(|image\(|src\(|expression|[\\<>@{}]/i.test(value)) return false
  // A negative margin would move the text over other content.
  if (property.startsWith('margin') && /-|calc|min\(|max\(|clamp\(/.test(value)) return false
  return property !== 'background-image' || value === 'none' || GRADIENT.test(value)
}
