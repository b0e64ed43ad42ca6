import { api, openSignIns, ApiError, type Phrase } from '@tidegate/contract'
import { setup } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'

/** What people call the services. */
const NAMES: Readonly<Record<api.SignInServiceName, string | Phrase>> = {
  github: 'GitHub',
  oidc: 'OIDC',
  linuxdo: 'LinuxDO',
  wechat: { zh: '微信', en: 'WeChat' },
  telegram: 'Telegram',
}

export function nameOf(service: api.SignInServiceName): { service: string | Phrase } {
  return { service: NAMES[service] }
}

/** Rejects a sign-in that names no service while no service is open. */
export async function requireAnyOpen({ db, catalog }: Pick<Deps, 'db' | 'catalog'>): Promise<void> {
  if (!(await setup.isDone(db))) throw new ApiError('setup_required')
  const open: readonly string[] = openSignIns(catalog().settings)
  if (!api.REDIRECT_SERVICES.some((service) => open.includes(service))) {
    throw new ApiError('oauth_disabled', { service: 'OAuth' })
  }
}

/** Refuses a service while the site is not set up, or the administrator has not opened it. */
export async function requireOpen(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  service: api.SignInServiceName,
): Promise<void> {
  if (!(await setup.isDone(db))) throw new ApiError('setup_required')
  if (!openSignIns(catalog().settings).includes(service)) throw new ApiError('oauth_disabled', nameOf(service))
}
