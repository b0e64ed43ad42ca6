/** Pages of tables that would only bury what is written for people: every call is in the overview of the API already. */
const LEFT_OUT = /^(?:zh\/)?(?:reference\/api\/|project\/code-map)/

export const isSearched = (page: string): boolean => !LEFT_OUT.test(page)

const words = new Intl.Segmenter('zh', { granularity: 'word' })

/**
 * Puts spaces between the words of Chinese text, where the search looks for them. Headings stay as they are: they are shown
 * among what was found, and are short enough to be found by their beginnings.
 */
export function separateWords(html: string): string {
  let inHeading = false
  return html
    .split(/(<[^>]+>)/)
    .map((part) => {
      if (/^<h\d/.test(part)) inHeading = true
      if (/^<\/h\d/.test(part)) inHeading = false
      if (inHeading || part.startsWith('<')) return part
      return part.replaceAll(/\p{Script=Han}{2,}/gu, (text) =>
        Array.from(words.segment(text), ({ segment }) => segment).join(' '),
      )
    })
    .join('')
}
