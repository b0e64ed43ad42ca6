/** The beginning of a tag, and one attribute of it, as a browser splits them. */
const TAG = /<[a-z][^\t\n\f\r />]*/gi
const ATTRIBUTE =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"?|'[^']*'?|[^\t\n\f\r >]*))?/iy

/** After an element like `xmp` begins what looks like a value may end it, and go on as markup. */
const HIDES_TAG = /<[a-z]/i

/**
 * HTML without event handlers and base addresses. The sanitiser removes them all the same; but a browser reports each as
 * a breach of the page's policy as soon as it has parsed it, even for a document in which nothing can run. And without
 * `is`, which an element keeps for life and writes again when it is put into text.
 */
export function withoutBreaches(html: string): string {
  let clean = ''
  let kept = 0
  let place = 0
  for (const { index, 0: start } of html.matchAll(TAG)) {
    if (index < place) continue // within the tag before
    place = index + start.length
    const breach = /^<base$/i.test(start) ? /^(?:on|is$|href)/i : /^(?:on|is$)/i
    for (let attribute = attributeAt(html, place); attribute; attribute = attributeAt(html, place)) {
      const end = place + attribute[0].length
      const isBreach = breach.test(attribute[1]!)
      if (isBreach || HIDES_TAG.test(attribute[0])) {
        clean += html.slice(kept, place) + (isBreach ? '' : withoutBreaches(attribute[0]))
        kept = end
      }
      place = end
    }
  }
  return clean + html.slice(kept)
}

function attributeAt(html: string, place: number): RegExpExecArray | null {
  ATTRIBUTE.lastIndex = place
  return ATTRIBUTE.exec(html)
}
