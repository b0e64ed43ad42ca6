import { CustomerServiceOutlined, VideoCameraOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionTag } from '../action-tag.tsx'
import styles from './media-tasks.module.css'
import { PLATFORMS, type Platform } from './queries.ts'

const ICONS: Record<Platform, ReactNode> = {
  suno: <CustomerServiceOutlined aria-hidden />,
  video: <VideoCameraOutlined aria-hidden />,
}

const MEDIA_ACTIONS = ['music', 'lyrics', 'generate', 'remix'] as const

export function usePlatformName(): (platform: string) => string {
  const { t } = useTranslation('mediaTasks')
  return (platform) => {
    const known = PLATFORMS.find((name) => name === platform)
    return known ? t(`platforms.${known}`) : platform
  }
}

export function PlatformName({ platform }: { platform: string }) {
  const nameOf = usePlatformName()
  const known = PLATFORMS.find((name) => name === platform)
  return (
    <span className={styles.platform}>
      {known && ICONS[known]} {nameOf(platform)}
    </span>
  )
}

/** What was ordered. */
export function MediaAction({ action }: { action: string }) {
  const { t } = useTranslation('mediaTasks')
  const place = MEDIA_ACTIONS.findIndex((known) => known === action.toLowerCase())
  const known = MEDIA_ACTIONS[place]
  return (
    <ActionTag place={place} action={action}>
      {known ? t(`actions.${known}`) : action || t('unknown')}
    </ActionTag>
  )
}
