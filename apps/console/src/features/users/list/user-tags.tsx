import { ROLES, USER_STATUS, type ListedUser } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { StatusTag, type Tone } from '../../../ui/status-tag.tsx'
import { STATUS_EXISTS } from '../user-rank.ts'

const ROLE_TONES = { user: 'neutral', admin: 'info', root: 'warn' } as const satisfies Record<keyof typeof ROLES, Tone>

export function RoleTag({ role }: { role: number }) {
  const { t } = useTranslation('users')
  const name = (Object.keys(ROLE_TONES) as (keyof typeof ROLE_TONES)[]).find((known) => ROLES[known] === role)
  return (
    <StatusTag tone={name ? ROLE_TONES[name] : 'neutral'} plain>
      {t(`roles.${name ?? 'unknown'}`)}
    </StatusTag>
  )
}

export function UserStatusTag({ user }: { user: Pick<ListedUser, 'status' | 'DeletedAt'> }) {
  const { t } = useTranslation('users')
  if (user.DeletedAt !== null) return <StatusTag tone="neutral">{t('status.deregistered')}</StatusTag>
  switch (user.status) {
    case USER_STATUS.active:
      return <StatusTag tone="good">{t('status.active')}</StatusTag>
    case USER_STATUS.banned:
      return <StatusTag tone="bad">{t('status.banned')}</StatusTag>
    case STATUS_EXISTS:
      return <StatusTag tone="warn">{t('status.exists')}</StatusTag>
    default:
      return <StatusTag tone="neutral">{t('status.unknown')}</StatusTag>
  }
}

export const isOutOfUse = ({ status, DeletedAt }: ListedUser): boolean =>
  DeletedAt !== null || status !== USER_STATUS.active
