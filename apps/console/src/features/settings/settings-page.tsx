import { isRoot, optionsOfAreas } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAreasQuery } from '../../api/own-areas.ts'
import { useSession } from '../../api/session.ts'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { Alert } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { AllSettings } from './all-settings.tsx'
import { useUnsavedSections } from './form/save-bar.tsx'
import { SiteInfo } from './section-extras.tsx'
import { SECTIONS } from './sections/index.ts'
import styles from './settings.module.css'
import { SectionCard, TabPane } from './tab-pane.tsx'

interface Props {
  /** The editor of virtual models, which every administrator can use. */
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

/** The parts for administrators without granted areas. */
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
        <SiteInfo />
        <SectionCard id="mapping">{mapping}</SectionCard>
      </div>
    </>
  )
}

interface GrantedProps {
  /** Areas that the super admin granted. */
  areas: readonly string[]
  mapping: ReactNode
}

/** The sections with options of granted areas, and the virtual models. */
function GrantedSettings({ areas, mapping }: GrantedProps) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const changes = useUnsavedSections()
  const granted = optionsOfAreas(areas)
  const sections = SECTIONS.filter(({ id, fields }) => id === 'mapping' || fields.some(({ key }) => granted.has(key)))
  return (
    <>
      <UnsavedGuard hasChanges={() => changes.unsaved.size > 0} />
      <PageHeader title={shell('titles.settings')} purpose={t('purpose')} />
      <Alert
        className={styles.notice}
        type="info"
        showIcon
        title={t('granted.title')}
        description={t('granted.text')}
      />
      <TabPane sections={sections} hasSiteInfo mapping={mapping} changes={changes} />
    </>
  )
}
