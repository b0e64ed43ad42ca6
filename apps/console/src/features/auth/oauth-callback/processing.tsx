import { LoadingOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useServiceName } from '../../../components/auth/service-names.ts'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import type { CallbackService } from './finish-sign-in.ts'
import styles from './oauth.module.css'

export function Processing({ service }: { service: CallbackService }) {
  const { t } = useTranslation('entry')
  const nameOf = useServiceName()
  return (
    <NarrowPanel title={t('callback.processing')} purpose={t('callback.processingHint', { service: nameOf(service) })}>
      <div className={styles.spinner}>
        <LoadingOutlined aria-hidden />
      </div>
    </NarrowPanel>
  )
}
