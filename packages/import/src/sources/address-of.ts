/** A database's place without user, password and settings. */
export function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol.replace('postgresql:', 'postgres:')}//${host}${pathname}`
}
