import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'
import { Skeleton } from '../ui/kit/index.ts'
import styles from './waiting.module.css'

/** Stands in for a screen whose script is still on its way. */
export function LateScreen() {
  const { t } = useTranslation()
  return (
    <output className={styles.late} aria-label={t('loading')} data-late>
      <Skeleton active title={{ width: 160 }} paragraph={{ rows: 8, width: '100%' }} />
    </output>
  )
}

/** Says that the next screen is on its way, while the one before it stays. */
export function NavigationProgress() {
  const { t } = useTranslation()
  const isLoading = useNavigation().state !== 'idle'
  return isLoading && <output className={styles.progress} aria-label={t('loading')} />
}
