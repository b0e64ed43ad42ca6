import type { api } from '@tidegate/contract'
import type { Deps } from '../../deps.ts'
import { github } from './github.ts'
import { linuxDo } from './linuxdo.ts'
import { oidc } from './oidc.ts'
import type { RedirectService } from './provider.ts'

export type RedirectServices = Readonly<Record<api.RedirectService, RedirectService>>

export function createRedirectServices(deps: Pick<Deps, 'catalog' | 'site' | 'now'>): RedirectServices {
  return { github: github(deps), oidc: oidc(deps), linuxdo: linuxDo(deps) }
}
