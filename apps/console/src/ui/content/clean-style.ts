/** Looks of text and boxes. Nothing that leaves the flow (`position`, `z-index`, `float`) or fetches (`url()`). */
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

/** The declarations of a `style` attribute that stay, written anew by the browser's own parser. */
export function cleanStyle(written: string): string {
  const { style } = document.implementation.createHTMLDocument('').createElement('p')
  style.cssText = written
  return [...style]
    .map((property) => [property, style.getPropertyValue(property)] as const)
    .filter(([property, value]) => ALLOWED_PROPERTIES.test(property) && isHarmless(property, value))
    .map(([property, value]) => `${property}: ${value}`)
    .join('; ')
}

function isHarmless(property: string, value: string): boolean {
  if (value === '' || /url\(|image-set\(|image\(|src\(|expression|[\\<>@{}]/i.test(value)) return false
  // A negative margin would lay the text over its neighbours.
  if (property.startsWith('margin') && /-|calc|min\(|max\(|clamp\(/.test(value)) return false
  return property !== 'background-image' || value === 'none' || GRADIENT.test(value)
}
