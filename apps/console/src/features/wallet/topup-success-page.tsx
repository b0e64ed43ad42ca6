import { CheckCircleOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'

/** The payment page returns here. The balance is credited when the payment service confirms the payment. */
export default function TopUpSuccessPage() {
  const { t } = useTranslation('wallet')
  const navigate = useNavigate()
  return (
    <EmptyState
      isPage
      icon={<CheckCircleOutlined aria-hidden />}
      title={t('success.title')}
      hint={t('success.hint')}
      action={
        <>
          <Button type="primary" onClick={() => void navigate('/app/wallet')}>
            {t('success.wallet')}
          </Button>
          <Button onClick={() => void navigate('/')}>{t('success.home')}</Button>
        </>
      }
    />
  )
}
