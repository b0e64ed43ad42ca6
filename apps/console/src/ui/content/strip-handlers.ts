/** The start of a tag and one of its attributes, as browsers parse them. */
const TAG = /<[a-z][^\t\n\f\r />]*/gi
const ATTRIBUTE =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"?|'[^']*'?|[^\t\n\f\r >]*))?/iy

/** After `<xmp>` and the like, an attribute value can contain the end tag and further markup. */
const HIDES_TAG = /<[a-z]/i

/**
 * Removes event handlers, base URLs and `is` from HTML. The sanitiser removes them too, but browsers report each of them
 * as a CSP violation when they parse the HTML, even in a document without scripts. `is` cannot be removed from an element
 * after parsing.
 */
export function stripHandlers(html: string): string {
  let clean = ''
  let copied = 0
  let at = 0
  for (const { index, 0: start } of html.matchAll(TAG)) {
    if (index < at) continue // inside the previous tag
    at = index + start.length
    const removed = /^<base$/i.test(start) ? /^(?:on|is$|href)/i : /^(?:on|is$)/i
    for (let attribute = attributeAt(html, at); attribute; attribute = attributeAt(html, at)) {
      const end = at + attribute[0].length
      const isRemoved = removed.test(attribute[1]!)
      if (isRemoved || HIDES_TAG.test(attribute[0])) {
        clean += html.slice(copied, at) + (isRemoved ? '' : stripHandlers(attribute[0]))
        copied = end
      }
      at = end
    }
  }
  return clean + html.slice(copied)
}

function attributeAt(html: string, at: number): RegExpExecArray | null {
  ATTRIBUTE.lastIndex = at
  return ATTRIBUTE.exec(html)
}
