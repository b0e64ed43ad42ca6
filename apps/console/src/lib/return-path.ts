const AFTER_LOGIN = '/app/tokens'

/** The page to open after login. Accepts only paths of this console, to prevent open redirects. */
export function returnPath(path: string | null): string {
  if (path === null || !/^\/(?![/\\])/.test(path) || hasControlCharacter(path)) return AFTER_LOGIN
  const current = new URL(window.location.href)
  const target = new URL(path, current)
  if (target.origin !== current.origin || isSignInPath(target.pathname)) return AFTER_LOGIN
  return target.pathname + target.search + target.hash
}

/** The path of the login page, with the page to return to. */
export function loginPath({ expired, returnTo }: { expired: boolean; returnTo: string }): string {
  const query = new URLSearchParams()
  if (expired) query.set('expired', 'true')
  if (returnTo !== '/' && !returnTo.startsWith('/login')) query.set('returnTo', returnTo)
  return query.size > 0 ? `/login?${query}` : '/login'
}

/** Sign-in pages are no valid return path. An OAuth callback works only once. */
const isSignInPath = (pathname: string) => pathname === '/login' || pathname.startsWith('/oauth/')

/** Browsers remove tabs and line breaks from URLs, so `/<tab>/host` would open another site. */
function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character.codePointAt(0)! < 32)
}
