import type { Config } from 'dompurify'

/** What text by others may consist of. Nothing here runs, loads a page, takes input or reaches out of its box. */
export const ALLOWED_TAGS = words(`
  a abbr address article b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark ol p pre q rp rt ruby s samp section small
  span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr
`)

/** Stands for a formula in Markdown until it is set. */
export const MATH_TAG = 'math-text'

/** No `id` and no `name`: they would stand for variables of the page's scripts. */
const ALLOWED_ATTRIBUTES = words(`
  href src alt title width height align style class lang dir open datetime
  start reversed value colspan rowspan span scope aria-label aria-hidden
`)

/** Set by us on every link and picture, whatever was there. */
const OUR_ATTRIBUTES = words('target rel loading decoding referrerpolicy')

/** How Markdown tells its parts about a block of code and a formula. */
const MARKDOWN_ATTRIBUTES = words('data-block data-state data-lang data-tex data-display')

/** What is inside these is no text for people. */
const WITHOUT_CONTENT = words(`
  annotation-xml audio embed frameset head iframe math noembed noframes noscript object plaintext script
  style svg template textarea title video xmp
`)

/** Web pages, mail, and addresses within the site: anything without a scheme. */
const ALLOWED_ADDRESS = /^(?:https?:|mailto:|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i

export const ALLOW_LIST: Config = {
  ALLOWED_TAGS,
  ALLOWED_ATTR: [...ALLOWED_ATTRIBUTES, ...OUR_ATTRIBUTES, ...MARKDOWN_ATTRIBUTES],
  ALLOWED_URI_REGEXP: ALLOWED_ADDRESS,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  FORBID_CONTENTS: WITHOUT_CONTENT,
}

function words(list: string): string[] {
  return list.trim().split(/\s+/)
}
