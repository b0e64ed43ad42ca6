const AFTER_LOGIN = '/app/tokens'

/** Where to go after login. Only a path of this console will do: a link must not be able to send people elsewhere. */
export function returnPath(wish: string | null): string {
  if (wish === null || !/^\/(?![/\\])/.test(wish) || hasControlCharacter(wish)) return AFTER_LOGIN
  const here = new URL(window.location.href)
  const there = new URL(wish, here)
  if (there.origin !== here.origin || isWayIn(there.pathname)) return AFTER_LOGIN
  return there.pathname + there.search + there.hash
}

/** The address of the login screen that leads back to where the person was. */
export function loginPath({ expired, returnTo }: { expired: boolean; returnTo: string }): string {
  const query = new URLSearchParams()
  if (expired) query.set('expired', 'true')
  if (returnTo !== '/' && !returnTo.startsWith('/login')) query.set('returnTo', returnTo)
  return query.size > 0 ? `/login?${query}` : '/login'
}

/** Screens that end in a login themselves; a way back from another service is good only once. */
const isWayIn = (pathname: string) => pathname === '/login' || pathname.startsWith('/oauth/')

/** Browsers drop tabs and line ends inside addresses, so `/<tab>/host` would leave the site. */
function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character.codePointAt(0)! < 32)
}
