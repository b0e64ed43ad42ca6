import { optionsOfAreas } from '@tidegate/contract/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Alert } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { SECTIONS } from './sections/index.ts'
import styles from './settings.module.css'
import { TabPane } from './tab-pane.tsx'
import { useUnsaved } from './use-unsaved.ts'

interface Props {
  /** Areas that the super admin granted; at least one. */
  areas: readonly string[]
  mapping: ReactNode
}

/** What an administrator may change: the sections with options of granted areas, and the model mapping. */
export function GrantedSettings({ areas, mapping }: Props) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { unsaved, onUnsaved } = useUnsaved()
  const granted = optionsOfAreas(areas)
  const sections = SECTIONS.filter(({ id, fields }) => id === 'mapping' || fields.some(({ key }) => granted.has(key)))
  return (
    <>
      <UnsavedGuard hasChanges={() => unsaved.size > 0} />
      <PageHeader title={shell('titles.settings')} purpose={t('purpose')} />
      <Alert
        className={styles.notice}
        type="info"
        showIcon
        title={t('granted.title')}
        description={t('granted.text')}
      />
      <TabPane sections={sections} hasSiteFacts mapping={mapping} unsaved={unsaved} onUnsaved={onUnsaved} />
    </>
  )
}
