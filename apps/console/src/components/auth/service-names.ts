import type { SignInServiceName, Status } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'

/** What people call a service. */
export function useServiceName(): (service: SignInServiceName) => string {
  const { t } = useTranslation('entry')
  return (service) => (service === 'wechat' ? t('wechat.name') : NAMES[service])
}

const NAMES = { github: 'GitHub', oidc: 'OIDC', linuxdo: 'LinuxDO', telegram: 'Telegram' } as const

/** Services that the operator has switched on, in the order they are offered. */
export function openServices(status: Status): SignInServiceName[] {
  const open: Record<SignInServiceName, boolean> = {
    github: status.github_oauth,
    oidc: status.oidc_enabled,
    linuxdo: status.linuxdo_oauth,
    wechat: status.wechat_login,
    telegram: status.telegram_oauth,
  }
  return (Object.keys(open) as SignInServiceName[]).filter((service) => open[service])
}
