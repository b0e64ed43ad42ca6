import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import { ResetForm } from './reset-form.tsx'
import styles from './reset.module.css'

export default function ResetPage() {
  const { t } = useTranslation('reset')
  return (
    <NarrowPanel title={t('title')} purpose={t('purpose')}>
      <ResetForm />
      <p className={styles.other}>
        {t('remembered')} <Link to="/login">{t('login')}</Link>
      </p>
    </NarrowPanel>
  )
}
