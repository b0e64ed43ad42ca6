import { isRoot } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAreasQuery } from '../../api/own-areas.ts'
import { useSession } from '../../api/session.ts'
import { Alert } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { AllSettings } from './all-settings.tsx'
import { SiteFacts } from './extras/site-facts.tsx'
import { GrantedSettings } from './granted-settings.tsx'
import { SectionCard } from './section-card.tsx'
import styles from './settings.module.css'

interface Props {
  /** The editor of virtual models, which every administrator may use. */
  mapping: ReactNode
}

export default function SettingsPage({ mapping }: Props) {
  const role = useSession(({ user }) => user?.role) ?? 0
  return isRoot(role) ? <AllSettings mapping={mapping} /> : <AdministratorSettings mapping={mapping} />
}

function AdministratorSettings({ mapping }: Props) {
  const areas = useQuery(ownAreasQuery).data ?? []
  return areas.length > 0 ? <GrantedSettings areas={areas} mapping={mapping} /> : <SharedSettings mapping={mapping} />
}

/** What is left for an administrator who is not the super admin, and why. */
function SharedSettings({ mapping }: Props) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  return (
    <>
      <PageHeader title={shell('titles.settings')} purpose={t('purpose')} />
      <Alert
        className={styles.notice}
        type="info"
        showIcon
        title={t('notRoot.title')}
        description={t('notRoot.text')}
      />
      <div className={styles.cards}>
        <SiteFacts />
        <SectionCard id="mapping">{mapping}</SectionCard>
      </div>
    </>
  )
}
