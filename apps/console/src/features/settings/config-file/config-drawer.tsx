import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../../lib/use-media.ts'
import { Drawer } from '../../../ui/kit/index.ts'
import { ApplyPart } from './apply-part.tsx'
import styles from './config-file.module.css'
import { ExportPart } from './export-part.tsx'

interface Props {
  open: boolean
  onClose(): void
}

/** The site as a file: out of here, and back in after a look at what it would change. */
export function ConfigDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const isPhone = useIsPhone()
  return (
    <Drawer
      title={t('configFile.title')}
      open={open}
      onClose={onClose}
      size={isPhone ? '100%' : 720}
      destroyOnHidden
      closable={{ 'aria-label': common('close') }}
    >
      <p className={styles.purpose}>{t('configFile.purpose')}</p>
      <ExportPart />
      <ApplyPart />
    </Drawer>
  )
}
