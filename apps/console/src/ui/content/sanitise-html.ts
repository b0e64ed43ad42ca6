import createPurifier from 'dompurify'
import { ALLOW_LIST, MATH_TAG } from './allow-list.ts'
import { cleanStyle } from './clean-style.ts'
import { withoutBreaches } from './without-breaches.ts'

const purifier = createPurifier(window)

/**
 * The one gate for HTML that we did not write: of operators and of models. It gives nodes and not text, so that nothing
 * is parsed a second time, which is where markup changes its meaning.
 */
export function sanitiseHtml(html: string): DocumentFragment {
  return purifier.sanitize(withoutBreaches(html), { ...ALLOW_LIST, RETURN_DOM_FRAGMENT: true })
}

/** The same gate for what Markdown has become, which its component takes as text and draws element by element. */
export function sanitiseMarkdown(html: string): string {
  return purifier.sanitize(withoutBreaches(html), { ...ALLOW_LIST, ADD_TAGS: [MATH_TAG] })
}

purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  if (attribute.attrName === 'style') attribute.attrValue = cleanStyle(attribute.attrValue)
  // The classes of the console and its kit could lay the text over the whole page.
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

/** A link opens in a tab of its own that knows nothing of this one. */
function checkLink(link: Element): void {
  const isWelcome = hasScheme(link.getAttribute('href'), ['http:', 'https:', 'mailto:'])
  if (!isWelcome) return removeAttributes(link, ['href', 'target', 'rel'])
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener noreferrer nofollow')
}

function checkPicture(picture: Element): void {
  const address = picture.getAttribute('src') ?? ''
  const isWelcome = hasScheme(address, ['http:', 'https:']) || INLINE_PICTURE.test(address)
  if (!isWelcome) return picture.remove()
  picture.setAttribute('loading', 'lazy')
  picture.setAttribute('decoding', 'async')
  picture.setAttribute('referrerpolicy', 'no-referrer')
  if (!picture.hasAttribute('alt')) picture.setAttribute('alt', '')
}

/** Drawings are left out: an SVG is a document. */
const INLINE_PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[a-z0-9+/=\s]+$/i

/** Judged as the browser reads it, whatever tricks the spelling has. */
function hasScheme(address: string | null, schemes: readonly string[]): boolean {
  if (address === null || address.trim() === '') return false
  const url = URL.parse(address, document.baseURI)
  return url !== null && schemes.includes(url.protocol)
}

function removeAttributes(element: Element, names: readonly string[]): void {
  for (const name of names) element.removeAttribute(name)
}
