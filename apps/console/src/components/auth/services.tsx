import type { SignInServiceName, Status } from '@tidegate/contract/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Names sign-in services. */
export function useServiceName(): (service: SignInServiceName) => string {
  const { t } = useTranslation('entry')
  return (service) => (service === 'wechat' ? t('wechat.name') : NAMES[service])
}

const NAMES = { github: 'GitHub', oidc: 'OIDC', linuxdo: 'LinuxDO', telegram: 'Telegram' } as const

/** The services that the operator enabled, in the order of the buttons. */
export function enabledServices(status: Status): SignInServiceName[] {
  const enabled: Record<SignInServiceName, boolean> = {
    github: status.github_oauth,
    oidc: status.oidc_enabled,
    linuxdo: status.linuxdo_oauth,
    wechat: status.wechat_login,
    telegram: status.telegram_oauth,
  }
  return (Object.keys(enabled) as SignInServiceName[]).filter((service) => enabled[service])
}

/** The logo of a service, shown beside its name. */
export function ServiceMark({ service, size = 18 }: { service: SignInServiceName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden focusable="false">
      {MARKS[service]}
    </svg>
  )
}

const MARKS: Record<SignInServiceName, ReactNode> = {
  github: (
    <path
      fill="currentColor"
      d="M12 2.2c-1.4 0-2.7.2-3.9.6C6.6 1.9 5 1.5 3.9 1.6c-.5 1.3-.5 2.8-.1 4A7 7 0 0 0 2.1 10c0 4.6 2.9 7 6.7 7.6-.5.5-.8 1.1-.9 1.9-1.6.6-3 .1-3.9-1.5-.5-.8-1.2-1.2-1.9-1.2-.4 0-.4.4-.1.6.7.4 1.1 1 1.5 1.9.7 1.7 2.2 2.4 4.3 2.1v.9c0 .3.2.5.5.5h7.6c.3 0 .5-.2.5-.5v-2.5c0-.9-.3-1.7-.9-2.2 3.8-.6 6.7-3 6.7-7.6a7 7 0 0 0-1.7-4.4c.4-1.2.4-2.7-.1-4-1.1-.1-2.7.3-4.2 1.2-1.3-.4-2.7-.6-4.2-.6Z"
    />
  ),
  oidc: (
    <g fill="none" stroke="#e8730c" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
      <circle cx="8" cy="12" r="5.2" />
      <path d="M13.4 12H22m-3 0v3.6m-3-3.6v2.4" />
    </g>
  ),
  // The rim is visible on light and dark backgrounds.
  linuxdo: (
    <>
      <circle cx="12" cy="12" r="10.6" fill="#8a94a6" />
      <path fill="#24272c" d="M3.2 8.4a9.5 9.5 0 0 1 17.6 0Z" />
      <path fill="#f4f4f2" d="M3.2 8.4h17.6a9.5 9.5 0 0 1 0 7.2H3.2a9.5 9.5 0 0 1 0-7.2Z" />
      <path fill="#f5a623" d="M3.2 15.6a9.5 9.5 0 0 0 17.6 0Z" />
    </>
  ),
  wechat: (
    <>
      <path
        fill="#1aad4f"
        d="M9.2 3.2C4.9 3.2 1.5 6 1.5 9.5c0 2 1.1 3.7 2.8 4.9l-.8 2.4 2.8-1.4c.9.3 1.8.4 2.7.4a6 6 0 0 1-.2-1.5c0-3.3 3.2-6 7.1-6h.7c-.7-2.9-3.7-5.1-7.4-5.1Z"
      />
      <path
        fill="#1aad4f"
        d="M22.5 14.5c0-2.9-2.9-5.2-6.4-5.2s-6.4 2.3-6.4 5.2 2.9 5.2 6.4 5.2c.7 0 1.4-.1 2.1-.3l2.3 1.2-.6-2c1.6-.9 2.6-2.4 2.6-4.1Z"
      />
      <g fill="#fff">
        <circle cx="6.7" cy="7.9" r="1" />
        <circle cx="11.6" cy="7.9" r="1" />
        <circle cx="14" cy="13.3" r=".85" />
        <circle cx="18.2" cy="13.3" r=".85" />
      </g>
    </>
  ),
  telegram: (
    <>
      <circle cx="12" cy="12" r="10.5" fill="#2a9fdc" />
      <path
        fill="#fff"
        d="M5.4 11.6 17.2 7c.6-.2 1.1.2.9 1l-2 9.3c-.1.6-.6.8-1.1.5l-3-2.2-1.5 1.5c-.3.3-.7.2-.8-.3l-.8-3-3.4-1.1c-.7-.2-.7-.8-.1-1.1Z"
      />
      <path fill="#bfe3f5" d="m8.9 13.8 6.6-4.3-5.3 5-.4 2.4Z" />
    </>
  ),
}
