/** The address if a browser may go there from here; blank for anything that is not a page of the web. */
export function webAddress(written: string): string {
  const text = written.trim()
  if (text === '' || !URL.canParse(text, window.location.origin)) return ''
  const { protocol, href } = new URL(text, window.location.origin)
  return protocol === 'https:' || protocol === 'http:' ? href : ''
}
