import { useTranslation } from 'react-i18next'
import { Drawer } from '../../../ui/kit/index.ts'
import type { useOffers } from '../use-offers.ts'
import styles from './settings.module.css'
import { SettingsPanel } from './settings-panel.tsx'

interface Props {
  open: boolean
  /** Over the conversation, where there is no room beside it. */
  isDrawer: boolean
  offers: ReturnType<typeof useOffers>
  onClose(): void
}

export function SettingsPlace({ open, isDrawer, offers, onClose }: Props) {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const panel = <SettingsPanel offers={offers} />
  if (isDrawer) {
    return (
      <Drawer
        title={t('settings.title')}
        open={open}
        onClose={onClose}
        placement="left"
        size={320}
        closable={{ 'aria-label': common('close') }}
        destroyOnHidden
      >
        {panel}
      </Drawer>
    )
  }
  if (!open) return null
  return (
    <aside className={styles.panel} aria-label={t('settings.title')}>
      {panel}
    </aside>
  )
}
