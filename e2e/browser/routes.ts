/** Who may see an address. */
type Guard = 'none' | 'login' | 'admin'

/** The addresses of the console as the product promises them, written apart from the console's own table. */
export const ROUTES: readonly { path: string; guard: Guard }[] = [
  ...guarded('none', [
    '/',
    '/login',
    '/register',
    '/reset',
    '/user/reset',
    '/oauth/github',
    '/oauth/oidc',
    '/oauth/linuxdo',
    '/pricing',
    '/about',
    '/chat',
    '/chat/3',
    '/chat2link',
    '/no/such/page',
  ]),
  ...guarded('login', [
    '/app/tokens',
    '/playground',
    '/admin/channels',
    '/channel/edit/7',
    '/channel/add',
    '/admin/coupons',
    '/admin/users',
    '/user/edit/7',
    '/user/edit',
    '/admin/settings?tab=operation',
    '/app/me',
    '/app/wallet',
    '/app/wallet/topup-success',
    '/app/logs/api-usage',
    '/app/logs/request/20261115093005123AbCdEfGh',
    '/app/logs/drawing',
    '/app/logs/tasks',
    '/app/dashboard',
    '/app/inbox',
    '/app/inbox/7',
  ]),
  ...guarded('admin', ['/admin/messages', '/app/shadow']),
]

export const pathsWith = (...guards: Guard[]): string[] =>
  ROUTES.filter(({ guard }) => guards.includes(guard)).map(({ path }) => path)

function guarded(guard: Guard, paths: readonly string[]) {
  return paths.map((path) => ({ path, guard }))
}
