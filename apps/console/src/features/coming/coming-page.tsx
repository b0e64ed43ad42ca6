import { HourglassOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useMatches, useNavigate } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { StatusTag } from '../../ui/status-tag.tsx'
import type coming from '../../locales/zh/coming.ts'
import styles from './coming.module.css'

type ComingKey = Exclude<keyof typeof coming, 'label' | 'action' | 'home'>

/** Holds the place of a screen that is not there yet, and says what it will do. */
export default function ComingPage() {
  const { t } = useTranslation('coming')
  const { t: title } = useTranslation('shell')
  const navigate = useNavigate()
  const isLoggedIn = useSession((session) => session.user !== null)
  const { title: key } = useMatches().at(-1)!.handle as { title: ComingKey }
  return (
    <div className={styles.place}>
      <StatusTag tone="info">{t('label')}</StatusTag>
      <EmptyState
        isPage
        icon={<HourglassOutlined aria-hidden />}
        title={title(`titles.${key}`)}
        hint={t(key)}
        action={
          <Button onClick={() => void navigate(isLoggedIn ? '/app/tokens' : '/')}>
            {isLoggedIn ? t('action') : t('home')}
          </Button>
        }
      />
    </div>
  )
}
