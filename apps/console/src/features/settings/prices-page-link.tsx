import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/kit/index.ts'
import styles from './settings.module.css'

/** Prices have a page of their own. */
export function PricesPageLink() {
  const { t } = useTranslation('settings')
  const navigate = useNavigate()
  return (
    <div className={styles.foot}>
      <Button type="primary" onClick={() => void navigate('/admin/prices')}>
        {t('prices.openPage')}
      </Button>
      <Button onClick={() => void navigate('/admin/prices?panel=json')}>{t('prices.json')}</Button>
    </div>
  )
}
