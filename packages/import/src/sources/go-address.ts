/**
 * The address of a MySQL as programs written in Go have it in their settings, `user:password@tcp(host:3306)/name?…`, as
 * a URL; anything else as it is. The password may be left out.
 */
export function fromGoAddress(address: string): string {
  const parts = /^(?:mysql:(?:\/\/)?)?([^:@/]+)(?::(.*))?@tcp\(([^)]+)\)\/([^?]+)/.exec(address)
  if (!parts) return address
  const [, user = '', password = '', host = '', name = ''] = parts
  return `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}/${name}`
}
